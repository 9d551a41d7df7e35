import { AdminConnections, connectionResource, messageResource } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { ConnectionsGroup } from "./ConnectionsGroup.js"

/** Carries out the contract's group `connections`. */
export const connectionsHandlers: Effect.Effect<
  GroupHandlers<typeof ConnectionsGroup, Administrator>,
  never,
  AdminConnections
> = Effect.map(AdminConnections, (connections) => ({
  create: ({ body }) => Effect.map(connections.create(body), (row) => ({ data: connectionResource(row) })),
  list: ({ query, url }) => Effect.map(connections.list(query), (page) => pageOf(url, page, connectionResource)),
  get: ({ path }) => Effect.map(connections.get(path.id), (row) => ({ data: connectionResource(row) })),
  update: ({ path, body }) =>
    Effect.map(connections.update(path.id, body), (row) => ({ data: connectionResource(row) })),
  simulateInbound: ({ path, body }) =>
    Effect.map(connections.simulateInbound(path.id, body), (message) => ({ data: messageResource(message) }))
}))
