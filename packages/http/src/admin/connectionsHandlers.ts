import {
  AdminConnections,
  AdminProviders,
  ConnectionChecks,
  messageResource,
  providerResource,
  unlinked
} from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { ConnectionsGroup } from "./ConnectionsGroup.js"
import { shownConnection, webhookUrl } from "./shownConnection.js"

/** Carries out the contract's group `connections`. */
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
    create: ({ body, url }) => Effect.map(connections.create(body), (row) => ({ data: shown(url)(row) })),
    list: ({ query, url }) => Effect.map(connections.list(query), (page) => pageOf(url, page, shown(url))),
    get: ({ path, url }) => Effect.map(connections.get(path.id), (row) => ({ data: shown(url)(row) })),
    update: ({ path, body, url }) =>
      Effect.map(connections.update(path.id, body), (row) => ({ data: shown(url)(row) })),
    check: ({ path }) =>
      Effect.map(checks.check(path.id), (outcome) => ({
        data:
          outcome._tag === "Working"
            ? { status: "working" as const, detail: outcome.detail }
            : { status: "failing" as const, detail: outcome.problem }
      })),
    setUp: ({ path, url }) =>
      Effect.map(checks.setUp(path.id, webhookUrl(url, path.id)), (detail) => ({
        data: { status: "working" as const, detail }
      })),
    syncTemplates: ({ path }) => Effect.map(checks.syncTemplates(path.id), (data) => ({ data })),
    providers: ({ url }) =>
      Effect.succeed(pageOf(url, { rows: providers, limit: providers.length, nextCursor: null }, (row) => row)),
    simulateInbound: ({ path, body }) =>
      Effect.map(connections.simulateInbound(path.id, body), (message) => ({
        data: messageResource(message, unlinked)
      }))
  }
})
