import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { MessageResource, SendMessageInput, uuid } from "@parley/core"
import { Schema } from "effect"
import { ErrorEnvelope } from "./ErrorEnvelope.js"
import { IdempotencyKey } from "./IdempotencyKey.js"
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
      .addError(ErrorEnvelope, { status: 409 })
      .addError(ErrorEnvelope, { status: 502 })
      // Which of the two it takes depends on the body; a caller with neither is refused before that is read.
      .annotate(RequiredScopes, ["messages.send", "templates.send"])
      .annotate(OpenApi.Summary, "Send a text or template message")
  )
  .add(
    HttpApiEndpoint.get("get")`/messages/${HttpApiSchema.param("id", uuid)}`
      .addSuccess(single(MessageResource))
      .annotate(RequiredScopes, ["messages.read", "messages.status"])
      .annotate(OpenApi.Summary, "Read one message with its delivery times")
  )
  .annotate(OpenApi.Title, "Messages")
