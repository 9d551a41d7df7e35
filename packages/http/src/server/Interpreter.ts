import {
  type CommitError,
  type Ids,
  parseUrl,
  RateBuckets,
  type ReadError,
  type Refusal,
  type RequestLog,
  refuse
} from "@parley/core"
import { Effect, Option, Stream } from "effect"
import { makeBoundary } from "./boundary.js"
import { clientAddress, type TrustedProxies } from "./clientAddress.js"
import { documentOutcome } from "./Document.js"
import { type Body, bearerOf, headerOf, type Incoming, isStream, type Outgoing, targetOf } from "./Incoming.js"
import { idempotencyOf } from "./idempotencyOf.js"
import { bodyLimit, type JsonObject } from "./jsonBody.js"
import type { Manner } from "./Manner.js"
import { type Outcome, refused, success } from "./Outcome.js"
import { type Route, routeTable } from "./RouteTable.js"
import { groupOf, noGroup } from "./requestMetrics.js"
import type { Surface } from "./Surface.js"
import { traced } from "./traced.js"

/** Has an answer for everything, and fails with nothing. */
export interface Interpreter {
  /** Answers a request. */
  readonly answer: (incoming: Incoming) => Effect.Effect<Outgoing>
  /** Answers what reached the transport but cannot be read as HTTP: 400 `bad_request`. */
  readonly answerUnreadable: (peer: string | null) => Effect.Effect<Outgoing<string>>
}

/**
 * Serves contracts: every check that comes before an operation's own, in the order of decisions.md §2, and the headers and
 * envelopes of every answer. See {@link surface} for how to add an endpoint.
 */
export const makeInterpreter = (options: {
  /** The first one also answers for the paths that belong to none. */
  readonly surfaces: readonly [Surface, ...ReadonlyArray<Surface>]
  readonly trustedProxies?: TrustedProxies
  /** How others reach the mount path, for links; else as each request says. */
  readonly publicUrl?: string
  /** Whether requests are still taken; while not, each is answered 503 `service_unavailable`. */
  readonly accepts?: () => boolean
  /** Resumes when the host begins to stop. Streams that have no end of their own end then. */
  readonly stopping?: Effect.Effect<void>
}): Effect.Effect<Interpreter, never, Ids | RateBuckets | RequestLog> =>
  Effect.gen(function* () {
    const boundary = yield* makeBoundary
    const buckets = yield* RateBuckets
    const find = routeTable(options.surfaces)
    const trusted = options.trustedProxies ?? []
    const withSpan = yield* traced

    /** What leads nowhere or needs no credential counts too, on the caller's account where there is one. */
    const drawForNothing = (
      { admission }: Manner<unknown>,
      incoming: Incoming,
      token: string | null,
      address: string
    ) =>
      Effect.catchIf(
        admission.admit(token, "read", address, incoming),
        (error) => error._tag === "Refusal" && error.code !== "rate_limited",
        () => Effect.void
      )

    /** Steps 3 to 8 of a request that leads somewhere. */
    const carryOut = ({ manner, operation, values }: Found, incoming: Incoming, request: Request) =>
      Effect.flatMap(manner.admission.admit(request.token, operation.purpose, request.address, incoming), (caller) => {
        const missing = manner.admission.missingScope(caller, operation.scopes)
        if (missing !== null) return Effect.fail(missing)
        const path = operation.readPath(values)
        if (Option.isNone(path)) return Effect.fail(refuse("not_found"))
        const withBody = (body: JsonObject) =>
          Effect.flatMap(idempotencyOf(operation, incoming, request.path, body), (idempotency) =>
            operation.handle({
              caller,
              path: path.value,
              query: operation.readQuery(request.search),
              body: operation.readBody(body),
              idempotency,
              requestId: request.id,
              url: urlOf(incoming, request, options.publicUrl),
              base: urlOf(incoming, { path: "", search: "" }, options.publicUrl)
            })
          )
        const result = operation.takesBody ? Effect.flatMap(readBody(incoming, manner), withBody) : withBody({})
        return Effect.map(result, (value) => success(operation, value))
      })

    const outcomeOf = (
      incoming: Incoming,
      route: Route,
      requestId: string
    ): Effect.Effect<Outcome<Body>, Refusal | CommitError> => {
      const { path, search } = targetOf(incoming.url)
      const token = bearerOf(incoming)
      const address = clientAddress(incoming.peer, headerOf(incoming, "x-forwarded-for"), trusted)
      const request = { id: requestId, path, search, token, address }
      if (route._tag === "Found") return carryOut(route, incoming, request)
      if (route._tag === "Annexed") {
        const outcome = route.annex.answer(incoming, { requestId, path: route.below, search, address })
        return Effect.map(outcome, (outcome) => endingWith(options.stopping, outcome))
      }
      return Effect.map(evenWithoutStorage(drawForNothing(route.manner, incoming, token, address)), () => {
        switch (route._tag) {
          case "Readable":
            return documentOutcome(route.document, incoming, urlOf(incoming, request, options.publicUrl))
          case "NotFound":
            return route.manner.refused(refuse("not_found"), requestId)
          case "WrongMethod":
            return route.manner.refused(refuse("method_not_allowed"), requestId, { allow: route.allow })
        }
      })
    }

    return {
      answer: (incoming) => {
        const route = find(incoming.method, targetOf(incoming.url).path)
        return withSpan(
          incoming,
          boundary(incoming, groupOf(route), route.manner.refused, (id) =>
            options.accepts?.() === false ? Effect.fail(refuse("service_unavailable")) : outcomeOf(incoming, route, id)
          )
        )
      },
      answerUnreadable: (peer) =>
        boundary({ method: "unreadable", url: "" }, noGroup, refused, (id) =>
          Effect.as(
            evenWithoutStorage(buckets.anonymous(clientAddress(peer, undefined, trusted))),
            refused(refuse("bad_request", {}, "This is not a valid HTTP request."), id)
          )
        )
    }
  })

