import { AdminAgents } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { AgentsGroup } from "./AgentsGroup.js"
import type { Administrator } from "./adminAdmission.js"

/** Implements the group `agents` of the contract. */
export const agentsHandlers: Effect.Effect<
  GroupHandlers<typeof AgentsGroup, Administrator>,
  never,
  AdminAgents
> = Effect.map(AdminAgents, (agents) => ({
  create: ({ body }) => Effect.map(agents.create(body), (data) => ({ data })),
  list: ({ query, url }) => Effect.map(agents.list(query), (page) => pageOf(url, page, (row) => row)),
  get: ({ path }) => Effect.map(agents.get(path.id), (data) => ({ data })),
  update: ({ path, body }) => Effect.map(agents.update(path.id, body), (data) => ({ data }))
}))
