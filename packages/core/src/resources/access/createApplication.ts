import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Application } from "../../model/Application.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { ApplicationInput } from "./ApplicationInput.js"
import { allowListProblems } from "./allowListProblems.js"

/** Default limits (docs/reference/rate-limits.md#buckets). */
const defaultLimits = { requestsPerMinute: 600, sendsPerMinute: 100 }

/** `POST /applications`. World: the workspace of the body and its connections. */
export const createApplication = (
  world: { readonly workspace: Workspace | undefined; readonly connections: ReadonlyArray<Connection> },
  decoded: PartialDecode<ApplicationInput>,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Application>, Refusal> => {
  const { workspaceId, connectionIds, mode } = decoded.value
  return Either.map(
    complete(
      decoded,
      workspaceProblems(workspaceId, world.workspace),
      world.workspace === undefined ? {} : allowListProblems(connectionIds ?? [], mode, world.connections)
    ),
    ({ limits, scopes, connectionIds, ...input }) => {
      const application: Application = {
        ...input,
        ...defaultLimits,
        ...limits,
        scopes: [...new Set(scopes)],
        connectionIds: [...new Set(connectionIds ?? [])],
        id: ids.next(now),
        status: "active",
        createdAt: now,
        version: 1
      }
      const { id, workspaceId } = application
      const entry = { workspaceId, applicationId: id, action: "application.created", subjectId: id }
      return {
        changes: changes(workspaceId, {
          expects: [expect("workspaces", { id: workspaceId })],
          inserts: [row("applications", application), auditRow(entry, now, ids)]
        }),
        result: application
      }
    }
  )
}
