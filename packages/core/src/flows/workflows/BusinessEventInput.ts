import { Schema } from "effect"
import { oneOf, optional, optionalText, requiredText, uuid } from "../../kernel/input/Fields.js"
import { JsonObject } from "../../kernel/input/JsonObject.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { sampleIds, samples } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import { IdentityChannel } from "../../model/Contact.js"

/** The name of an event, of 1 to 255 characters: every one of them counts when it is compared. */
export const eventName = requiredText(255)

const identity = Schema.Struct({
  channel: oneOf(IdentityChannel.literals),
  externalId: wire("external_id", requiredText(255))
})

/**
 * The body of `POST /events` (docs/reference/events.md#business-events). It names a contact by `contact_id`, by
 * `identity`, or by both.
 */
export const BusinessEventInput = component(
  "BusinessEventInput",
  "Something that happened in your system. It names one contact, by `contact_id` or by `identity`.",
  {
    event: field(eventName, { description: "Matched exactly against the workflows that listen." }),
    contactId: wire("contact_id", optional(uuid)),
    identity: field(optional(identity), { description: "A handle of the contact on a channel." }),
    dedupeKey: wire("dedupe_key", optionalText(255), {
      description: "A second event with the same key starts no workflow again."
    }),
    data: field(optional(JsonObject), {
      description: "Available to workflows as `{{data.<key>}}`; at most 32 levels deep."
    })
  },
  {
    "by id": {
      event: "order.shipped",
      contact_id: sampleIds.contact,
      dedupe_key: samples.order,
      data: { order: { number: 1_042, carrier: "DHL" } }
    },
    "by identity": { event: "order.shipped", identity: { channel: "whatsapp", external_id: samples.phone } }
  }
)
export type BusinessEventInput = typeof BusinessEventInput.Type

export const decodeBusinessEventInput = partialDecode(BusinessEventInput)
