import { AdminRetention, retentionResource } from "@parley/core"
import { Effect } from "effect"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { RetentionGroup } from "./RetentionGroup.js"

/** Implements the group `retention` of the contract. */
export const retentionHandlers: Effect.Effect<
  GroupHandlers<typeof RetentionGroup, Administrator>,
  never,
  AdminRetention
> = Effect.map(AdminRetention, ({ inForce }) => ({
  get: () => Effect.map(inForce, (retention) => ({ data: retentionResource(retention) }))
}))
