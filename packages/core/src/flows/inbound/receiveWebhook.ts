import { Cause, Clock, Duration, Effect, Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Connection } from "../../model/Connection.js"
import { InboundEvent } from "../../model/InboundEvent.js"
import {
  type AccountEvents,
  type ProviderAnswer,
  type ProviderRequest,
  type ProviderWebhook,
  providerTimeouts
} from "../../ports/ChannelProvider.js"
import { type CommitError, lookup, type ReadError, type Storage } from "../../ports/Storage.js"
import { asEffect, ignoreRejection } from "../../resources/channels/asEffect.js"
import { groupByConnection, type Owners } from "./groupByConnection.js"
import type { Inbound } from "./Inbound.js"
import { maxRawBytes } from "./storableRaw.js"
import type { unverifiedReporter } from "./unverifiedReporter.js"

/** Services that handling a vendor's request needs. */
export interface WebhookServices {
  readonly storage: Pick<Storage, "read">
  readonly inbound: Pick<Inbound, "take">
  readonly credentialsOf: (connection: Connection) => Effect.Effect<unknown, Refusal>
  /** Reports that a request to this connection was not verified. */
  readonly reportUnverified: ReturnType<typeof unverifiedReporter>
}

/** A request to the webhook of a connection. */
export interface WebhookCall {
  readonly webhook: ProviderWebhook
  readonly connection: Connection
  /** Decrypted. */
  readonly credentials: unknown
  readonly request: ProviderRequest
}

/** Number of connections that apply events of one request concurrently. */
const concurrency = 8

/**
 * Answers the vendor's challenge of the URL. Fails with `forbidden` if the provider refuses it. A throw in provider
 * code counts as a refusal, and so does a result other than a text.
 */
export const answerChallenge = (
  { reportUnverified }: Pick<WebhookServices, "reportUnverified">,
  { connection, credentials, request, webhook }: WebhookCall
): Effect.Effect<ProviderAnswer, Refusal> =>
  Effect.sync((): unknown => webhook.challenge?.(connection, credentials, request)).pipe(
    Effect.catchAllDefect((defect) => failedUnexpectedly("challenge", defect)),
    Effect.flatMap((text): Effect.Effect<ProviderAnswer, Refusal> => {
      if (typeof text === "string") return Effect.succeed(ok(text))
      ignoreRejection(text)
      return Effect.zipRight(
        reportUnverified(connection, "challenge"),
        refuse("forbidden", {}, "This check is not the one that the connection expects.")
      )
    })
  )

/**
 * Handles a vendor's webhook: verifies the raw bytes before it parses them, and stores all events durably before it
 * answers. Also for paused connections and suspended workspaces: customers' messages are always stored
 * (docs/reference/channels.md#where-vendors-call).
 */
export const receiveWebhook = (
  taking: WebhookServices,
  call: WebhookCall
): Effect.Effect<ProviderAnswer, Refusal | CommitError> =>
  Effect.gen(function* () {
    const { connection } = call
    if (!(yield* isVerified(call))) {
      yield* taking.reportUnverified(connection, "signature")
      return yield* refuse("unauthenticated", {}, "The request is not signed as the connection's vendor signs.")
    }
    const accountEvents = yield* read(call)
    const owners = yield* ownersOf(taking, call, accountEvents)
    const shares = groupByConnection(connection, owners, accountEvents)
    yield* Effect.forEach(shares, ([owner, events]) => taking.inbound.take(owner, events), {
      // The usual case: one connection needs no fiber of its own.
      concurrency: shares.size > 1 ? concurrency : 1,
      discard: true
    })
    return call.webhook.answer === undefined ? ok("") : yield* answerOf(call.webhook.answer, call.request)
  })

/** The provider's answer. A throw in provider code counts as none, because the events are stored. */
const answerOf = (
  answer: NonNullable<ProviderWebhook["answer"]>,
  request: ProviderRequest
): Effect.Effect<ProviderAnswer> =>
  Effect.catchAllDefect(
    Effect.sync(() => answer(request) ?? ok("")),
    (defect) => Effect.as(failedUnexpectedly("answer", defect), ok(""))
  )

