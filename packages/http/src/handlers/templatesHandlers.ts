import { type Caller, Templates, templateResource } from "@parley/core"
import { Effect } from "effect"
import { pagedListOf } from "../contract/pagedList.js"
import type { TemplatesGroup } from "../contract/TemplatesGroup.js"
import type { GroupHandlers } from "../server/Call.js"

/** Implements the group `templates` of the contract. */
export const templatesHandlers: Effect.Effect<
  GroupHandlers<typeof TemplatesGroup, Caller>,
  never,
  Templates
> = Effect.map(Templates, (templates) => ({
  list: ({ caller, query, url }) =>
    Effect.map(templates.list(caller, query), (page) => pagedListOf(url, page, templateResource))
}))
