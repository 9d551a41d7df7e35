import { day, type InboundEvent, type Instant, minute, type Polled, type ProviderUnavailable } from "@parley/core"
import { unavailable, withRaw } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { receivesMessages } from "./handles.js"
import { formOf, type ListedMessage, listMessages, type Query } from "./listedMessages.js"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi, TwilioFailure } from "./twilioApi.js"
import { messageOf } from "./webhook/messageOf.js"

/** Delay between two polls, in ms. */
const interval = 2 * minute
/** How far back each poll looks, in ms: a message may be listed some time after its `date_sent`. */
const overlap = 10 * minute
/** Maximum span of one poll, in ms. After an outage several polls follow each other. */
const span = 60 * minute
const pageSize = 200
/** Maximum number of pages of one poll. */
const maxPages = 50
/** Maximum number of requests for the files of messages at the same time. */
const mediaRequests = 4
/** Maximum number of ids in the cursor. A message beyond it is reported again, and the engine knows it by its id. */
const maxKnown = 1_000

const Cursor = Schema.Struct({
  /** The end of the span of the last poll, in ms. */
  until: Schema.Number,
  /** The ids of the messages of the last poll. */
  known: Schema.Array(Schema.String)
})
const readCursor = Schema.decodeUnknownOption(Cursor)

/**
 * Reads the sender's received messages from Twilio's list. It finds those whose webhook request failed, because Twilio
 * repeats a request for at most 15 s (docs/reference/sms.md#missed-messages). The first call reports nothing.
 */
export const poll = (
  twilio: TwilioApi,
  account: SmsAccount,
  sender: string,
  cursor: unknown,
  now: Instant
): Effect.Effect<Polled, ProviderUnavailable> =>
  Effect.gen(function* () {
    if (!receivesMessages(sender)) return { events: [], cursor: null, againInMs: day }
    const last = Option.getOrNull(readCursor(cursor))
    const from = Math.min(last?.until ?? now, now) - overlap
    const until = Math.min(now, from + span)
    const listed = yield* listReceived(twilio, account, sender, from, until)
    const known = new Set(last?.known)
    const found = last === null ? [] : listed.filter(({ message }) => !known.has(message.sid))
    const events = yield* Effect.forEach([...found].reverse(), (one) => eventsOf(twilio, account, one), {
      concurrency: mediaRequests
    })
    return {
      events: events.flat(),
      cursor: { until, known: listed.slice(0, maxKnown).map(({ message }) => message.sid) },
      againInMs: until < now ? 0 : interval
    }
  })

/** The received messages of a span, the newest first, of at most {@link maxPages} pages. */
const listReceived = (
  twilio: TwilioApi,
  account: SmsAccount,
  sender: string,
  from: Instant,
  until: Instant
): Effect.Effect<ReadonlyArray<ListedMessage>, ProviderUnavailable> =>
  Effect.gen(function* () {
    const received: Array<ListedMessage> = []
    let query: Query | null = {
      To: sender,
      // The names end with the first character of `>=` and `<=`.
      "DateSent>": new Date(from).toISOString(),
      "DateSent<": new Date(until).toISOString(),
      PageSize: `${pageSize}`
    }
    for (let page = 0; page < maxPages && query !== null; page++) {
      const listed: Effect.Effect.Success<ReturnType<typeof listMessages>> = yield* orUnavailable(
        listMessages(twilio, account, query)
      )
      received.push(...listed.messages.filter(({ message: { direction, from } }) => direction === "inbound" && from))
      query = listed.next
    }
    return received
  })

/** The events of a listed message, as its webhook request gives them, with its time. */
const eventsOf = (
  twilio: TwilioApi,
  account: SmsAccount,
  { message, raw }: ListedMessage
): Effect.Effect<ReadonlyArray<InboundEvent>, ProviderUnavailable> =>
  Effect.map(orUnavailable(formOf(twilio, account, message)), (form) => {
    const at = Date.parse(message.date_sent ?? "")
    return withRaw(raw, messageOf(message.sid, form, Number.isNaN(at) ? null : at))
  })

const orUnavailable = <A>(
  effect: Effect.Effect<A, TwilioFailure | ProviderUnavailable>
): Effect.Effect<A, ProviderUnavailable> => Effect.catchAll(effect, ({ reason }) => unavailable(reason))
