import { AdminBots, adminBotResource } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { BotsGroup } from "./BotsGroup.js"

/** Implements the group `bots` of the contract. */
export const botsHandlers: Effect.Effect<GroupHandlers<typeof BotsGroup, Administrator>, never, AdminBots> = Effect.map(
  AdminBots,
  (bots) => ({
    create: ({ body }) => Effect.map(bots.create(body), (bot) => ({ data: adminBotResource(bot) })),
    list: ({ query, url }) => Effect.map(bots.list(query), (page) => pageOf(url, page, adminBotResource)),
    get: ({ path }) => Effect.map(bots.get(path.id), (bot) => ({ data: adminBotResource(bot) })),
    update: ({ path, body }) => Effect.map(bots.update(path.id, body), (bot) => ({ data: adminBotResource(bot) })),
    listSessions: ({ path, query, url }) =>
      Effect.map(bots.listSessions(path.id, query), (page) => pageOf(url, page, (row) => row)),
    getSession: ({ path }) => Effect.map(bots.getSession(path.id), (data) => ({ data }))
  })
)
