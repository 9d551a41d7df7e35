import {
  AdminConnections,
  AdminProviders,
  ConnectionChecks,
  messageResource,
  providerResource,
  unlinked,
  webhookUrl
} from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { ConnectionsGroup } from "./ConnectionsGroup.js"
import { shownConnection } from "./shownConnection.js"

/** Implements the group `connections` of the contract. */
export const connectionsHandlers: Effect.Effect<
  GroupHandlers<typeof ConnectionsGroup, Administrator>,
  never,
  AdminConnections | AdminProviders | ConnectionChecks
> = Effect.gen(function* () {
  const connections = yield* AdminConnections
  const checks = yield* ConnectionChecks
  const providers = (yield* AdminProviders).list.map(providerResource)
  const shown = yield* shownConnection
  return {
    create: ({ body, base }) => Effect.map(connections.create(body), (row) => ({ data: shown(base)(row) })),
    list: ({ query, url, base }) => Effect.map(connections.list(query), (page) => pageOf(url, page, shown(base))),
    get: ({ path, base }) => Effect.map(connections.get(path.id), (row) => ({ data: shown(base)(row) })),
    update: ({ path, body, base }) =>
      Effect.map(connections.update(path.id, body), (row) => ({ data: shown(base)(row) })),
    check: ({ path }) =>
      Effect.map(checks.check(path.id), (outcome) => ({
        data:
          outcome._tag === "Working"
            ? { status: "working" as const, detail: outcome.detail }
            : { status: "failing" as const, detail: outcome.problem }
      })),
    setUp: ({ path, base }) =>
      Effect.map(checks.setUp(path.id, webhookUrl(base, path.id)), (detail) => ({
        data: { status: "working" as const, detail }
      })),
    syncTemplates: ({ path }) => Effect.map(checks.syncTemplates(path.id), (data) => ({ data })),
    importHistory: ({ path, body }) => Effect.map(checks.importHistory(path.id, body), (data) => ({ data })),
    providers: ({ url }) =>
      Effect.succeed(pageOf(url, { rows: providers, limit: providers.length, nextCursor: null }, (row) => row)),
    simulateInbound: ({ path, body }) =>
      Effect.map(connections.simulateInbound(path.id, body), (message) => ({
        data: messageResource(message, unlinked, null)
      }))
  }
})
