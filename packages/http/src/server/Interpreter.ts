import {
  type CommitError,
  clientNetwork,
  EventLoop,
  type FailedAttemptLimits,
  type Idempotency,
  type Ids,
  type Instant,
  invalid,
  joinProblems,
  makeFailedAttempts,
  nextTurn,
  type PartialDecode,
  parseUrl,
  RateBuckets,
  type ReadError,
  type Refusal,
  type RefusedToken,
  type RequestLog,
  refuse
} from "@parley/core"
import { Effect, Either, Option } from "effect"
import type { ApiModule } from "./ApiModule.js"
import { makeBoundary } from "./boundary.js"
import type { Call } from "./Call.js"
import { clientAddress, type TrustedProxies } from "./clientAddress.js"
import { documentOutcome } from "./Document.js"
import { defaultRefusalDelayMs } from "./delayedRefusals.js"
import type { EndpointPolicy } from "./EndpointPolicy.js"
import { endStreams } from "./endStreams.js"
import { makeFairStarts, startsPerTurn } from "./fairStarts.js"
import { type HttpOutcome, renderRefusal, requestTimeout, success } from "./HttpOutcome.js"
import { type Body, bearerOf, headerOf, type Incoming, isRepeated, type Outgoing, targetOf } from "./Incoming.js"
import { idempotencyOf } from "./idempotencyOf.js"
import type { JsonObject } from "./jsonBody.js"
import { makeProxyWarning } from "./proxyWarning.js"
import { type Route, routeTable } from "./RouteTable.js"
import { groupOf, noGroup } from "./requestMetrics.js"
import { type ActiveSpan, traced } from "./traced.js"
import { makeVerifiedClients } from "./verifiedClients.js"

/** Turns every request into a response. Never fails. */
export interface Interpreter {
  /** Responds to a request. */
  readonly answer: (incoming: Incoming) => Effect.Effect<Outgoing>
  /**
   * Responds to bytes that are not valid HTTP: 400 `bad_request`. Null: the client address is above its limit, and the
   * connection is closed without a response. Known without a fiber, so that a flood of half requests costs less.
   */
  readonly answerUnreadable: (peer: string | null) => Effect.Effect<Outgoing<string>> | null
  /** Responds to a request that did not arrive in time: 408. */
  readonly answerTimeout: (peer: string | null, forwardedFor: string | undefined) => Effect.Effect<Outgoing<string>>
}

/**
 * Serves contracts: runs the checks before each operation (docs/reference/requests.md#order-of-checks), and adds the
 * common headers and envelopes to every response. See `ApiModule.ts` for how to add an endpoint.
 */
