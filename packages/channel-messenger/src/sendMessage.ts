import { type OutboundMessage, SendOutcome } from "@parley/core"
import { Effect, Option, Schema } from "effect"
import type { GraphApi, GraphFailure, Refused } from "./GraphApi.js"
import { codesOf } from "./GraphError.js"
import { meaningOf } from "./Meaning.js"
import type { MessengerAccount } from "./MessengerAccount.js"
import type { MessengerCredentials } from "./MessengerCredentials.js"
import { messageBody } from "./messageBody.js"
import { withoutSecrets } from "./withoutSecrets.js"

const readAnswer = Schema.decodeUnknownOption(Schema.Struct({ message_id: Schema.NonEmptyString }))

/** Hands one message to Meta: `POST /{page id}/messages`, for Instagram too (channels.md). */
export const sendMessage = (
  graph: GraphApi,
  { channel, config, credentials }: MessengerAccount,
  message: OutboundMessage
): Effect.Effect<SendOutcome> =>
  graph
    .call(credentials.page_access_token, { path: `/${config.page_id}/messages`, body: messageBody(channel, message) })
    .pipe(
      Effect.match({
        onSuccess: (answer) =>
          Option.match(readAnswer(answer), {
            onSome: ({ message_id }) => SendOutcome.Accepted({ providerMessageId: message_id, receipts: [] }),
            onNone: () => SendOutcome.Unknown({ reason: "an answer without a message id" })
          }),
        onFailure: (failure) => outcomeOf(failure, credentials)
      })
    )

const outcomeOf = (failure: GraphFailure, credentials: MessengerCredentials): SendOutcome => {
  switch (failure._tag) {
    case "Unreachable":
      return SendOutcome.Transient({ reason: failure.reason })
    case "Unanswered":
      return SendOutcome.Unknown({ reason: failure.reason })
    case "Refused":
      return outcomeOfRefusal(failure, credentials)
  }
}

const outcomeOfRefusal = ({ error, retryAfterMs, status }: Refused, credentials: MessengerCredentials): SendOutcome => {
  const reason = error === null ? `status ${status}` : `status ${status}, error ${codesOf(error)}`
  // Meta had the message when it broke; what it did with it is told by the echo that follows, or by nothing.
  const unfinished = status >= 500 ? SendOutcome.Unknown({ reason }) : SendOutcome.Transient({ reason })
  // A refusal that is not the Graph API's own, such as a proxy's, says nothing of the message.
  if (error === null) return status === 429 ? SendOutcome.Throttled({ retryAfterMs }) : unfinished
  const meaning = meaningOf(error, status)
  switch (meaning.kind) {
    case "throttled":
      return SendOutcome.Throttled({ retryAfterMs })
    case "transient":
      return unfinished
    case "rejected":
      return SendOutcome.Rejected({
        scope: meaning.scope,
        code: meaning.code,
        providerCode: codesOf(error),
        providerMessage: withoutSecrets(error.message, credentials).slice(0, longestWords) || meaning.words
      })
  }
}

/** How much is kept of what Meta says, in characters. */
const longestWords = 1_000
