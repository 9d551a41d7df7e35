import { AdminSecrets } from "@parley/core"
import { Effect } from "effect"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { SecretsGroup } from "./SecretsGroup.js"

/** Implements the group `secrets` of the contract. */
export const secretsHandlers: Effect.Effect<
  GroupHandlers<typeof SecretsGroup, Administrator>,
  never,
  AdminSecrets
> = Effect.map(AdminSecrets, (secrets) => ({
  status: () => Effect.map(secrets.status, (keys) => ({ data: { keys } })),
  rotate: ({ body }) => Effect.map(secrets.rotate(body), (data) => ({ data }))
}))
