import { type CommitError, drawn, Ids, RateBuckets, type ReadError, type Refusal, refuse } from "@parley/core"
import { Effect, type Fiber, FiberRef, HashMap, LogLevel, Option } from "effect"
import { clientAddress, type TrustedProxies } from "./clientAddress.js"
import { documentOutcome } from "./Document.js"
import { bearerOf, headerOf, type Incoming, type Outgoing, targetOf } from "./Incoming.js"
import { idempotencyOf } from "./idempotencyOf.js"
import { bodyLimit, type JsonObject } from "./jsonBody.js"
import type { Manner } from "./Manner.js"
import { failed, type Outcome, type Refused, refused, success } from "./Outcome.js"
import { type Route, routeTable } from "./RouteTable.js"
import { rateHeaders } from "./rateHeaders.js"
import type { Surface } from "./Surface.js"
import { traced } from "./traced.js"

/** Has an answer for everything, and fails with nothing. */
export interface Interpreter {
  /** Answers a request. */
  readonly answer: (incoming: Incoming) => Effect.Effect<Outgoing>
  /** Answers what reached the transport but cannot be read as HTTP: 400 `bad_request`. */
  readonly answerUnreadable: (peer: string | null) => Effect.Effect<Outgoing>
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
}): Effect.Effect<Interpreter, never, Ids | RateBuckets> =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const buckets = yield* RateBuckets
    const find = routeTable(options.surfaces)
    const trusted = options.trustedProxies ?? []
    const withSpan = yield* traced

    /** Steps 3 and 4: who calls, and the bucket that it draws on. */
    const admit = ({ admission }: Manner<unknown>, purpose: "read" | "write", token: string | null, address: string) =>
      admission.authenticate(token, purpose).pipe(
        Effect.catchTag("Refusal", (refusal) => Effect.zipRight(buckets.anonymous(address), Effect.fail(refusal))),
        Effect.tap((caller) => admission.draw(caller, address))
      )

    /** What needs no credential or leads nowhere counts too, on the caller's account where there is one. */
    const drawForNothing = ({ admission }: Manner<unknown>, token: string | null, address: string) =>
      admission.authenticate(token, "read").pipe(
        Effect.matchEffect({
          onFailure: (error) => (error._tag === "Refusal" ? buckets.anonymous(address) : Effect.fail(error)),
          onSuccess: (caller) => admission.draw(caller, address)
        })
      )

    /** Steps 3 to 8 of a request that leads somewhere. */
    const carryOut = ({ manner, operation, values }: Found, incoming: Incoming, request: Request) =>
      Effect.flatMap(admit(manner, operation.purpose, request.token, request.address), (caller) => {
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
              url: urlOf(incoming, request, options.publicUrl)
            })
          )
        const result = operation.takesBody ? Effect.flatMap(readBody(incoming, manner), withBody) : withBody({})
        return Effect.map(result, (value) => success(operation, value))
      })

    const outcomeOf = (
      incoming: Incoming,
      route: Route,
      requestId: string
    ): Effect.Effect<Outcome, Refusal | CommitError> => {
      const { path, search } = targetOf(incoming.url)
      const token = bearerOf(incoming)
      const address = clientAddress(incoming.peer, headerOf(incoming, "x-forwarded-for"), trusted)
      const request = { id: requestId, path, search, token, address }
      if (route._tag === "Found") return carryOut(route, incoming, request)
      return Effect.map(evenWithoutStorage(drawForNothing(route.manner, token, address)), () => {
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
          boundary(ids, incoming, route.manner.refused, (id) =>
            options.accepts?.() === false ? Effect.fail(refuse("service_unavailable")) : outcomeOf(incoming, route, id)
          )
        )
      },
      answerUnreadable: (peer) =>
        boundary(ids, { method: "unreadable", url: "" }, refused, (id) =>
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

/** What can be answered without the storage is answered while it is down, uncounted. */
const evenWithoutStorage = (draw: Effect.Effect<unknown, Refusal | ReadError>): Effect.Effect<unknown, Refusal> =>
  Effect.catchTags(draw, { StorageUnavailable: () => Effect.void, StorageBusy: () => Effect.void })

const urlOf = (incoming: Incoming, { path, search }: Request, publicUrl: string | undefined): string => {
  const target = search === "" ? path : `${path}?${search}`
  if (publicUrl !== undefined) return `${publicUrl.replace(/\/+$/, "")}${target}`
  const told = `${incoming.base ?? `http://${headerOf(incoming, "host")}`}${target}`
  // A client may name any host; links must be URLs whatever it says.
  return URL.canParse(told) ? told : `http://localhost${target}`
}

const readBody = (incoming: Incoming, manner: Manner<unknown>): Effect.Effect<JsonObject, Refusal> =>
  Effect.flatMap(incoming.body(bodyLimit), (bytes) =>
    bytes === null
      ? Effect.fail(refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`))
      : manner.readBody(bytes, incoming)
  )

/** Gives work its request id, and whatever it comes to the headers that every answer carries (decisions.md §2). */
const boundary = (
  ids: Ids,
  incoming: Pick<Incoming, "method" | "url">,
  refusedAs: Refused,
  work: (requestId: string) => Effect.Effect<Outcome, Refusal | CommitError>
): Effect.Effect<Outgoing> =>
  Effect.withFiberRuntime((fiber) =>
    Effect.clockWith((clock) => {
      const start = clock.unsafeCurrentTimeMillis()
      const requestId = ids.next(start)
      const { path } = targetOf(incoming.url)
      return Effect.suspend(() => work(requestId)).pipe(
        Effect.catchAllCause((cause) =>
          Effect.annotateLogs(failed(cause, requestId, refusedAs), { method: incoming.method, path })
        ),
        Effect.flatMap(({ status, headers, body }) => {
          const now = clock.unsafeCurrentTimeMillis()
          const outgoing = {
            status,
            headers: {
              "content-type": "application/json",
              "cache-control": "no-store",
              "x-request-id": requestId,
              ...rateHeaders(fiber.getFiberRef(drawn), now),
              ...headers
            },
            body
          }
          // Asked first, because a log line that nobody wants still costs a tenth of a request.
          if (LogLevel.greaterThan(fiber.getFiberRef(FiberRef.currentMinimumLogLevel), LogLevel.Debug)) {
            return Effect.succeed(outgoing)
          }
          const line = { method: incoming.method, path, status, milliseconds: now - start }
          return Effect.as(Effect.logDebug("Answered a request.", line), outgoing)
        }),
        Effect.locally(FiberRef.currentLogAnnotations, annotated(fiber, requestId)),
        Effect.locally(drawn, [])
      )
    })
  )

const annotated = (fiber: Fiber.RuntimeFiber<unknown, unknown>, requestId: string) =>
  HashMap.set(fiber.getFiberRef(FiberRef.currentLogAnnotations), "request_id", requestId)
