import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Instant } from "../../model/Instant.js"
import type { Pipeline } from "../../model/Pipeline.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { PipelineInput } from "./PipelineInput.js"

/** `POST /pipelines`. The oldest pipeline of a workspace is its default. */
export const createPipeline = (
  workspace: Workspace | undefined,
  decoded: PartialDecode<PipelineInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Pipeline>, Refusal> =>
  Either.map(complete(decoded, workspaceProblems(decoded.value.workspaceId, workspace)), (input) => {
    const pipeline: Pipeline = { ...input, id: ids.next(now), createdAt: now, version: 1 }
    return {
      changes: changes(pipeline.workspaceId, {
        expects: [expect("workspaces", { id: pipeline.workspaceId })],
        inserts: [row("pipelines", pipeline)]
      }),
      result: pipeline
    }
  })
