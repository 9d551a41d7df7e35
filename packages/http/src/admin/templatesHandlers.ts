import { AdminTemplates, templateResource } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { TemplatesGroup } from "./TemplatesGroup.js"

/** Implements the group `templates` of the contract. */
export const templatesHandlers: Effect.Effect<
  GroupHandlers<typeof TemplatesGroup, Administrator>,
  never,
  AdminTemplates
> = Effect.map(AdminTemplates, (templates) => ({
  create: ({ body }) => Effect.map(templates.create(body), (row) => ({ data: templateResource(row) })),
  list: ({ query, url }) => Effect.map(templates.list(query), (page) => pageOf(url, page, templateResource)),
  get: ({ path }) => Effect.map(templates.get(path.id), (row) => ({ data: templateResource(row) })),
  update: ({ path, body }) => Effect.map(templates.update(path.id, body), (row) => ({ data: templateResource(row) }))
}))
