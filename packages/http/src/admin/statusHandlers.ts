import { type AdminProviders, AdminStatus, statusResource } from "@parley/core"
import { Effect } from "effect"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { StatusGroup } from "./StatusGroup.js"
import { shownConnection } from "./shownConnection.js"

/** Implements the group `status` of the contract. */
export const statusHandlers: Effect.Effect<
  GroupHandlers<typeof StatusGroup, Administrator>,
  never,
  AdminStatus | AdminProviders
> = Effect.gen(function* () {
  const { byApplication, now } = yield* AdminStatus
  const shown = yield* shownConnection
  return {
    get: ({ base }) => Effect.map(now, (status) => ({ data: statusResource(status, shown(base)) })),
    byApplication: ({ query }) => Effect.map(byApplication(query), (data) => ({ data }))
  }
})
