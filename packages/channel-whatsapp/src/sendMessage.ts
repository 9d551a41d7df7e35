import type { OutboundMessage, SendOutcome } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { sendOutcome } from "@parley/provider-kit"
import { type Effect, Option, Schema } from "effect"
import { meaningOf } from "./Meaning.js"
import { messageBody } from "./messageBody.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

const readAnswer = Schema.decodeUnknownOption(
  Schema.Struct({ messages: Schema.NonEmptyArray(Schema.Struct({ id: Schema.NonEmptyString })) })
)

/** Sends one message: `POST /{phone number id}/messages` (docs/reference/whatsapp.md#send-request). */
export const sendMessage = (
  graph: GraphApi,
  { config, credentials }: WhatsAppAccount,
  message: OutboundMessage
): Effect.Effect<SendOutcome> =>
  sendOutcome(
    graph.call(credentials.access_token, { path: `/${config.phone_number_id}/messages`, body: messageBody(message) }),
    {
      messageId: (answer) => Option.map(readAnswer(answer), ({ messages: [{ id }] }) => id),
      meaningOf,
      credentials
    }
  )
