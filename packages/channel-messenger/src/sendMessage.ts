import type { OutboundMessage, SendOutcome } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { sendOutcome } from "@parley/provider-kit"
import { type Effect, Option, Schema } from "effect"
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
  sendOutcome(
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
