import { type OutboundMessage, SendOutcome } from "@parley/core"
import { Effect, Option, Schema } from "effect"
import type { GraphApi, GraphFailure, Refused } from "./GraphApi.js"
import { meaningOf } from "./Meaning.js"
import { messageBody } from "./messageBody.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"
import type { WhatsAppCredentials } from "./WhatsAppCredentials.js"
import { withoutSecrets } from "./withoutSecrets.js"

const readAnswer = Schema.decodeUnknownOption(
  Schema.Struct({ messages: Schema.NonEmptyArray(Schema.Struct({ id: Schema.NonEmptyString })) })
)

/** Hands one message to Meta: `POST /{phone number id}/messages` (channels.md). */
export const sendMessage = (
  graph: GraphApi,
  { config, credentials }: WhatsAppAccount,
  message: OutboundMessage
): Effect.Effect<SendOutcome> =>
  graph
    .call(credentials.access_token, { path: `/${config.phone_number_id}/messages`, body: messageBody(message) })
    .pipe(
      Effect.match({
        onSuccess: (answer) =>
          Option.match(readAnswer(answer), {
            onSome: ({ messages: [{ id }] }) => SendOutcome.Accepted({ providerMessageId: id, receipts: [] }),
            onNone: () => SendOutcome.Unknown({ reason: "an answer without a message id" })
          }),
        onFailure: (failure) => outcomeOf(failure, credentials)
      })
    )

const outcomeOf = (failure: GraphFailure, credentials: WhatsAppCredentials): SendOutcome => {
  switch (failure._tag) {
    case "Unreachable":
      return SendOutcome.Transient({ reason: failure.reason })
    case "Unanswered":
      return SendOutcome.Unknown({ reason: failure.reason })
    case "Refused":
      return outcomeOfRefusal(failure, credentials)
  }
}

const outcomeOfRefusal = ({ error, retryAfterMs, status }: Refused, credentials: WhatsAppCredentials): SendOutcome => {
  const reason = error === null ? `status ${status}` : `status ${status}, error ${error.code}`
  // Meta had the message when it broke; what it did with it is told by the status that follows, or by none.
  const unfinished = status >= 500 ? SendOutcome.Unknown({ reason }) : SendOutcome.Transient({ reason })
  // A refusal that is not the Graph API's own, such as a proxy's, says nothing of the message.
  if (error === null) return status === 429 ? SendOutcome.Throttled({ retryAfterMs }) : unfinished
  const meaning = meaningOf(error, status)
  switch (meaning.kind) {
    case "throttled":
      return SendOutcome.Throttled({ retryAfterMs, scope: meaning.scope })
    case "transient":
      return unfinished
    case "rejected": {
      const { code, optOut, scope, words } = meaning
      return SendOutcome.Rejected({
        scope,
        code,
        providerCode: String(error.code),
        providerMessage: withoutSecrets(error.message, credentials).slice(0, longestWords) || words,
        ...(optOut === undefined ? {} : { optOut })
      })
    }
  }
}

/** How much is kept of what Meta says, in characters. */
const longestWords = 1_000
