import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Instant } from "../../model/Instant.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, row } from "../../ports/Changes.js"
import type { WorkspaceInput } from "./WorkspaceInput.js"

/** `POST /workspaces`: creates an active workspace. */
export const createWorkspace = (
  decoded: PartialDecode<WorkspaceInput>,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Workspace>, Refusal> =>
  Either.map(complete(decoded), (input) => {
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
      changes: changes(id, { claims: [row("workspaces", workspace)], inserts: [auditRow(entry, now, ids)] }),
      result: workspace
    }
  })
