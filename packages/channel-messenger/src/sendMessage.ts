import { type OutboundMessage, SendOutcome } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { sendOutcome } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { meaningOf } from "./Meaning.js"
import type { MessengerAccount } from "./MessengerAccount.js"
import { messageBody } from "./messageBody.js"

const readAnswer = Schema.decodeUnknownOption(Schema.Struct({ message_id: Schema.NonEmptyString }))

/** Sends one message: `POST /{page id}/messages`, for Instagram too (docs/reference/messenger.md#send-request). */
export const sendMessage = (
  graph: GraphApi,
  { channel, config, credentials }: MessengerAccount,
  message: OutboundMessage
): Effect.Effect<SendOutcome> =>
  message.files?.some(({ url }) => url === null) === true
    ? Effect.succeed(withoutPublicUrl)
    : sendOutcome(
        graph.call(credentials.page_access_token, {
          path: `/${config.page_id}/messages`,
          body: messageBody(channel, message)
        }),
        {
          messageId: (answer) => Option.map(readAnswer(answer), ({ message_id }) => message_id),
          meaningOf,
          credentials
        }
      )

/** Meta takes files by URL only. */
const withoutPublicUrl = SendOutcome.Rejected({
  scope: "message",
  code: "provider_error",
  providerCode: "no_public_url",
  providerMessage: "Meta fetches files by URL. Set PARLEY_PUBLIC_URL to the public https URL of this service."
})
