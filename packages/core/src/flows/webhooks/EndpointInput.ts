import { Schema } from "effect"
import { FieldMessage, listOf, oneOf, optional, optionalText, requiredText, text } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { clearable, given } from "../../kernel/input/Patch.js"
import { component, field } from "../../kernel/input/wire.js"
import type { Endpoint } from "../../model/Endpoint.js"
import { EventType } from "../../model/Event.js"

/** Event types, or `*` for all of them. */
export const subscribedEvents = listOf(oneOf<EventType | "*">([...EventType.literals, "*"]), 100, 1)
const url = requiredText(2_048)

const secretMessage = "must be 24 to 255 printable ASCII characters without spaces"
const secret = Schema.String.pipe(
  Schema.filter((value) => /^[\x21-\x7e]{24,255}$/.test(value), {
    jsonSchema: { type: "string", minLength: 24, maxLength: 255, pattern: "^[\\x21-\\x7e]*$" },
    [FieldMessage]: secretMessage
  })
)

/** The body of `POST /applications/{id}/webhook-endpoints` (docs/reference/webhooks.md#registering-an-endpoint). */
export const EndpointInput = component("EndpointInput", "A webhook endpoint to register.", {
  url: field(url, {
    description: "An https URL; it must respond within 10 seconds.",
    examples: ["https://shop.example.org/hooks/parley"]
  }),
  events: field(subscribedEvents, {
    description: "Event types, or `*` for all of them.",
    examples: [["message.delivered", "message.failed"]]
  }),
  description: optionalText(255),
  secret: field(optional(secret), {
    description: "The signing secret. Default: a generated one.",
    examples: [null]
  })
})
export type EndpointInput = typeof EndpointInput.Type

/** The body of `PATCH /webhook-endpoints/{id}`. */
export const EndpointPatch = component(
  "EndpointPatch",
  "What to change. `active` resets the count of failures and resumes pending deliveries.",
  {
    url: given(url),
    events: given(subscribedEvents),
    description: clearable(text(255)),
    secret: field(given(secret), { description: "Replaces the signing secret at once." }),
    status: given(oneOf<Exclude<Endpoint["status"], "deleted">>(["active", "disabled"]))
  },
  { example: { status: "active" } }
)
export type EndpointPatch = typeof EndpointPatch.Type

export const decodeEndpointInput = partialDecode(EndpointInput)
export const decodeEndpointPatch = partialDecode(EndpointPatch)
