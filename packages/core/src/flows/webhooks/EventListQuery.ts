import { Schema } from "effect"
import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { uuid } from "../../kernel/input/Fields.js"
import { filters, listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { field, wire } from "../../kernel/input/wire.js"

/** The query of `GET /events` of the administration (docs/reference/administration.md#events). */
export const EventListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  subjectId: wire("subject_id", queryFilter(uuid), {
    description: "Only those about this message, conversation, contact, lead, enqueued request or webhook endpoint."
  }),
  since: field(queryFilter(dateOrTime), { description: "Only those of this date or time or later." })
})
export type EventListQuery = typeof EventListQuery.Type
