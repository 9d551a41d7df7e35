import { Schema } from "effect"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, createdAt, field, ids, nullableId, wire, workspaceId } from "../../kernel/input/wire.js"
import { EventType } from "../../model/Event.js"
import type { FileLinks } from "../../resources/attachments/fileLink.js"
import type { ListedEvent } from "./AdminEvents.js"
import { withFileLinks } from "./withFileLinks.js"
import { withVisibleQuote } from "./withVisibleQuote.js"

/** An event on the wire of the administration (docs/reference/administration.md#events). */
export const EventResource = component(
  "Event",
  "What webhooks report: a change of state, a refused request of a transaction, or a test of an endpoint.",
  {
    id: ids.event,
    workspaceId,
    applicationId: wire("application_id", Schema.NullOr(ids.application), {
      description: "The application whose message or run it is about; null if every application may see it."
    }),
    connectionId: wire("connection_id", nullableId, { description: "Null if it is about no connection." }),
    subjectId: wire("subject_id", ids.message, { description: "Id of the resource that changed." }),
    type: field(EventType, { examples: ["message.delivered"] }),
    data: field(Schema.Record({ key: Schema.String, value: Schema.Unknown }), {
      description:
        "The state at the commit: `data` of the webhook of this type, in the document of the public interface.",
      examples: [{ message: { id: sampleIds.message, status: "delivered" } }]
    }),
    createdAt
  }
)

export const eventResource = (event: ListedEvent, links: FileLinks): typeof EventResource.Type => ({
  ...event,
  data: JSON.parse(withVisibleQuote(withFileLinks(event, links), null).data)
})