/**
 * Whether the vendor sent the request. A throw in provider code counts as not verified, and so does a result other than
 * a boolean: the promise of an asynchronous function would let in every request.
 */
const isVerified = ({ connection, credentials, request, webhook }: WebhookCall): Effect.Effect<boolean> =>
  Effect.catchAllDefect(
    Effect.map(Clock.currentTimeMillis, (now) => {
      const verified: unknown = webhook.verify(connection, credentials, request, now)
      if (typeof verified === "boolean") return verified
      ignoreRejection(verified)
      throw new TypeError("verify of the provider must return true or false, not a promise of it")
    }),
    (defect) => Effect.as(failedUnexpectedly("verify", defect), false)
  )

/**
 * Parses a verified request. If the parser throws, the raw body is stored as an unknown event; the vendor would
 * otherwise redeliver it for days.
 */
const read = ({ connection, request, webhook }: WebhookCall): Effect.Effect<ReadonlyArray<AccountEvents>, Refusal> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => inTime(webhook.parse(connection, request, now))).pipe(
    Effect.tap(requireLists),
    Effect.catchTag("WebhookUnreadable", ({ reason }) =>
      Effect.zipRight(
        Effect.logWarning(`A verified request to connection ${connection.id} could not be read: ${reason}`),
        refuse("bad_request", {}, "The request is not of the shape that the connection's vendor sends.")
      )
    ),
    Effect.catchAllDefect((defect) =>
      Effect.as(failedUnexpectedly("parse", defect), [
        { account: null, events: [InboundEvent.Unknown({ kind: "request", raw: textOf(request.body) })] }
      ])
    )
  )

/** Dies unless a parser returned lists of events. */
const requireLists = (accounts: ReadonlyArray<AccountEvents>): Effect.Effect<void> =>
  Array.isArray(accounts) && accounts.every((one) => Array.isArray(one?.events))
    ? Effect.void
    : Effect.die(new TypeError("parse of the provider must return a list of { account, events }"))

/** Skips the timeout when the result is already available. */
const inTime = <A, E>(reading: Effect.Effect<A, E>): Effect.Effect<A, E | Refusal> =>
  Either.isEither(reading)
    ? reading
    : Effect.timeoutFail(asEffect("parse", reading), {
        duration: Duration.millis(providerTimeouts.parse),
        onTimeout: () => refuse("service_unavailable", {}, "The request could not be read in time.")
      })

const failedUnexpectedly = (what: string, defect: unknown): Effect.Effect<void> =>
  Effect.logError(`a provider's ${what} failed unexpectedly`, Cause.die(defect))

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, maxRawBytes))

/** The connections of the accounts in a request: the called one, and others that verify the request too. */
const ownersOf = (
  { credentialsOf, storage }: WebhookServices,
  { connection, request, webhook }: WebhookCall,
  accountEvents: ReadonlyArray<AccountEvents>
): Effect.Effect<Owners, Refusal | ReadError> =>
  Effect.gen(function* () {
    const accountsOf = (one: Connection) => [webhook.accountOf?.(one) ?? null, webhook.businessAccountOf?.(one) ?? null]
    const owners = new Map<string | null, Connection>([null, ...accountsOf(connection)].map((own) => [own, connection]))
    if (webhook.accountOf === undefined && webhook.businessAccountOf === undefined) return owners
    const others = new Set(accountEvents.map(({ account }) => account).filter((account) => !owners.has(account)))
    if (others.size === 0) return owners
    const { workspaceId, provider } = connection
    const { connections } = yield* storage.read({ connections: lookup("connections", { workspaceId, provider }) })
    for (const other of [...connections].sort(activeFirst)) {
      const found = accountsOf(other).filter((account) => others.has(account) && !owners.has(account))
      if (found.length === 0) continue
      const credentials = yield* credentialsOf(other)
      if (!(yield* isVerified({ webhook, connection: other, credentials, request }))) continue
      for (const account of found) owners.set(account, other)
    }
    return owners
  })

/** Active connections first, then the oldest: of two with one account, the one in use. */
const activeFirst = (one: Connection, other: Connection): number =>
  Number(other.status === "active") - Number(one.status === "active") || (one.id < other.id ? -1 : 1)

const ok = (body: string): ProviderAnswer => ({
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body
})
