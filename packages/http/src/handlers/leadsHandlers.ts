import { type Caller, Leads } from "@parley/core"
import { Effect } from "effect"
import type { LeadsGroup } from "../contract/LeadsGroup.js"
import type { GroupHandlers } from "../server/Call.js"

/** Carries out the contract's group `leads`. */
export const leadsHandlers: Effect.Effect<GroupHandlers<typeof LeadsGroup, Caller>, never, Leads> = Effect.map(
  Leads,
  (leads) => ({
    create: ({ caller, body, idempotency }) => leads.create(caller, { draft: body, idempotency })
  })
)
