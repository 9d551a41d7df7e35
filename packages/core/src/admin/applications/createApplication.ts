import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import type { Workspace } from "../../access/Workspace.js"
import type { Connection } from "../../channels/Connection.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { audited } from "../audited.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { ApplicationInput } from "./ApplicationInput.js"
import { allowListProblems } from "./allowListProblems.js"

/** Calls a minute where nobody says otherwise (spec, Limits). */
const defaultLimits = { requestsPerMinute: 600, sendsPerMinute: 100 }

/** `POST /applications`. The world: the workspace that the body names, and its connections. */
export const createApplication = (
  world: { readonly workspace: Workspace | undefined; readonly connections: ReadonlyArray<Connection> },
  draft: Draft<ApplicationInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Application>, Refusal> => {
  const { workspaceId, connectionIds, mode } = draft.value
  return Either.map(
    complete(
      draft,
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
          inserts: [row("applications", application), audited(entry, now, ids)]
        }),
        result: application
      }
    }
  )
}
