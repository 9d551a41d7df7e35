import { Clock, Context, Effect, Layer } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { type Draw, type Drawn, type ReadError, Storage } from "../ports/Storage.js"
import { noteRequest } from "../requests/currentRequest.js"
import type { Application } from "./Application.js"

/** The limits on how often somebody may call (spec, Limits; decisions.md §4). A refusal is `rate_limited`. */
export interface RateBuckets {
  /** One request without a valid credential, by client IP. */
  readonly anonymous: (clientAddress: string) => Effect.Effect<Drawn, Refusal | ReadError>
  /** One request of an administrator, by client IP: apart from those who show no credential, who must not lock them out. */
  readonly administrator: (clientAddress: string) => Effect.Effect<Drawn, Refusal | ReadError>
  /** One token request, by client IP. */
  readonly token: (clientAddress: string) => Effect.Effect<Drawn, Refusal | ReadError>
  /** Gives a send back, where the call turned out to be none: a replay, or a body that is refused. */
  readonly giveBackSend: (application: Application, drawn: Drawn) => Effect.Effect<void, ReadError>
}
export const RateBuckets = Context.GenericTag<RateBuckets>("@parley/core/RateBuckets")

const windowMs = 60_000

/** Requests a minute of a client that shows no valid credential (decisions.md §2). */
export const anonymousLimit = 600

/** Requests a minute of administrators at one client IP. */
export const administratorLimit = 600

/** Token requests a minute of one client IP (spec, Limits). */
export const tokenRequestLimit = 30

/** The draw of one request of an application. */
export const requestDraw = (application: Pick<Application, "id" | "requestsPerMinute">, now: Instant): Draw => ({
  bucket: `requests:${application.id}`,
  limit: application.requestsPerMinute,
  windowMs,
  now
})

/** Remembers what a request drew, and refuses it where there was no token. */
export const countedRequest = (result: Drawn, now: Instant): Effect.Effect<Drawn, Refusal> =>
  counted(result, "requests", now)

const sendsOf = ({ id }: Application): string => `sends:${id}`

/** The draw of one send of an application, on top of its request. */
export const sendDraw = (application: Application, now: Instant): Draw => ({
  bucket: sendsOf(application),
  limit: application.sendsPerMinute,
  windowMs,
  now
})

/** Remembers what a send drew, and refuses it where there was no token. */
export const countedSend = (result: Drawn, now: Instant): Effect.Effect<Drawn, Refusal> => counted(result, "sends", now)

const counted = (result: Drawn, what: string, now: Instant): Effect.Effect<Drawn, Refusal> =>
  Effect.zipRight(
    noteRequest((request) => {
      request.drawn = [...request.drawn, result]
    }),
    result.granted ? Effect.succeed(result) : Effect.fail(tooMany(result, what, now))
  )

const make = Effect.map(Storage, (storage): RateBuckets => {
  const draw = (bucket: string, limit: number, what: string): Effect.Effect<Drawn, Refusal | ReadError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.flatMap(storage.takeToken({ bucket, limit, windowMs, now }), (result) => counted(result, what, now))
    )
  return {
    anonymous: (clientAddress) => draw(`address:${clientAddress}`, anonymousLimit, "requests"),
    administrator: (clientAddress) => draw(`administrator:${clientAddress}`, administratorLimit, "requests"),
    token: (clientAddress) => draw(`tokens:${clientAddress}`, tokenRequestLimit, "token requests"),
    giveBackSend: (application, token) =>
      Effect.zipRight(
        noteRequest((request) => {
          request.drawn = request.drawn.filter((one) => one !== token)
        }),
        token.granted ? storage.giveBackToken(sendsOf(application), token.openedAt) : Effect.void
      )
  }
})

const tooMany = ({ limit, resetAt }: Drawn, what: string, now: Instant): Refusal => {
  const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000))
  return refuse("rate_limited", {}, `Too many ${what}: at most ${limit} a minute. Try again in ${seconds} s.`)
}

export const layer: Layer.Layer<RateBuckets, never, Storage> = Layer.effect(RateBuckets, make)