type Found = Extract<Route, { readonly _tag: "Found" }>

interface Request {
  readonly id: string
  readonly path: string
  readonly search: string
  readonly token: string | null
  readonly address: string
}

/** A stream whose length is told is sent to its end even while the host stops; one without would hold the host up. */
const endingWith = (stopping: Effect.Effect<void> | undefined, outcome: Outcome<Body>): Outcome<Body> =>
  stopping !== undefined && isStream(outcome.body) && outcome.headers["content-length"] === undefined
    ? { ...outcome, body: Stream.interruptWhen(outcome.body, stopping) }
    : outcome

/** What can be answered without the storage is answered while it is down, uncounted. */
const evenWithoutStorage = (draw: Effect.Effect<unknown, Refusal | ReadError>): Effect.Effect<unknown, Refusal> =>
  Effect.catchTags(draw, { StorageUnavailable: () => Effect.void, StorageBusy: () => Effect.void })

const urlOf = (
  incoming: Incoming,
  { path, search }: Pick<Request, "path" | "search">,
  publicUrl: string | undefined
): string => {
  const target = search === "" ? path : `${path}?${search}`
  if (publicUrl !== undefined) return `${publicUrl.replace(/\/+$/, "")}${target}`
  const told = `${incoming.base ?? `http://${headerOf(incoming, "host")}`}${target}`
  // A client may name any host; links must be URLs whatever it says.
  return parseUrl(told) !== null ? told : `http://localhost${target}`
}

const readBody = (incoming: Incoming, manner: Manner<unknown>): Effect.Effect<JsonObject, Refusal> =>
  Effect.flatMap(incoming.body(bodyLimit), (bytes) =>
    bytes === null
      ? Effect.fail(refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`))
      : manner.readBody(bytes, incoming)
  )
