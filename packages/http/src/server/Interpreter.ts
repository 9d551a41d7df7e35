import { type CommitError, drawn, Ids, joinProblems, RateBuckets, type Refusal, refuse } from "@parley/core"
import { Clock, Effect, FiberRef, Option } from "effect"
import { clientAddress, type TrustedProxies } from "./clientAddress.js"
import { bearerOf, headerOf, type Incoming, type Outgoing, targetOf } from "./Incoming.js"
import { idempotencyOf } from "./idempotencyOf.js"
import { bodyLimit, type JsonObject, jsonBody } from "./jsonBody.js"
import { failed, type Outcome, refused, success } from "./Outcome.js"
import { queryOf } from "./queryOf.js"
import { type Route, routeTable } from "./RouteTable.js"
import { rateHeaders } from "./rateHeaders.js"
import type { Surface } from "./Surface.js"

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
}): Effect.Effect<Interpreter, never, Ids | RateBuckets> =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const buckets = yield* RateBuckets
    const find = routeTable(options.surfaces)
    const trusted = options.trustedProxies ?? []

    /** Steps 3 and 4: who calls, and the bucket that it draws on. */
    const admit = ({ admission }: Surface, purpose: "read" | "write", token: string | null, address: string) =>
      admission.authenticate(token, purpose).pipe(
        Effect.catchTag("Refusal", (refusal) => Effect.zipRight(buckets.anonymous(address), Effect.fail(refusal))),
        Effect.tap((caller) => admission.draw(caller, address))
      )

    /** What leads nowhere counts too, on the caller's account where there is one. Whether a path exists needs no storage. */
    const drawForNothing = ({ admission }: Surface, token: string | null, address: string) =>
      admission.authenticate(token, "read").pipe(
        Effect.matchEffect({
          onFailure: (error) => (error._tag === "Refusal" ? buckets.anonymous(address) : Effect.fail(error)),
          onSuccess: (caller) => admission.draw(caller, address)
        }),
        Effect.catchTags({ StorageUnavailable: () => Effect.void, StorageBusy: () => Effect.void })
      )

    /** Steps 3 to 8 of a request that leads somewhere. */
    const carryOut = (route: Found, incoming: Incoming, request: Request) =>
      Effect.gen(function* () {
        const { surface, operation } = route
        const caller = yield* admit(surface, operation.purpose, request.token, request.address)
        const missing = surface.admission.missingScope(caller, operation.scopes)
        if (missing !== null) return yield* Effect.fail(missing)
        const path = operation.readPath(route.values)
        if (Option.isNone(path)) return yield* Effect.fail(refuse("not_found"))
        const body = operation.draftBody === null ? {} : yield* readBody(incoming)
        const idempotency = yield* idempotencyOf(operation, incoming, request.path, body)
        const { query, problems } = queryOf(operation.queryNames, request.search)
        const queryDraft = operation.draftQuery(query)
        const result = yield* operation.handle({
          caller,
          path: path.value,
          query: { value: queryDraft.value, problems: joinProblems(queryDraft.problems, problems) },
          body: operation.draftBody === null ? noBody : operation.draftBody(body),
          idempotency,
          requestId: request.id
        })
        return success(operation, result)
      })

    const outcomeOf = (incoming: Incoming, requestId: string): Effect.Effect<Outcome, Refusal | CommitError> => {
      const { path, search } = targetOf(incoming.url)
      const token = bearerOf(incoming)
      const address = clientAddress(incoming.peer, headerOf(incoming, "x-forwarded-for"), trusted)
      const route = find(incoming.method, path)
      if (route._tag === "Found") return carryOut(route, incoming, { id: requestId, path, search, token, address })
      return Effect.map(drawForNothing(route.surface, token, address), () =>
        route._tag === "NotFound"
          ? refused(refuse("not_found"), requestId)
          : refused(refuse("method_not_allowed"), requestId, { allow: route.allow })
      )
    }

    return {
      answer: (incoming) =>
        boundary(ids, `${incoming.method} ${targetOf(incoming.url).path}`, (id) => outcomeOf(incoming, id)),
      answerUnreadable: (peer) =>
        boundary(ids, "unreadable", (id) =>
          Effect.as(
            buckets.anonymous(clientAddress(peer, undefined, trusted)),
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

const noBody = { value: {}, problems: {} }

const readBody = (incoming: Incoming): Effect.Effect<JsonObject, Refusal> =>
  Effect.flatMap(incoming.body(bodyLimit), (bytes) =>
    bytes === null
      ? Effect.fail(refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`))
      : jsonBody(bytes, headerOf(incoming, "content-type"))
  )

/** Gives work its request id, and whatever it comes to the headers that every answer carries (decisions.md §2). */
const boundary = (
  ids: Ids,
  name: string,
  work: (requestId: string) => Effect.Effect<Outcome, Refusal | CommitError>
): Effect.Effect<Outgoing> =>
  Effect.flatMap(Clock.currentTimeMillis, (start) => {
    const requestId = ids.next(start)
    return Effect.gen(function* () {
      yield* FiberRef.set(drawn, [])
      const { status, headers, body } = yield* Effect.catchAllCause(
        Effect.suspend(() => work(requestId)),
        (cause) => failed(cause, requestId)
      )
      const now = yield* Clock.currentTimeMillis
      yield* Effect.logDebug(`${name} ${status} ${now - start} ms`)
      return {
        status,
        headers: {
          "content-type": "application/json",
          "cache-control": "no-store",
          "x-request-id": requestId,
          ...rateHeaders(yield* FiberRef.get(drawn), now),
          ...headers
        },
        body
      }
    }).pipe(Effect.annotateLogs("request_id", requestId))
  })
