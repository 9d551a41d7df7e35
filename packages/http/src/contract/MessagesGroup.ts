import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { component, field, ids, MessageResource, SendMessageInput, samples } from "@parley/core"
import { Schema } from "effect"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { pathId } from "./pathId.js"
import { Raises, refusedWrites } from "./Raises.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"

/**
 * Response to a send: accepted for delivery, not delivered (docs/reference/messages.md#send-acknowledgement).
 */
export const SendAcknowledgement = component(
  "SendAcknowledgement",
  "A message that was accepted for delivery; it is not delivered yet.",
  {
    message_id: ids.message,
    message_ids: field(Schema.optional(Schema.Array(Schema.String)), {
      description:
        "The ids of all messages in their order, if the files became several messages; `message_id` is the first one."
    }),
    status: Schema.Literal("queued"),
    external_reference: field(Schema.NullOr(Schema.String), { examples: [samples.order] }),
    conversation_id: ids.conversation,
    contact_id: ids.contact,
    connection_id: ids.connection,
    request_id: field(ids.request, { description: "The `X-Request-ID` of the request that was executed." })
  }
)

/** Messages in and out (docs/reference/messages.md#sending-a-message). */
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
    HttpApiEndpoint.get("get")`/messages/${pathId("id", "message")}`
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
    "Sent messages and their delivery states. A message is addressed by a channel and a handle on it."
  )
