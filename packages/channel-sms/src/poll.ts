import { day, type InboundEvent, type Instant, minute, type Polled, type ProviderUnavailable } from "@parley/core"
import { unavailable, withRaw } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { receivesMessages } from "./handles.js"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi } from "./twilioApi.js"
import type { Form } from "./webhook/Form.js"
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

const Message = Schema.Struct({
  sid: Schema.NonEmptyString,
  direction: Schema.Literal("inbound"),
  from: Schema.String,
  body: Schema.NullishOr(Schema.String),
  num_media: Schema.NullishOr(Schema.String),
  num_segments: Schema.NullishOr(Schema.String)
})
const readMessage = Schema.decodeUnknownOption(Message)
const readPage = Schema.decodeUnknownOption(
  Schema.Struct({ messages: Schema.Array(Schema.Unknown), next_page_uri: Schema.NullishOr(Schema.String) })
)
const readMedia = Schema.decodeUnknownOption(
  Schema.Struct({
    media_list: Schema.Array(Schema.Struct({ sid: Schema.NonEmptyString, content_type: Schema.String }))
  })
)

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

interface ListedMessage {
  readonly message: typeof Message.Type
  readonly raw: unknown
}

type Query = { readonly [name: string]: string }

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
      const answer: unknown = yield* get(twilio, account, "/Messages.json", query)
      const { messages, next_page_uri = null } = yield* Option.match(readPage(answer), {
        onNone: () => unavailable("Twilio's list of messages cannot be read"),
        onSome: Effect.succeed
      })
      received.push(
        ...messages.flatMap((raw) => Option.toArray(Option.map(readMessage(raw), (message) => ({ message, raw }))))
      )
      query = queryOf(next_page_uri)
    }
    return received
  })

/** The query of a page of the same list. */
const queryOf = (uri: string | null): Query | null => {
  const start = uri?.indexOf("?") ?? -1
  return uri === null || start < 0 ? null : Object.fromEntries(new URLSearchParams(uri.slice(start)))
}

/** The events of a listed message, as its webhook request gives them, except that Twilio lists no `OptOutType`. */
const eventsOf = (
  twilio: TwilioApi,
  account: SmsAccount,
  { message: { body, from, num_media, num_segments, sid }, raw }: ListedMessage
): Effect.Effect<ReadonlyArray<InboundEvent>, ProviderUnavailable> => {
  const form: Form = {
    From: from,
    Body: body ?? "",
    NumMedia: num_media ?? "0",
    NumSegments: num_segments ?? undefined
  }
  if (form.NumMedia === "0") return Effect.succeed(withRaw(raw, messageOf(sid, form)))
  return Effect.map(get(twilio, account, `/Messages/${sid}/Media.json`), (answer) => {
    const { media_list: media } = Option.getOrElse(readMedia(answer), () => ({ media_list: [] }))
    const files = media.flatMap((file, n) => [
      [`MediaUrl${n}`, twilio.urlOf(account, `/Messages/${sid}/Media/${file.sid}`)],
      [`MediaContentType${n}`, file.content_type]
    ])
    return withRaw(raw, messageOf(sid, { ...form, ...Object.fromEntries(files) }))
  })
}

const get = (
  twilio: TwilioApi,
  account: SmsAccount,
  path: string,
  query: Query = {}
): Effect.Effect<unknown, ProviderUnavailable> =>
  Effect.catchAll(twilio.call(account, { path, query }), ({ reason }) => unavailable(reason))
