import { type OutboundMessage, SendOutcome } from "@parley/core"
import { Effect, Option, Schema } from "effect"
import { meanings } from "./meanings.js"

/** Address and credentials of a send. */
export interface Sender {
  readonly apiUrl: string
  readonly sender: string
  readonly apiKey: string
}

/** Sends one message to Courier: `POST /v1/messages`. */
export const sendMessage = (from: Sender, message: OutboundMessage): Effect.Effect<SendOutcome> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${from.apiUrl}/v1/messages`, {
        method: "POST",
        redirect: "error",
        signal,
        headers: { authorization: `Bearer ${from.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({
          sender: from.sender,
          to: message.to.slice(1),
          text: message.body,
          reference: message.id
        })
      })
      return outcomeOf(await response.json(), response.headers.get("retry-after"))
    },
    catch: (error) =>
      neverSent(error)
        ? SendOutcome.Transient({ reason: "Courier cannot be reached" })
        : SendOutcome.Unknown({ reason: "Courier did not answer" })
  }).pipe(Effect.merge)

const readAnswer = Schema.decodeUnknownOption(
  Schema.Union(
    Schema.Struct({ id: Schema.NonEmptyString }),
    Schema.Struct({ error: Schema.Struct({ code: Schema.NonEmptyString, message: Schema.NonEmptyString }) })
  )
)

const outcomeOf = (body: unknown, retryAfter: string | null): SendOutcome => {
  const answer = Option.getOrNull(readAnswer(body))
  if (answer === null) return SendOutcome.Unknown({ reason: "an answer that is not Courier's" })
  if ("id" in answer) return SendOutcome.Accepted({ providerMessageId: answer.id, receipts: [] })
  const { code, message } = answer.error
  const meaning = meanings[code]
  switch (meaning) {
    case undefined:
      return SendOutcome.Unknown({ reason: `error ${code}` })
    case "transient":
      return SendOutcome.Transient({ reason: `error ${code}` })
    case "throttled":
      return SendOutcome.Throttled({ retryAfterMs: waitOf(retryAfter) })
    default:
      return SendOutcome.Rejected({ ...meaning, providerCode: code, providerMessage: message })
  }
}

/** The seconds of `Retry-After`, in ms; null if it is absent or a date. */
const waitOf = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : null

/** Whether the connection failed, so that the message was certainly not sent. */
const neverSent = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  return code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "UND_ERR_CONNECT_TIMEOUT"
}
