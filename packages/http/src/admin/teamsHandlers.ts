import { AdminTeams } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { TeamsGroup } from "./TeamsGroup.js"

/** Implements the group `teams` of the contract. */
export const teamsHandlers: Effect.Effect<
  GroupHandlers<typeof TeamsGroup, Administrator>,
  never,
  AdminTeams
> = Effect.map(AdminTeams, (teams) => ({
  create: ({ body }) => Effect.map(teams.create(body), (data) => ({ data })),
  list: ({ query, url }) => Effect.map(teams.list(query), (page) => pageOf(url, page, (row) => row)),
  get: ({ path }) => Effect.map(teams.get(path.id), (data) => ({ data })),
  update: ({ path, body }) => Effect.map(teams.update(path.id, body), (data) => ({ data }))
}))
