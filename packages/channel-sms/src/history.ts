import { HistoryAnswer, InboundEvent, type PastMessage, type ProviderUnavailable } from "@parley/core"
import { unavailable } from "@parley/provider-kit"
import { Effect } from "effect"
import { receivesMessages } from "./handles.js"
import { formOf, type ListedMessage, listMessages, type Query } from "./listedMessages.js"
import { meaningOf } from "./Meaning.js"
import { problemOf } from "./problemOf.js"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi, TwilioFailure } from "./twilioApi.js"
import { messageOf } from "./webhook/messageOf.js"
import { statusOf } from "./webhook/receiptOf.js"

/** Messages of a page. Each with files needs a request of its own. */
const pageSize = 50
const mediaRequests = 4

/** The two lists of a sender, in the order in which they are read. */
type List = "received" | "sent"

/**
 * Reads a page of Twilio's list of the sender's messages: those that it received, then those that it sent
 * (docs/reference/sms.md#history).
 */
export const history = (
  twilio: TwilioApi,
  account: SmsAccount,
  sender: string,
  cursor: string | null
): Effect.Effect<HistoryAnswer, ProviderUnavailable> => {
  const [list, given] = readCursor(cursor ?? (receivesMessages(sender) ? "received?" : "sent?"))
  const query = { ...given, [list === "received" ? "To" : "From"]: sender, PageSize: `${pageSize}` }
  return Effect.gen(function* () {
    const { messages, next } = yield* listMessages(twilio, account, query)
    const read = yield* Effect.forEach([...messages].reverse(), (one) => pastMessage(twilio, account, list, one), {
      concurrency: mediaRequests
    })
    return HistoryAnswer.Page({ conversations: conversationsOf(read.flat()), cursor: nextCursor(list, next) })
  }).pipe(
    Effect.catchAll((failure) => {
      if (failure._tag === "ProviderUnavailable") return Effect.fail(failure)
      return isRefused(failure)
        ? Effect.succeed(HistoryAnswer.Refused({ problem: problemOf(failure) }))
        : unavailable(failure.reason)
    })
  )
}

const readCursor = (cursor: string): readonly [List, Query] => {
  const [list, query = ""] = cursor.split("?", 2)
  return [list === "sent" ? "sent" : "received", Object.fromEntries(new URLSearchParams(query))]
}

const nextCursor = (list: List, next: Query | null): string | null =>
  next !== null ? `${list}?${new URLSearchParams(next)}` : list === "received" ? "sent?" : null

const isRefused = (failure: TwilioFailure): boolean =>
  failure._tag === "Refused" &&
  failure.error !== null &&
  (failure.status === 401 || meaningOf(failure.error.code, failure.status).kind === "rejected")

interface Read {
  readonly handle: string
  readonly past: PastMessage
}

/** A message of the past. None without a time or a customer, or that Twilio has not sent yet. */
const pastMessage = (
  twilio: TwilioApi,
  account: SmsAccount,
  list: List,
  { message }: ListedMessage
): Effect.Effect<ReadonlyArray<Read>, TwilioFailure> => {
  const { date_created, date_sent, from, sid, to } = message
  const handle = list === "received" ? from : to
  const at = Date.parse(date_sent ?? date_created ?? "")
  const status = list === "received" ? "sent" : statusOf(message.status ?? "")
  if (handle == null || Number.isNaN(at) || status == null) return Effect.succeed([])
  return Effect.map(formOf(twilio, account, message), (form) =>
    messageOf(sid, { ...form, From: handle }).flatMap((event) =>
      event._tag !== "Message"
        ? []
        : [
            {
              handle,
              past: {
                ...{ providerMessageId: sid, at, body: event.body, attachments: event.attachments },
                ...(list === "received" ? { direction: "inbound" } : { direction: "outbound", status })
              } as const
            }
          ]
    )
  )
}

/** One event for each customer, with the messages in their order. */
const conversationsOf = (read: ReadonlyArray<Read>) =>
  [...new Set(read.map(({ handle }) => handle))].map(
    (handle) =>
      InboundEvent.History({
        handle,
        displayName: null,
        messages: read.flatMap((one) => (one.handle === handle ? [one.past] : []))
      }) as InboundEvent & { readonly _tag: "History" }
  )
