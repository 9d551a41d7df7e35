import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { audited } from "../audited.js"
import type { WorkspaceInput } from "./WorkspaceInput.js"

/** `POST /workspaces`: an active workspace. */
export const createWorkspace = (
  draft: Draft<WorkspaceInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Workspace>, Refusal> =>
  Either.map(complete(draft), (input) => {
    const workspace: Workspace = {
      ...input,
      timezone: input.timezone ?? "UTC",
      id: ids.next(now),
      status: "active",
      createdAt: now,
      version: 1
    }
    const { id } = workspace
    const entry = { workspaceId: id, applicationId: null, action: "workspace.created", subjectId: id }
    return {
      changes: changes(id, { claims: [row("workspaces", workspace)], inserts: [audited(entry, now, ids)] }),
      result: workspace
    }
  })
