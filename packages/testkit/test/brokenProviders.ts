import { type AccountEvents, type ChannelProvider, InboundEvent, type ProviderRequest, SendOutcome } from "@parley/core"
import { Effect, Schema } from "effect"

/** A defect of a provider, and the cases of the contract that must detect it. */
export interface Break {
  readonly name: string
  readonly broken: (provider: ChannelProvider) => ChannelProvider
  readonly noticed: ReadonlyArray<string>
}

type Webhook = NonNullable<ChannelProvider["webhook"]>
type Send = ChannelProvider["send"]

const webhookWith =
  (other: (webhook: Webhook) => Partial<Webhook>) =>
  (provider: ChannelProvider): ChannelProvider =>
    provider.webhook === undefined
      ? provider
      : { ...provider, webhook: { ...provider.webhook, ...other(provider.webhook) } }

/** Replaces the reported events. */
const reporting = (other: (reported: AccountEvents) => AccountEvents) =>
  webhookWith(({ parse }) => ({
    parse: (...call) => Effect.map(parse(...call), (reported) => reported.map(other))
  }))

const reportingEvents = (other: (event: InboundEvent) => ReadonlyArray<InboundEvent>) =>
  reporting(({ account, events }) => ({ account, events: events.flatMap(other) }))

/** Accepts other requests. */
const lettingIn = (other: (letIn: (request: ProviderRequest) => boolean, request: ProviderRequest) => boolean) =>
  webhookWith(({ verify }) => ({
    verify: (connection, credentials, request, now) =>
      other((one) => verify(connection, credentials, one, now), request)
  }))

/** Changes the outcomes of sends. */
const answering =
  (other: (outcome: SendOutcome, ...call: Parameters<Send>) => Effect.Effect<SendOutcome> | SendOutcome) =>
  (provider: ChannelProvider): ChannelProvider => ({
    ...provider,
    send: (...call) =>
      Effect.flatMap(provider.send(...call), (outcome) => {
        const answer = other(outcome, ...call)
        return Effect.isEffect(answer) ? answer : Effect.succeed(answer)
      })
  })

const keyOf = (credentials: unknown): string =>
  Schema.decodeUnknownSync(Schema.Struct({ api_key: Schema.String }))(credentials).api_key

const badSignatures = [
  "refuses a request without a signature",
  "refuses a truncated signature",
  "refuses any other signature",
  "refuses a body with one altered byte",
  "refuses a signature by another connection's secrets"
]
const throttles = ["waits for the vendor's retry delay", "waits without a retry delay of the vendor"]
const secrecy = "never reveals its credentials"

/** Drops receipts of messages whose send has not been answered, as a process that knows only its own sends. */
const losingEarlyReceipts = (provider: ChannelProvider): ChannelProvider => {
  const known = new Set<string>()
  return answering((outcome) => {
    if (outcome._tag === "Accepted") known.add(outcome.providerMessageId)
    return outcome
  })(
    reportingEvents((event) => (event._tag !== "Receipt" || known.has(event.providerMessageId) ? [event] : []))(
      provider
    )
  )
}

