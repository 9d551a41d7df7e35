import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { MessageResource, SendMessageInput, uuid } from "@parley/core"
import { Schema } from "effect"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { Raises, refusedWrites } from "./Raises.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"

/** What a send is answered with: accepted for delivery, not delivered (spec, Message). */
export const SendAcknowledgement = Schema.Struct({
  message_id: Schema.String,
  status: Schema.Literal("queued"),
  external_reference: Schema.NullOr(Schema.String),
  conversation_id: Schema.String,
  contact_id: Schema.String,
  connection_id: Schema.String,
  request_id: Schema.String
}).annotations({ identifier: "SendAcknowledgement" })

/** Messages in and out (spec, Message). */
export const MessagesGroup = HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.post("send")`/messages`
      .setHeaders(IdempotencyKey)
      .setPayload(SendMessageInput)
      .addSuccess(single(SendAcknowledgement), { status: 202 })
      // Which of the two it takes depends on the body; a caller with neither is refused before that is read.
      .annotate(RequiredScopes, ["messages.send", "templates.send"])
      .annotate(Raises, [
        ...refusedWrites,
        "template_not_approved",
        "outside_service_window",
        "channel_unavailable",
        "provider_error"
      ])
      .annotate(OpenApi.Summary, "Send a text or template message")
      .annotate(
        OpenApi.Description,
        "202 means accepted for delivery, not delivered: progress comes by webhook, or by reading the message. Text needs `messages.send`, a template `templates.send`. Free text on a channel with a service window needs a customer who wrote within it."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/messages/${HttpApiSchema.param("id", uuid)}`
      .addSuccess(single(MessageResource))
      .annotate(RequiredScopes, ["messages.read", "messages.status"])
      .annotate(OpenApi.Summary, "Read one message with its delivery times")
      .annotate(
        OpenApi.Description,
        "With `messages.status` alone, only messages that this application sent are there."
      )
  )
  .annotate(OpenApi.Title, "Messages")
  .annotate(
    OpenApi.Description,
    "Sent messages, and what became of them. A message is addressed by a channel and a handle on it."
  )
