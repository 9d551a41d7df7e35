import {
  type CommitError,
  type ProviderAnswer,
  type ProviderHook,
  ProviderHooks,
  RateBuckets,
  type Refusal,
  refuse
} from "@parley/core"
import { Duration, Effect } from "effect"
import type { Annex, Place } from "../server/Annex.js"
import { type Body, headerOf, type Incoming } from "../server/Incoming.js"
import { type Outcome, refused } from "../server/Outcome.js"
import { makeBodyBudget, uncounted } from "./BodyBudget.js"
import { providerRequest } from "./providerRequest.js"

/**
 * `/inbound/{connection}` and everything below it: where vendors call, and customers of channels that are served here. What
 * a request must be is its provider's affair, and so is what it answers. Requests that the vendor did not send, or that lead
 * nowhere, draw on the bucket of their address; others are limited by nothing.
 */
export const inboundAnnex: Effect.Effect<Annex, never, ProviderHooks | RateBuckets> = Effect.gen(function* () {
  const hooks = yield* ProviderHooks
  const buckets = yield* RateBuckets
  const bodies = makeBodyBudget(bodyRoom)

  const answer = (incoming: Incoming, place: Place): Effect.Effect<Outcome<Body>, Refusal | CommitError> =>
    Effect.gen(function* () {
      const [, connectionId, path = ""] = /^\/([^/]+)(\/.*)?$/.exec(place.path) ?? []
      if (connectionId === undefined) return yield* refuse("not_found")
      const hook = yield* hooks.at(connectionId, path)
      if (hook.methods?.includes(incoming.method) === false) {
        yield* buckets.anonymous(place.address)
        return refused(refuse("method_not_allowed"), place.requestId, { allow: hook.methods.join(", ") })
      }
      const most = mostBytes(incoming, hook)
      const given = yield* bodies.within(
        most,
        Effect.flatMap(readBody(incoming, hook, most), (body) =>
          hook.answer(providerRequest(incoming, place, path, body))
        )
      )
      const { headers, status, body: answered } = yield* sendable(given)
      const counts = status >= 400 && status < 500
      if (counts) yield* buckets.anonymous(place.address)
      return {
        status,
        headers: { "x-content-type-options": "nosniff", ...headers },
        body: answered,
        code: null,
        ...(counts ? {} : { unlimited: true })
      }
    })

  return {
    name: "inbound",
    answer: (incoming, place) =>
      Effect.catchTag(answer(incoming, place), "Refusal", (refusal) =>
        isStrangers(refusal)
          ? Effect.zipRight(buckets.anonymous(place.address), unsigned(refusal, place))
          : Effect.fail(refusal)
      )
  }
})

/** Whether a request is refused that nobody vouched for: what was verified, and what is our fault, draws on nothing. */
const isStrangers = ({ code }: Refusal): boolean =>
  code !== "bad_request" && code !== "service_unavailable" && code !== "rate_limited"

/** A 401 names no scheme here: vendors sign, and a bearer token would not help. */
const unsigned = (refusal: Refusal, { requestId }: Place): Effect.Effect<Outcome, Refusal> => {
  if (refusal.code !== "unauthenticated") return Effect.fail(refusal)
  const { headers, ...outcome } = refused(refusal, requestId)
  const { "www-authenticate": _, ...others } = headers
  return Effect.succeed({ ...outcome, headers: others })
}

/** How many bytes of bodies are held at once: nobody has vouched for them before they are there. */
const bodyRoom = 64 * 1_048_576

/** How long a body may take to come that takes room from others. */
const longestArrival = Duration.seconds(30)

/** How many bytes are kept of a body at most: as many as its head says, and none where those are too many. */
const mostBytes = (incoming: Incoming, { bodyLimit }: ProviderHook): number => {
  if (isBodiless(incoming)) return 0
  const announced = headerOf(incoming, "content-length") ?? ""
  if (!/^\d+$/.test(announced)) return bodyLimit
  return Number(announced) > bodyLimit ? 0 : Number(announced)
}

const isBodiless = ({ method }: Incoming): boolean => method === "GET" || method === "HEAD"

const empty = new Uint8Array()

const readBody = (
  incoming: Incoming,
  { bodyLimit }: ProviderHook,
  most: number
): Effect.Effect<Uint8Array, Refusal> => {
  if (isBodiless(incoming)) return Effect.succeed(empty)
  const whole = Effect.flatMap(incoming.body(bodyLimit), (bytes) =>
    bytes === null
      ? refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`)
      : Effect.succeed(bytes)
  )
  return most <= uncounted
    ? whole
    : Effect.timeoutFail(whole, {
        duration: longestArrival,
        onTimeout: () => refuse("service_unavailable", {}, "The body took too long to come.")
      })
}

/** What a provider answers; what HTTP cannot carry of it is the provider's mistake, and must not end the process. */
const sendable = (answer: ProviderAnswer): Effect.Effect<ProviderAnswer> => {
  const { headers, status } = answer
  if (!Number.isInteger(status) || status < 200 || status > 599) return unsendable(`the status ${status}`)
  const wrong = Object.entries(headers).find(([name, value]) => !isToken(name) || !isHeaderText(value))
  return wrong === undefined ? Effect.succeed(answer) : unsendable(`a header ${wrong[0]}`)
}

const unsendable = (what: string) => Effect.die(new Error(`The provider answered ${what} that cannot be sent.`))

/** A name of a header (RFC 9110, 5.6.2). */
const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name)

const isHeaderText = (value: unknown): boolean => typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
