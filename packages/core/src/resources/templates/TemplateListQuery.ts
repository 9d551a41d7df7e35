import { Schema } from "effect"
import { text } from "../../kernel/input/Fields.js"
import { queryFilter, queryFlag } from "../../kernel/input/ListQuery.js"
import { pageFields } from "../../kernel/input/PageQuery.js"
import { field, wire } from "../../kernel/input/wire.js"

/** The query of `GET /templates` (docs/reference/templates.md#listing-templates). */
export const TemplateListQuery = Schema.Struct({
  ...pageFields,
  language: field(queryFilter(text(10)), { description: "Only those in this language." }),
  includeUnapproved: wire("include_unapproved", queryFlag, {
    description: "Whether templates that cannot be sent are listed too."
  })
})
export type TemplateListQuery = typeof TemplateListQuery.Type