export const breaks: ReadonlyArray<Break> = [
  {
    name: "declares types of which the fixture has no payload",
    broken: (provider) => ({
      ...provider,
      capabilities: (connection) => ({
        ...provider.capabilities(connection),
        types: ["text", "media"],
        files: { count: 1, bytes: 1_000 },
        receives: ["text", "location"]
      })
    }),
    noticed: ["declares the types that the fixture sends", "declares the types that the fixture receives"]
  },
  {
    name: "drops the second event of a batch",
    broken: reporting(({ account, events }) => ({ account, events: events.slice(0, 1) })),
    noticed: [
      "takes every message of a batch by events",
      "takes every receipt of a batch by events",
      "stores a new kind raw"
    ]
  },
  { name: "accepts a bad signature", broken: lettingIn(() => true), noticed: badSignatures },
  {
    name: "accepts a request without a signature",
    broken: lettingIn((letIn, request) => request.headers["courier-signature"] === undefined || letIn(request)),
    noticed: ["refuses a request without a signature"]
  },
  {
    name: "verifies the parsed body instead of the bytes",
    broken: lettingIn((letIn, request) => {
      const { body } = request
      try {
        return letIn({ ...request, body: Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString()))) })
      } catch {
        return letIn(request)
      }
    }),
    noticed: ["refuses a body with one altered byte"]
  },
  {
    name: "maps a throttle to a rejection",
    broken: answering((outcome) =>
      outcome._tag === "Throttled"
        ? SendOutcome.Rejected({
            scope: "message",
            code: "provider_error",
            providerCode: "too_many",
            providerMessage: "Too many messages."
          })
        : outcome
    ),
    noticed: throttles
  },
  {
    name: "does not report how long to wait",
    broken: answering((outcome) =>
      outcome._tag === "Throttled" ? SendOutcome.Throttled({ ...outcome, retryAfterMs: null }) : outcome
    ),
    noticed: ["waits for the vendor's retry delay"]
  },
  {
    name: "loses a receipt that precedes the send's answer",
    broken: losingEarlyReceipts,
    noticed: ["keeps a receipt that precedes the send's response"]
  },
  {
    name: "shows the API key in a rejection",
    broken: answering((outcome, _connection, credentials) =>
      outcome._tag === "Rejected"
        ? SendOutcome.Rejected({ ...outcome, providerMessage: `Key ${keyOf(credentials)} was not taken.` })
        : outcome
    ),
    noticed: [secrecy]
  },
  {
    name: "logs the API key",
    broken: answering((outcome, _connection, credentials) =>
      Effect.as(Effect.logDebug("sent", { headers: { authorization: `Bearer ${keyOf(credentials)}` } }), outcome)
    ),
    noticed: [secrecy]
  },
  {
    name: "leaves the API key in a span",
    broken: answering((outcome, _connection, credentials) =>
      Effect.withSpan(Effect.succeed(outcome), "send", { attributes: { url: `/v1/${keyOf(credentials)}` } })
    ),
    noticed: [secrecy]
  },
  {
    name: "cuts text in the middle of a character",
    broken: (provider) => ({
      ...provider,
      send: (connection, credentials, message, now) =>
        provider.send(connection, credentials, { ...message, body: message.body.slice(0, 1_600) }, now)
    }),
    noticed: ["declares the maximum length of a text, and sends a text of that length unchanged"]
  },
  {
    name: "maps one error to two outcomes",
    broken: answering((outcome, _connection, _credentials, { attempt }) =>
      outcome._tag === "Rejected" && outcome.providerCode === "unknown_recipient" && attempt > 1
        ? SendOutcome.Transient({ reason: "still unknown" })
        : outcome
    ),
    noticed: ["answers 404 unknown_recipient with Rejected (recipient)"]
  },
  {
    name: "ignores that a customer opted out",
    broken: answering((outcome) => {
      if (outcome._tag !== "Rejected") return outcome
      const { optOut: _overlooked, ...rest } = outcome
      return SendOutcome.Rejected(rest)
    }),
    noticed: ["answers 403 opted_out with Rejected (recipient)"]
  },
  {
    name: "reports certainty for unknown outcomes",
    broken: answering((outcome) =>
      outcome._tag === "Unknown" ? SendOutcome.Transient({ reason: outcome.reason }) : outcome
    ),
    noticed: [
      "reports Unknown if the response is lost",
      "reports Unknown if the response cannot be read",
      "answers 500 an_error_that_is_not_documented with Unknown"
    ]
  },
  {
    name: "takes an answer that it cannot read for a refusal",
    broken: answering((outcome) =>
      outcome._tag === "Unknown" && /not Courier's|did not answer/.test(outcome.reason)
        ? SendOutcome.Rejected({
            scope: "message",
            code: "provider_error",
            providerCode: "unreadable",
            providerMessage: "The answer cannot be read."
          })
        : outcome
    ),
    noticed: ["reports Unknown if the response is lost", "reports Unknown if the response cannot be read"]
  },
  {
    name: "says that its vendor dedupes",
    broken: (provider) => ({ ...provider, dedupes: true }),
    noticed: ["declares that it dedupes only if the vendor does"]
  },
  {
    name: "keeps the credentials of its first send",
    broken: (provider) => {
      let kept: unknown
      const send: Send = (connection, credentials, ...more) => {
        kept ??= credentials
        return provider.send(connection, kept, ...more)
      }
      return { ...provider, send }
    },
    noticed: ["sends with the settings that it is given"]
  },
  {
    name: "keeps all settings of its first send",
    broken: (provider) => {
      let kept: Parameters<Send> | undefined
      const send: Send = (...call) => {
        kept ??= call
        return provider.send(kept[0], kept[1], call[2], call[3])
      }
      return { ...provider, send }
    },
    noticed: ["sends with the settings that it is given"]
  },
  {
    name: "keeps the secrets of the first connection that verified",
    broken: (provider) => {
      let kept: unknown
      return webhookWith(({ verify }) => ({
        verify: (connection, credentials, request, now) => {
          kept ??= credentials
          return verify(connection, kept, request, now)
        }
      }))(provider)
    },
    noticed: ["lets in what its vendor signed for another connection, there only"]
  },
  {
    name: "returns a promise for a bad signature",
    broken: lettingIn((letIn, request) => letIn(request) || (Promise.resolve(false) as unknown as boolean)),
    noticed: badSignatures
  },
  {
    name: "trims texts",
    broken: (provider) => ({
      ...provider,
      send: (connection, credentials, message, now) =>
        provider.send(connection, credentials, { ...message, body: message.body.trim() }, now)
    }),
    noticed: ["sends a text once, unchanged"]
  },
  {
    name: "has a rate of a setting that some connections do not have",
    broken: (provider) => ({
      ...provider,
      rates: ({ config }) => ({
        connection: { messages: config.sender === "sender-1" ? 1_000 : Number.NaN, per: 1_000, burst: 1_000 },
        recipient: null
      })
    }),
    noticed: ["declares rates that are positive numbers, if any"]
  },
  {
    name: "reads seconds as milliseconds",
    broken: reportingEvents((event) => [
      event._tag === "Receipt"
        ? InboundEvent.Receipt({ ...event, receipt: { ...event.receipt, at: event.receipt.at / 1_000 } })
        : event
    ]),
    noticed: ["reports the status of a message with its id and time"]
  },
  {
    name: "drops short texts",
    broken: reportingEvents((event) => (event._tag === "Message" && event.body.length < 2 ? [] : [event])),
    noticed: ["sends a question as numbered text, and reads a number as the choice of its option"]
  },
  {
    name: "drops unknown events",
    broken: reportingEvents((event) => (event._tag === "Unknown" ? [] : [event])),
    noticed: ["stores a new kind raw"]
  },
  {
    name: "assigns another account's events to its own",
    broken: reporting(({ events }) => ({ account: null, events })),
    noticed: ["assigns events of another account to that account"]
  },
  {
    name: "assigns a redelivered message another id",
    broken: reportingEvents((event) => [
      event._tag === "Message" ? InboundEvent.Message({ ...event, providerMessageId: crypto.randomUUID() }) : event
    ]),
    noticed: ["reports a redelivered message with the same id", "stores a message once if it is delivered twice"]
  },
  {
    name: "throws on unreadable input",
    broken: webhookWith(({ parse }) => ({ parse: (...call) => Effect.orDie(parse(...call)) })),
    noticed: ["does not throw on unreadable input"]
  },
  {
    name: "accepts incomplete settings",
    broken: (provider) => ({ ...provider, credentials: Schema.Record({ key: Schema.String, value: Schema.Unknown }) }),
    noticed: ["reports a missing setting at its field", "reports a wrong setting at its field, without its value"]
  },
  {
    name: "declares signals that it does not have",
    broken: (provider) => ({
      ...provider,
      capabilities: (connection) => ({ ...provider.capabilities(connection), typing: true })
    }),
    noticed: ["declares signals only if it has them"]
  },
  {
    name: "reports every connection as working",
    broken: (provider) => ({ ...provider, check: () => Effect.succeed({ _tag: "Working", detail: "All is well." }) }),
    noticed: ["checks whether a connection's settings work, and sends nothing"]
  }
]
