import { type Caller, Leads } from "@parley/core"
import { Effect } from "effect"
import type { LeadsGroup } from "../contract/LeadsGroup.js"
import type { GroupHandlers } from "../server/Call.js"

/** Implements the group `leads` of the contract. */
export const leadsHandlers: Effect.Effect<GroupHandlers<typeof LeadsGroup, Caller>, never, Leads> = Effect.map(
  Leads,
  (leads) => ({
    create: ({ caller, body, idempotency }) => leads.create(caller, { decoded: body, idempotency })
  })
)
