import { Schema } from "effect"
import { text } from "../input/Fields.js"
import { queryFilter, queryFlag } from "../input/ListQuery.js"
import { pageFields } from "../input/PageQuery.js"

/** The query of `GET /templates` (spec). */
export const TemplateListQuery = Schema.Struct({
  ...pageFields,
  language: queryFilter(text(10)),
  includeUnapproved: queryFlag.pipe(Schema.fromKey("include_unapproved"))
})
export type TemplateListQuery = typeof TemplateListQuery.Type
