import {
  AdminAuditLog,
  AdminEvents,
  AdminNotifications,
  AdminRequestLog,
  AdminUnknownEvents,
  eventResource,
  Files
} from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { LogsGroup } from "./LogsGroup.js"

/** Implements the group `logs` of the contract. */
export const logsHandlers: Effect.Effect<
  GroupHandlers<typeof LogsGroup, Administrator>,
  never,
  AdminRequestLog | AdminAuditLog | AdminEvents | AdminNotifications | AdminUnknownEvents | Files
> = Effect.gen(function* () {
  const requestLog = yield* AdminRequestLog
  const auditLog = yield* AdminAuditLog
  const notifications = yield* AdminNotifications
  const events = yield* AdminEvents
  const files = yield* Files
  const unknown = yield* AdminUnknownEvents
  return {
    requests: ({ query, url }) => Effect.map(requestLog.list(query), (page) => pageOf(url, page, (row) => row)),
    request: ({ path }) => Effect.map(requestLog.get(path.id), (data) => ({ data })),
    audit: ({ query, url }) => Effect.map(auditLog.list(query), (page) => pageOf(url, page, (row) => row)),
    notifications: ({ query, url }) => Effect.map(notifications.list(query), (page) => pageOf(url, page, (row) => row)),
    unknownEvents: ({ path, query, url }) =>
      Effect.map(unknown.list(path.id, query), (page) => pageOf(url, page, (row) => row)),
    events: ({ query, url, base }) =>
      Effect.zipWith(events.list(query), files.links(base), (page, links) =>
        pageOf(url, page, (event) => eventResource(event, links))
      ),
    event: ({ path, base }) =>
      Effect.zipWith(events.get(path.id), files.links(base), (event, links) => ({ data: eventResource(event, links) }))
  }
})
