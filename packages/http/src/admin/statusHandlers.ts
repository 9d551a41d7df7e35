import { AdminStatus, statusResource } from "@parley/core"
import { Effect } from "effect"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { StatusGroup } from "./StatusGroup.js"

/** Carries out the contract's group `status`. */
export const statusHandlers: Effect.Effect<
  GroupHandlers<typeof StatusGroup, Administrator>,
  never,
  AdminStatus
> = Effect.map(AdminStatus, ({ now }) => ({
  get: () => Effect.map(now, (status) => ({ data: statusResource(status) }))
}))
