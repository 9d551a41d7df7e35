import { Schema } from "effect"
import { dateOrTime } from "../../../kernel/input/DateOrTime.js"
import { listFields, queryFilter } from "../../../kernel/input/ListQuery.js"
import { sampleIds, samples } from "../../../kernel/input/samples.js"
import { component, field, ids, wire } from "../../../kernel/input/wire.js"
import { Channel } from "../../../model/Channel.js"
import { Timestamp } from "../../../model/Instant.js"
import { historySubjects, historyTypes } from "./HistoryEntry.js"

/** The query of `GET /contacts/{id}/history`. */
export const ContactHistoryQuery = Schema.Struct({
  ...listFields,
  since: field(queryFilter(dateOrTime), { description: "Only entries of this date or time or later." })
})
export type ContactHistoryQuery = typeof ContactHistoryQuery.Type

/** An entry of a contact's history on the wire (docs/reference/administration.md#contact-history). */
export const HistoryEntryResource = component(
  "ContactHistoryEntry",
  "An entry of a contact's history.",
  {
    id: field(ids.event, { description: "Unique in a history." }),
    at: Timestamp,
    type: Schema.Literal(...historyTypes),
    subjectType: wire("subject_type", Schema.Literal(...historySubjects), {
      description: "The kind of the resource."
    }),
    subjectId: wire("subject_id", ids.message),
    channel: Schema.NullOr(Channel),
    status: field(Schema.NullOr(Schema.String), {
      description: "The present status of a message, conversation, task, workflow run or bot session."
    }),
    explanation: field(Schema.String, { description: "For people; its wording may change." })
  },
  {
    message: {
      id: sampleIds.message,
      at: samples.created,
      type: "message_sent",
      subject_type: "message",
      subject_id: sampleIds.message,
      channel: "whatsapp",
      status: "read",
      explanation: `To ${samples.phone}, by an application, sent ${samples.sent}, delivered ${samples.delivered}, read ${samples.read}: "${samples.text}"`
    }
  }
)
