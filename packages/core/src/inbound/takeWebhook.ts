import { Cause, Clock, Duration, Effect, Either } from "effect"
import type { Connection } from "../channels/Connection.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import type { AccountEvents, ProviderAnswer, ProviderRequest, ProviderWebhook } from "../ports/ChannelProvider.js"
import { type CommitError, lookup, type ReadError, type Storage } from "../ports/Storage.js"
import type { Inbound } from "./Inbound.js"
import { InboundEvent } from "./InboundEvent.js"
import { mostUnknownBytes } from "./keepUnknown.js"
import { type Owners, sharedOut } from "./sharedOut.js"

/** What taking a vendor's request needs. */
export interface Taking {
  readonly storage: Pick<Storage, "read">
  readonly inbound: Pick<Inbound, "take">
  readonly credentialsOf: (connection: Connection) => Effect.Effect<unknown, Refusal>
}

/** A request to the webhook of a connection. */
export interface WebhookCall {
  readonly webhook: ProviderWebhook
  readonly connection: Connection
  /** Opened. */
  readonly credentials: unknown
  readonly request: ProviderRequest
}

/** How long a provider may take to read a request: vendors wait for no longer, and bring it again. */
const longest = Duration.seconds(20)

/** How many connections take in at once what one request brought them. */
const concurrency = 8

/** Answers the vendor's check of the URL; `forbidden` where the provider refuses it. */
export const answerChallenge = ({
  connection,
  credentials,
  request,
  webhook
}: WebhookCall): Effect.Effect<ProviderAnswer, Refusal> => {
  const text = webhook.challenge?.(connection, credentials, request) ?? null
  return text === null
    ? refuse("forbidden", {}, "This check is not the one that the connection expects.")
    : Effect.succeed(ok(text))
}

/**
 * Takes in what a vendor's request brings: verified on its raw bytes before anything of it is parsed, and durably stored
 * before it is answered. Whether the connection and its workspace are active does not matter: what customers write is
 * stored all the same (decisions.md §9).
 */
export const takeWebhook = (taking: Taking, call: WebhookCall): Effect.Effect<ProviderAnswer, Refusal | CommitError> =>
  Effect.gen(function* () {
    const { connection } = call
    if (!(yield* isVerified(call))) {
      return yield* refuse("unauthenticated", {}, "The request is not signed as the connection's vendor signs.")
    }
    const told = yield* read(call)
    const owners = yield* ownersOf(taking, call, told)
    const shares = sharedOut(connection, owners, told)
    yield* Effect.forEach(shares, ([owner, events]) => taking.inbound.take(owner, events), {
      // One is the rule, and not worth a fiber.
      concurrency: shares.size > 1 ? concurrency : 1,
      discard: true
    })
    return ok("")
  })

/** Whether the vendor sent it; what a provider's own code stumbles over, it did not verify. */
const isVerified = ({ connection, credentials, request, webhook }: WebhookCall): Effect.Effect<boolean> =>
  Effect.catchAllDefect(
    Effect.sync(() => webhook.verify(connection, credentials, request)),
    (defect) => Effect.as(failedUnexpectedly("verify", defect), false)
  )

/**
 * What a verified request tells. One that a provider's own code stumbles over would be brought again for days and never be read:
 * it is kept as it came.
 */
const read = ({ connection, request, webhook }: WebhookCall): Effect.Effect<ReadonlyArray<AccountEvents>, Refusal> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => inTime(webhook.parse(connection, request, now))).pipe(
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

/** What is there at once, as it mostly is, needs nobody who watches the time. */
const inTime = <A, E>(reading: Effect.Effect<A, E>): Effect.Effect<A, E | Refusal> =>
  Either.isEither(reading)
    ? reading
    : Effect.timeoutFail(reading, {
        duration: longest,
        onTimeout: () => refuse("service_unavailable", {}, "The request could not be read in time.")
      })

const failedUnexpectedly = (what: string, defect: unknown): Effect.Effect<void> =>
  Effect.logError(`a provider's ${what} failed unexpectedly`, Cause.die(defect))

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, mostUnknownBytes))

/** The connections behind the accounts that a request tells of: the one that was asked, and those that verify it too. */
const ownersOf = (
  { credentialsOf, storage }: Taking,
  { connection, request, webhook }: WebhookCall,
  told: ReadonlyArray<AccountEvents>
): Effect.Effect<Owners, Refusal | ReadError> =>
  Effect.gen(function* () {
    const { accountOf } = webhook
    const owners = new Map<string | null, Connection>([[null, connection]])
    if (accountOf === undefined) return owners
    owners.set(accountOf(connection), connection)
    const others = told.filter(({ account }) => !owners.has(account))
    if (others.length === 0) return owners
    const { workspaceId, provider } = connection
    const { connections } = yield* storage.read({ connections: lookup("connections", { workspaceId, provider }) })
    for (const other of [...connections].sort(activeFirst)) {
      const account = accountOf(other)
      if (owners.has(account) || others.every((one) => one.account !== account)) continue
      if (webhook.verify(other, yield* credentialsOf(other), request)) owners.set(account, other)
    }
    return owners
  })

/** Active ones, then the oldest: of two with one account, the one that is in use. */
const activeFirst = (one: Connection, other: Connection): number =>
  Number(other.status === "active") - Number(one.status === "active") || (one.id < other.id ? -1 : 1)

const ok = (body: string): ProviderAnswer => ({
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body
})
