import { AdminLeads } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { LeadsGroup } from "./LeadsGroup.js"

/** Implements the group `leads` of the contract. */
export const leadsHandlers: Effect.Effect<
  GroupHandlers<typeof LeadsGroup, Administrator>,
  never,
  AdminLeads
> = Effect.map(AdminLeads, (leads) => ({
  list: ({ query, url }) => Effect.map(leads.list(query), (page) => pageOf(url, page, (row) => row)),
  get: ({ path }) => Effect.map(leads.get(path.id), (data) => ({ data })),
  update: ({ path, body }) => Effect.map(leads.update(path.id, body), (data) => ({ data }))
}))
