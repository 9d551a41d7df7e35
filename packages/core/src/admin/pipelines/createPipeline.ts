import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import type { Pipeline } from "../../leads/Pipeline.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { PipelineInput } from "./PipelineInput.js"

/** `POST /pipelines`. The first one of a workspace is its default. */
export const createPipeline = (
  workspace: Workspace | undefined,
  draft: Draft<PipelineInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Pipeline>, Refusal> =>
  Either.map(complete(draft, workspaceProblems(draft.value.workspaceId, workspace)), (input) => {
    const pipeline: Pipeline = { ...input, id: ids.next(now), createdAt: now, version: 1 }
    return {
      changes: changes(pipeline.workspaceId, {
        expects: [expect("workspaces", { id: pipeline.workspaceId })],
        inserts: [row("pipelines", pipeline)]
      }),
      result: pipeline
    }
  })
