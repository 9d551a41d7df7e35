import { type CommitError, drawn, Ids, RateBuckets, type ReadError, type Refusal, refuse } from "@parley/core"
import { Effect, type Fiber, FiberRef, HashMap, LogLevel, Option } from "effect"
import { clientAddress, type TrustedProxies } from "./clientAddress.js"
import { bearerOf, headerOf, type Incoming, type Outgoing, targetOf } from "./Incoming.js"
import { idempotencyOf } from "./idempotencyOf.js"
import { bodyLimit, type JsonObject, jsonBody } from "./jsonBody.js"
import { failed, type Outcome, refused, success } from "./Outcome.js"
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
}): Effect.Effect<Interpreter, never, Ids | RateBuckets> =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const buckets = yield* RateBuckets
    const find = routeTable(options.surfaces)
    const trusted = options.trustedProxies ?? []
    const withSpan = yield* traced

    /** Steps 3 and 4: who calls, and the bucket that it draws on. */
    const admit = ({ admission }: Surface, purpose: "read" | "write", token: string | null, address: string) =>
      admission.authenticate(token, purpose).pipe(
        Effect.catchTag("Refusal", (refusal) => Effect.zipRight(buckets.anonymous(address), Effect.fail(refusal))),
        Effect.tap((caller) => admission.draw(caller, address))
      )

    /** What leads nowhere counts too, on the caller's account where there is one. */
    const drawForNothing = ({ admission }: Surface, token: string | null, address: string) =>
      admission.authenticate(token, "read").pipe(
        Effect.matchEffect({
          onFailure: (error) => (error._tag === "Refusal" ? buckets.anonymous(address) : Effect.fail(error)),
          onSuccess: (caller) => admission.draw(caller, address)
        })
      )

    /** Steps 3 to 8 of a request that leads somewhere. */
    const carryOut = ({ surface, operation, values }: Found, incoming: Incoming, request: Request) =>
      Effect.flatMap(admit(surface, operation.purpose, request.token, request.address), (caller) => {
        const missing = surface.admission.missingScope(caller, operation.scopes)
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
        const result = operation.takesBody ? Effect.flatMap(readBody(incoming), withBody) : withBody({})
        return Effect.map(result, (value) => success(operation, value))
      })

    const outcomeOf = (incoming: Incoming, requestId: string): Effect.Effect<Outcome, Refusal | CommitError> => {
      const { path, search } = targetOf(incoming.url)
      const token = bearerOf(incoming)
      const address = clientAddress(incoming.peer, headerOf(incoming, "x-forwarded-for"), trusted)
      const route = find(incoming.method, path)
      if (route._tag === "Found") return carryOut(route, incoming, { id: requestId, path, search, token, address })
      return Effect.map(evenWithoutStorage(drawForNothing(route.surface, token, address)), () =>
        route._tag === "NotFound"
          ? refused(refuse("not_found"), requestId)
          : refused(refuse("method_not_allowed"), requestId, { allow: route.allow })
      )
    }

    return {
      answer: (incoming) =>
        withSpan(
          incoming,
          boundary(ids, incoming, (id) => outcomeOf(incoming, id))
        ),
      answerUnreadable: (peer) =>
        boundary(ids, { method: "unreadable", url: "" }, (id) =>
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
  const told = incoming.base ?? `http://${headerOf(incoming, "host")}`
  // A client may name any host; links must be URLs whatever it says.
  const base = publicUrl?.replace(/\/+$/, "") ?? (URL.canParse(told) ? told : "http://localhost")
  return search === "" ? `${base}${path}` : `${base}${path}?${search}`
}

const readBody = (incoming: Incoming): Effect.Effect<JsonObject, Refusal> =>
  Effect.flatMap(incoming.body(bodyLimit), (bytes) =>
    bytes === null
      ? Effect.fail(refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`))
      : jsonBody(bytes, headerOf(incoming, "content-type"))
  )

/** Gives work its request id, and whatever it comes to the headers that every answer carries (decisions.md §2). */
const boundary = (
  ids: Ids,
  incoming: Pick<Incoming, "method" | "url">,
  work: (requestId: string) => Effect.Effect<Outcome, Refusal | CommitError>
): Effect.Effect<Outgoing> =>
  Effect.withFiberRuntime((fiber) =>
    Effect.clockWith((clock) => {
      const start = clock.unsafeCurrentTimeMillis()
      const requestId = ids.next(start)
      const { path } = targetOf(incoming.url)
      return Effect.suspend(() => work(requestId)).pipe(
        Effect.catchAllCause((cause) =>
          Effect.annotateLogs(failed(cause, requestId), { method: incoming.method, path })
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
