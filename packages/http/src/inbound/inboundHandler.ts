import {
  type CommitError,
  clientNetwork,
  type ProviderAnswer,
  type ProviderHook,
  ProviderHooks,
  type ProviderRequest,
  RateBuckets,
  type ReadError,
  type Refusal,
  refuse,
  webhookUrl
} from "@parley/core"
import { Clock, Effect } from "effect"
import { isInternal } from "../server/clientAddress.js"
import { type HttpOutcome, renderRefusal, requestTimeout } from "../server/HttpOutcome.js"
import { type Body, headerOf, type Incoming } from "../server/Incoming.js"
import type { MountedHandler, RouteContext } from "../server/MountedHandler.js"
import { makeVerifiedClients } from "../server/verifiedClients.js"
import { type BodyTimedOut, makeBodyBudget } from "./BodyBudget.js"

/**
 * `/inbound/{connection}` and all paths below: vendor webhooks, and requests of customers on channels that Parley
 * serves. The provider verifies each request and defines its response. Requests that fail verification or routing take
 * a rate token of the client address; other requests take none.
 */
export const inboundHandler: Effect.Effect<MountedHandler, never, ProviderHooks | RateBuckets> = Effect.gen(
  function* () {
    const hooks = yield* ProviderHooks
    const buckets = yield* RateBuckets
    const bodies = makeBodyBudget(bodyRoom)
    /** Of webhooks alone: a valid API key lets no flood of webhooks in. */
    const verified = makeVerifiedClients()

    /**
     * Refuses webhooks of an address whose bucket is empty, before the connection and the body are read. Vendors that
     * share the address keep being served, and all behind a proxy in a private network that is not trusted
     * (docs/reference/rate-limits.md#requests-without-a-credential).
     */
    const refuseFlood = (address: string): Effect.Effect<unknown, Refusal | ReadError> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const isKnown = verified.has(clientNetwork(address), now)
        const isRefused = buckets.knownRefusal("anonymous", address, now) !== null && !isKnown && !isInternal(address)
        // Notes the refused token for the headers, and fails.
        return isRefused ? buckets.anonymous(address) : Effect.void
      })

    const answer = (
      incoming: Incoming,
      route: RouteContext
    ): Effect.Effect<HttpOutcome<Body>, Refusal | CommitError | BodyTimedOut> =>
      Effect.gen(function* () {
        const [, connectionId, path = ""] = /^\/([^/]+)(\/.*)?$/.exec(route.path) ?? []
        if (connectionId === undefined) return yield* refuse("not_found")
        // Visitors have paths below, and limits of their own.
        if (path === "") yield* refuseFlood(route.address)
        const hook = yield* hooks.at(connectionId, path)
        if (hook.methods?.includes(incoming.method) === false) {
          yield* buckets.anonymous(route.address)
          return renderRefusal(refuse("method_not_allowed"), route.requestId, { allow: hook.methods.join(", ") })
        }
        const read = (onBytes?: OnBytes) => readBody(incoming, hook, onBytes)
        const use = (body: Uint8Array) => hook.answer(providerRequest(incoming, route, connectionId, path, body))
        const sender = { connection: connectionId, address: route.address }
        const given = yield* bodies.within(sender, announcedBytes(incoming), read, use)
        const { headers, status, body: answered } = yield* sendable(given)
        // The provider limits these requests itself, and a token would cost a write for each refusal.
        const counts = status >= 400 && status < 500 && status !== 429
        if (counts) yield* buckets.anonymous(route.address)
        // Null: a provider's own paths, whose requests are not signed.
        if (hook.methods !== null && status < 400) {
          yield* verified.add(clientNetwork(route.address))
          yield* route.noteVerified
        }
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
      answer: (incoming, route) =>
        Effect.catchTags(answer(incoming, route), {
          Refusal: (refusal) =>
            isUnverified(refusal)
              ? Effect.zipRight(buckets.anonymous(route.address), unsigned(refusal, route))
              : Effect.fail(refusal),
          BodyTimedOut: () => Effect.as(buckets.anonymous(route.address), requestTimeout(route.requestId))
        })
    }
  }
)

/**
 * Whether a refusal takes a rate token of the client address: not for verified requests, and not for errors of this
 * service.
 */
const isUnverified = ({ code }: Refusal): boolean =>
  code !== "bad_request" && code !== "service_unavailable" && code !== "rate_limited"

/** Removes `WWW-Authenticate` from a 401: vendors sign their requests, so a bearer token would not help. */
const unsigned = (refusal: Refusal, { requestId }: RouteContext): Effect.Effect<HttpOutcome, Refusal> => {
  if (refusal.code !== "unauthenticated") return Effect.fail(refusal)
  const { headers, ...outcome } = renderRefusal(refusal, requestId)
  const { "www-authenticate": _, ...others } = headers
  return Effect.succeed({ ...outcome, headers: others })
}

/** Bytes of bodies held at once. A signature can only be verified once the whole body is in memory. */
const bodyRoom = 64 * 1_048_576

/** The `Content-Length`; null if it is unknown. Node cuts bodies off there. */
const announcedBytes = (incoming: Incoming): number | null => {
  if (isBodiless(incoming)) return 0
  const announced = headerOf(incoming, "content-length") ?? ""
  return /^\d+$/.test(announced) ? Number(announced) : null
}

const isBodiless = ({ method }: Incoming): boolean => method === "GET" || method === "HEAD"

const empty = new Uint8Array()

type OnBytes = Parameters<Incoming["body"]>[1]

const readBody = (
  incoming: Incoming,
  { bodyLimit }: ProviderHook,
  onBytes: OnBytes
): Effect.Effect<Uint8Array, Refusal> =>
  isBodiless(incoming)
    ? Effect.succeed(empty)
    : Effect.flatMap(incoming.body(bodyLimit, onBytes), (bytes) =>
        bytes === null
          ? refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`)
          : Effect.succeed(bytes)
      )

/**
 * Checks a provider's response. One that HTTP cannot carry is a defect of the provider, reported here because Node's
 * `writeHead` would throw.
 */
const sendable = (answer: ProviderAnswer): Effect.Effect<ProviderAnswer> => {
  const { headers, status } = answer
  if (!Number.isInteger(status) || status < 200 || status > 599) return unsendable(`the status ${status}`)
  const wrong = Object.entries(headers).find(([name, value]) => !isToken(name) || !isHeaderText(value))
  return wrong === undefined ? Effect.succeed(answer) : unsendable(`a header ${wrong[0]}`)
}

const unsendable = (what: string) => Effect.die(new Error(`The provider's response has ${what} that cannot be sent.`))

/** A header name (RFC 9110, 5.6.2). */
const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name)

const isHeaderText = (value: unknown): boolean => typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** Converts a request for a provider. `path` is the path after the connection. */
const providerRequest = (
  incoming: Incoming,
  { address, base, checkCredential, search }: RouteContext,
  connectionId: string,
  path: string,
  body: Uint8Array
): ProviderRequest => ({
  method: incoming.method,
  webhookUrl: webhookUrl(base, connectionId),
  path,
  // The first value of a repeated parameter wins.
  query: Object.fromEntries([...new URLSearchParams(search)].reverse()),
  headers: Object.fromEntries(Object.keys(incoming.headers).map((name) => [name, headerOf(incoming, name)])),
  body,
  address,
  checkCredential
})
