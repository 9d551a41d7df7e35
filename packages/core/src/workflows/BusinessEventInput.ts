import { Schema } from "effect"
import { IdentityChannel } from "../contacts/Contact.js"
import { draft } from "../input/Draft.js"
import { oneOf, optional, optionalText, requiredText, uuid } from "../input/Fields.js"
import { JsonObject } from "../input/JsonObject.js"

/** The name of an event, of 1 to 255 characters: every one of them counts when it is compared. */
export const eventName = requiredText(255)

const identity = Schema.Struct({
  channel: oneOf(IdentityChannel.literals),
  externalId: Schema.propertySignature(requiredText(255)).pipe(Schema.fromKey("external_id"))
}).annotations({
  jsonSchema: {
    type: "object",
    required: ["channel", "external_id"],
    properties: {
      channel: { type: "string", enum: [...IdentityChannel.literals] },
      external_id: { type: "string", minLength: 1, maxLength: 255 }
    }
  }
})

/** The body of `POST /events` (spec; decisions.md §13). It names a contact by `contact_id`, by `identity`, or by both. */
export const BusinessEventInput = Schema.Struct({
  event: eventName,
  contactId: optional(uuid).pipe(Schema.fromKey("contact_id")),
  identity: optional(identity),
  dedupeKey: optionalText(255).pipe(Schema.fromKey("dedupe_key")),
  data: optional(JsonObject)
}).annotations({ identifier: "BusinessEventInput" })
export type BusinessEventInput = typeof BusinessEventInput.Type

export const businessEventDraft = draft(BusinessEventInput)
