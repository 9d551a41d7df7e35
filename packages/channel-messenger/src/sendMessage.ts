import { type OutboundMessage, SendOutcome } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { sendOutcome } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { eventId } from "./eventId.js"
import { meaningOf } from "./Meaning.js"
import type { MessengerAccount } from "./MessengerAccount.js"
import { messageBody } from "./messageBody.js"
import { reactionBody } from "./reactionBody.js"

const readMessage = Schema.decodeUnknownOption(Schema.Struct({ message_id: Schema.NonEmptyString }))
const readAction = Schema.decodeUnknownOption(Schema.Struct({ recipient_id: Schema.NonEmptyString }))

/** Sends one message: `POST /{page id}/messages`, for Instagram too (docs/reference/messenger.md#send-request). */
export const sendMessage = (
  graph: GraphApi,
  { channel, config, credentials }: MessengerAccount,
  message: OutboundMessage
): Effect.Effect<SendOutcome> => {
  const post = (body: object, messageId: (answer: unknown) => Option.Option<string>) =>
    sendOutcome(graph.call(credentials.page_access_token, { path: `/${config.page_id}/messages`, body }), {
      messageId,
      meaningOf,
      credentials
    })
  if (message.content?.type === "reaction") {
    const request = reactionBody(channel, message, message.content)
    return typeof request === "string"
      ? Effect.succeed(rejected("unsupported", request))
      : // The answer has no id of the reaction.
        post(request.body, (answer) =>
          Option.map(readAction(answer), () => eventId("reaction", request.mid, message.id))
        )
  }
  if (message.files?.some(({ url }) => url === null) === true) return Effect.succeed(withoutPublicUrl)
  return post(messageBody(channel, message), (answer) =>
    Option.map(readMessage(answer), ({ message_id }) => message_id)
  )
}

const rejected = (providerCode: string, providerMessage: string): SendOutcome =>
  SendOutcome.Rejected({ scope: "message", code: "provider_error", providerCode, providerMessage })

/** Meta takes files by URL only. */
const withoutPublicUrl = rejected(
  "no_public_url",
  "Meta fetches files by URL. Set PARLEY_PUBLIC_URL to the public https URL of this service."
)
