import { Schema } from "effect"
import { dateOrTime } from "../input/DateOrTime.js"
import { draft } from "../input/Draft.js"
import { oneOf, text } from "../input/Fields.js"
import { queryFilter } from "../input/ListQuery.js"
import { pageFields } from "../input/PageQuery.js"
import { LifecycleStage } from "./Contact.js"

/** The query of `GET /contacts` (spec). */
export const ContactListQuery = Schema.Struct({
  ...pageFields,
  search: queryFilter(text(255)),
  lifecycleStage: queryFilter(oneOf(LifecycleStage.literals)).pipe(Schema.fromKey("lifecycle_stage")),
  tag: queryFilter(text(100)),
  channel: queryFilter(text(40)),
  createdAfter: queryFilter(dateOrTime).pipe(Schema.fromKey("created_after"))
})
export type ContactListQuery = typeof ContactListQuery.Type

export const contactListQueryDraft = draft(ContactListQuery)
