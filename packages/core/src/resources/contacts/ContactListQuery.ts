import { Schema } from "effect"
import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { oneOf, text, uuid } from "../../kernel/input/Fields.js"
import { listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { pageFields } from "../../kernel/input/PageQuery.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { field, wire } from "../../kernel/input/wire.js"
import { LifecycleStage } from "../../model/Contact.js"

const ContactFilters = Schema.Struct({
  search: field(queryFilter(text(255)), { description: "Free text in name, phone, email and company." }),
  lifecycleStage: wire("lifecycle_stage", queryFilter(oneOf(LifecycleStage.literals)), {
    description: "Only contacts in this stage."
  }),
  tag: field(queryFilter(text(100)), { description: "Only contacts that carry this tag." }),
  channel: field(queryFilter(text(40)), { description: "Only those on this channel." }),
  createdAfter: wire("created_after", queryFilter(dateOrTime), {
    description: "Only those created after this date or time."
  })
})
export type ContactFilters = typeof ContactFilters.Type

/** The query of `GET /contacts` (docs/reference/contacts.md#listing-contacts). */
export const ContactListQuery = Schema.Struct({ ...pageFields, ...ContactFilters.fields })
export type ContactListQuery = typeof ContactListQuery.Type

/** The query of `GET /contacts/search` of the administration. */
export const ContactSearchQuery = Schema.Struct({
  ...listFields,
  workspaceId: wire("workspace_id", uuid, { description: "The workspace to search." }),
  ...ContactFilters.fields
})
export type ContactSearchQuery = typeof ContactSearchQuery.Type

export const decodeContactListQuery = partialDecode(ContactListQuery)
