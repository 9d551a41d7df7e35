import { Schema } from "effect"
import { EventType } from "../../events/Event.js"
import { draft } from "../../input/Draft.js"
import { listOf, oneOf, optionalText, requiredText, text } from "../../input/Fields.js"
import { clearable, given } from "../../input/Patch.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"

const events = listOf(oneOf<EventType | "*">([...EventType.literals, "*"]), 100, 1)
const url = requiredText(2_048)

/** The body of `POST /applications/{id}/webhook-endpoints` (spec, Subscribing). */
export const EndpointInput = Schema.Struct({ url, events, description: optionalText(255) }).annotations({
  identifier: "EndpointInput"
})
export type EndpointInput = typeof EndpointInput.Type

/** The body of `PATCH /webhook-endpoints/{id}`. */
export const EndpointPatch = Schema.Struct({
  url: given(url),
  events: given(events),
  description: clearable(text(255)),
  status: given(oneOf<Exclude<Endpoint["status"], "deleted">>(["active", "disabled"]))
}).annotations({ identifier: "EndpointPatch" })
export type EndpointPatch = typeof EndpointPatch.Type

export const endpointDraft = draft(EndpointInput)
export const endpointPatchDraft = draft(EndpointPatch)