export const makeInterpreter = (options: {
  /** The first one also responds to paths of no module. */
  readonly modules: readonly [ApiModule, ...ReadonlyArray<ApiModule>]
  readonly trustedProxies?: TrustedProxies
  /** Failed authentications of one client address. Default: 600 in a row, then 60 a minute. */
  readonly failedAttempts?: FailedAttemptLimits
  /**
   * How long a 429 is delayed, but for that of an application, in ms. Default: 1,000
   * (docs/reference/rate-limits.md#delayed-refusals).
   */
  readonly refusalDelayMs?: number
  /** Public base URL of the mount path, for links. Default: derived from each request. */
  readonly publicUrl?: string
  /** Whether a request is accepted. If false, it gets 503 `service_unavailable`. Default: all are. */
  readonly accepts?: (incoming: Incoming) => boolean
  /** The span of the code that calls this interpreter, the parent of the request's span. Default: none. */
  readonly activeSpan?: ActiveSpan
  /** Resumes when the host begins to stop. Streams without a `Content-Length` and pushed bodies end then. */
  readonly stopping?: Effect.Effect<void>
}): Effect.Effect<Interpreter, never, Ids | RateBuckets | RequestLog> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const { boundary, refuseAtOnce } = yield* makeBoundary(options.refusalDelayMs ?? defaultRefusalDelayMs)
    const buckets = yield* RateBuckets
    const find = routeTable(options.modules)
    const trusted = options.trustedProxies ?? []
    const withSpan = yield* traced(options.activeSpan ?? (() => undefined))
    const attempts = makeFailedAttempts(options.failedAttempts)
    const proxyWarning = makeProxyWarning(trusted)

    /** Without visitors of a web chat: anyone can be one. */
    const verified = makeVerifiedClients()
    const starts = makeFairStarts(yield* EventLoop)
    const endingWith = yield* endStreams(options.stopping)

    const addressOf = (incoming: Incoming): string =>
      clientAddress(incoming.peer, headerOf(incoming, "x-forwarded-for"), trusted)

    const waitForStart = (incoming: Incoming, address: string, share?: number): Effect.Effect<void, Refusal> =>
      incoming.isInProcess === true
        ? Effect.void
        : Effect.clockWith((clock) => {
            const network = clientNetwork(address)
            return starts.waitFor(
              { network, isVerified: verified.has(network, clock.unsafeCurrentTimeMillis()) },
              share
            )
          })

    const readBody = (
      incoming: Incoming,
      { bodyLimit, readBody }: EndpointPolicy<unknown>,
      address: string
    ): Effect.Effect<JsonObject, Refusal> =>
      Effect.flatMap(incoming.body(bodyLimit), (bytes) => {
        if (bytes === null) {
          return Effect.fail(refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`))
        }
        const body = Effect.suspend(() => readBody(bytes, incoming))
        if (bytes.length <= largeBody) return body
        return Effect.zipRight(waitForStart(incoming, address, startsPerTurn), Effect.zipLeft(body, nextTurn))
      })

    const admit = (
      { admission, bodyCredential }: EndpointPolicy<unknown>,
      incoming: Incoming,
      purpose: "read" | "write",
      { token, address }: Pick<Request, "token" | "address">
    ) => {
      const checked = admission.admit(token, purpose, address, incoming)
      const admitted = token === null ? checked : Effect.zipLeft(checked, verified.add(clientNetwork(address)))
      return bodyCredential === undefined && incoming.application === undefined
        ? attempts.limit(address, token, admitted)
        : admitted
    }

    /**
     * Charges a request that no operation serves: unknown paths, wrong methods, documents. Takes a token of the caller,
     * or of the client address if the request is not authenticated. Only `rate_limited` and storage errors are passed
     * on.
     */
    const chargeRequest = (
      policy: EndpointPolicy<unknown>,
      incoming: Incoming,
      request: Pick<Request, "token" | "address">
    ) =>
      Effect.catchIf(
        admit(policy, incoming, "read", request),
        (error) => error._tag === "Refusal" && error.code !== "rate_limited",
        () => Effect.void
      )

    /** Authenticates, checks scopes, reads path, body and idempotency key, and calls the handler. */
    const execute = ({ policy, operation, values }: Found, incoming: Incoming, request: Request) =>
      Effect.flatMap(admit(policy, incoming, operation.purpose, request), (caller) => {
        const missing = policy.admission.missingScope(caller, operation.scopes)
        if (missing !== null) return Effect.fail(missing)
        const path = operation.readPath(values)
        if (Option.isNone(path)) return Effect.fail(refuse("not_found"))
        const withBody = (body: JsonObject) => {
          const idempotency = idempotencyOf(operation, incoming, request.path, body)
          if (Either.isLeft(idempotency)) return Effect.fail(idempotency.left)
          const given = { query: operation.readQuery(request.search), body: operation.readBody(body) }
          const unknown = operation.unknownParameters(request.search)
          if (Object.keys(unknown).length > 0) {
            return Effect.fail(invalid(joinProblems(unknown, joinProblems(given.query.problems, given.body.problems))))
          }
          const { right } = idempotency
          const handled = operation.handle(
            new RequestCall(caller, path.value, given, right, incoming, request, options.publicUrl)
          )
          return policy.bodyCredential === undefined
            ? handled
            : attempts.limit(request.address, policy.bodyCredential(body), handled)
        }
        const result = operation.takesBody
          ? Effect.flatMap(readBody(incoming, policy, request.address), withBody)
          : withBody({})
        return Effect.map(result, (value) => success(operation, value))
      })

    const outcomeOf = (
      incoming: Incoming,
      address: string,
      route: Route,
      requestId: string
    ): Effect.Effect<HttpOutcome<Body>, Refusal | CommitError> => {
      const { path, search } = targetOf(incoming.url)
      const token = incoming.application === undefined ? bearerOf(incoming) : null
      const request = { id: requestId, path, search, token, address }
      if (route._tag !== "Mounted" && isRepeated(incoming, "authorization")) {
        return Effect.zipRight(buckets.anonymous(address), repeatedAuthorization)
      }
      if (route._tag === "Found") return execute(route, incoming, request)
      if (route._tag === "Mounted") {
        const outcome = route.mountedHandler.answer(incoming, {
          requestId,
          path: route.below,
          search,
          base: urlOf(incoming, { path: "", search: "" }, options.publicUrl),
          address,
          noteVerified: verified.add(clientNetwork(address)),
          checkCredential: (credential, check) => attempts.limit(address, credential, check, "visitors")
        })
        return Effect.map(outcome, endingWith)
      }
      return Effect.map(ignoreStorageErrors(chargeRequest(route.policy, incoming, request)), () => {
        switch (route._tag) {
          case "Readable":
            return documentOutcome(route.document, incoming, urlOf(incoming, request, options.publicUrl))
          case "NotFound":
            return route.policy.refused(unknownPath(route.prefix), requestId)
          case "WrongMethod":
            return route.policy.refused(refuse("method_not_allowed"), requestId, { allow: route.allow })
        }
      })
    }

    /**
     * The refusal of a request that follows from its address and its credential alone, and that is known without the
     * storage: of an address without tokens. `outcomeOf` would end in the same one.
     */
    const knownRefusal = (incoming: Incoming, address: string, route: Route, now: Instant): RefusedToken | null => {
      if (route._tag === "Mounted" || incoming.application !== undefined || options.accepts?.(incoming) === false)
        return null
      if (isRepeated(incoming, "authorization")) return null
      const { admission, bodyCredential } = route.policy
      const token = bearerOf(incoming)
      const guess = token === null || bodyCredential !== undefined ? null : attempts.knownRefusal(address, token, now)
      return guess ?? admission.knownRefusal?.(token, address, now) ?? null
    }

    const answerWithoutRequest = (method: string, address: string, outcome: (requestId: string) => HttpOutcome) =>
      Effect.clockWith((clock) =>
        boundary({ method, url: "" }, address, clock.unsafeCurrentTimeMillis(), noGroup, renderRefusal, (id) =>
          Effect.map(ignoreStorageErrors(buckets.anonymous(address)), () => outcome(id))
        )
      )

    return {
      answer: (incoming) => {
        const route = find(incoming.method, targetOf(incoming.url).path)
        const warning = proxyWarning(incoming)
        const address = addressOf(incoming)
        const outcome = (id: string) =>
          options.accepts?.(incoming) === false
            ? Effect.fail(refuse("service_unavailable"))
            : outcomeOf(incoming, address, route, id)
        const { refused } = route.policy
        const respond = (client: string | null, arrivedAt: Instant, result = outcome) =>
          boundary(incoming, client, arrivedAt, groupOf(route), refused, result)
        // A call in this process waits for no start. Its refusals are neither known before it nor delayed.
        if (incoming.isInProcess === true) {
          return Effect.clockWith((clock) => withSpan(incoming, respond(null, clock.unsafeCurrentTimeMillis())))
        }
        const started = (arrivedAt: Instant) =>
          Effect.clockWith((clock) => {
            const now = clock.unsafeCurrentTimeMillis()
            const known = knownRefusal(incoming, address, route, now)
            return known === null
              ? withSpan(incoming, respond(address, arrivedAt))
              : refuseAtOnce(known, address, groupOf(route), refused, arrivedAt, now)
          })
        const answered = Effect.clockWith((clock) => {
          const arrivedAt = clock.unsafeCurrentTimeMillis()
          return Effect.matchEffect(waitForStart(incoming, address), {
            onFailure: (refusal) => respond(address, arrivedAt, () => Effect.fail(refusal)),
            onSuccess: () => started(arrivedAt)
          })
        })
        return warning === null ? answered : Effect.zipRight(Effect.logWarning(warning), answered)
      },
      answerUnreadable: (peer) => {
        const address = clientAddress(peer, undefined, trusted)
        return buckets.knownRefusal("anonymous", address, clock.unsafeCurrentTimeMillis()) !== null
          ? null
          : answerWithoutRequest("unreadable", address, (id) =>
              renderRefusal(refuse("bad_request", {}, "This is not a valid HTTP request."), id)
            )
      },
      answerTimeout: (peer, forwardedFor) =>
        answerWithoutRequest("timeout", clientAddress(peer, forwardedFor, trusted), requestTimeout)
    }
  })

const repeatedAuthorization = refuse(
  "bad_request",
  { Authorization: ["must be given once"] },
  "The Authorization header is repeated."
)

/** The refusal of a path without a route. A prefix is a mistake of the server that Parley is mounted in. */
const unknownPath = (prefix: string | null): Refusal =>
  prefix === null
    ? refuse("not_found")
    : refuse(
        "not_found",
        {},
        `The path begins with ${prefix}, which has to be removed: by the server or proxy before Parley, or by the option mountPath.`
      )

/**
 * In bytes. A larger body waits for a start that counts as all of a turn's before it is parsed, so others may start
 * before it in that turn. It is validated in the next one.
 */
const largeBody = 65_536

type Found = Extract<Route, { readonly _tag: "Found" }>

/** The call of a request. A class, because V8 makes objects with getters of their own slowly. */
class RequestCall implements Call<unknown, unknown, unknown, unknown, unknown> {
  readonly query: PartialDecode<unknown>
  readonly body: PartialDecode<unknown>
  readonly requestId: string

  constructor(
    readonly caller: unknown,
    readonly path: unknown,
    given: { readonly query: PartialDecode<unknown>; readonly body: PartialDecode<unknown> },
    readonly idempotency: Idempotency | null,
    readonly incoming: Incoming,
    private readonly request: Request,
    private readonly publicUrl: string | undefined
  ) {
    this.query = given.query
    this.body = given.body
    this.requestId = request.id
  }

  get url(): string {
    return urlOf(this.incoming, this.request, this.publicUrl)
  }

  get base(): string {
    return urlOf(this.incoming, { path: "", search: "" }, this.publicUrl)
  }
}

interface Request {
  readonly id: string
  readonly path: string
  readonly search: string
  readonly token: string | null
  readonly address: string
}

/**
 * Ignores storage errors when taking a token, so that responses that need no storage still work, without rate limit.
 */
const ignoreStorageErrors = (
  tokenRequest: Effect.Effect<unknown, Refusal | ReadError>
): Effect.Effect<unknown, Refusal> =>
  Effect.catchTags(tokenRequest, { StorageUnavailable: () => Effect.void, StorageBusy: () => Effect.void })

const urlOf = (
  incoming: Incoming,
  { path, search }: Pick<Request, "path" | "search">,
  publicUrl: string | undefined
): string => {
  const target = search === "" ? path : `${path}?${search}`
  if (publicUrl !== undefined) return `${publicUrl.replace(/\/+$/, "")}${target}`
  const url = `${incoming.base ?? `http://${headerOf(incoming, "host")}`}${target}`
  // The `Host` header is client input: fall back to `localhost` if it does not make a valid URL.
  return parseUrl(url) !== null ? url : `http://localhost${target}`
}
