import { AdminCustomFields } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { CustomFieldsGroup } from "./CustomFieldsGroup.js"

/** Implements the group `customFields` of the contract. */
export const customFieldsHandlers: Effect.Effect<
  GroupHandlers<typeof CustomFieldsGroup, Administrator>,
  never,
  AdminCustomFields
> = Effect.map(AdminCustomFields, (fields) => ({
  create: ({ body }) => Effect.map(fields.create(body), (data) => ({ data })),
  list: ({ query, url }) => Effect.map(fields.list(query), (page) => pageOf(url, page, (row) => row))
}))
