import { HttpApi, type HttpApiEndpoint } from "@effect/platform"
import type { Admission } from "./Admission.js"
import type { Annex } from "./Annex.js"
import type { Handlers } from "./Call.js"
import type { Document } from "./Document.js"
import { type Manner, usual } from "./Manner.js"
import { type Operation, operation } from "./Operation.js"

/** A contract ready to be served: its operations, the manner of those that have none of their own, and what is beside them. */
export interface Surface {
  readonly operations: ReadonlyArray<Operation>
  readonly manner: Manner<unknown>
  readonly documents: ReadonlyArray<Document>
  readonly annexes: ReadonlyArray<Annex>
}

/**
 * A contract with its handlers. An endpoint costs an entry in the contract and a handler of its name; the checks that come
 * before it (decisions.md §2) follow from what the contract says:
 *
 * - its path, query and body schemas; ids in the path are declared with core's `uuid`
 * - its scopes, by the annotation `RequiredScopes` on itself, its group or the whole contract
 * - whether it needs an `Idempotency-Key`: `.setHeaders(IdempotencyKey)`, or `OptionalIdempotencyKey`
 * - its status and shape: `.addSuccess(single(LeadResource), { status: 201 })`
 *
 * @example
 * ```ts
 * const LeadsGroup = HttpApiGroup.make("leads").add(
 *   HttpApiEndpoint.get("get")`/leads/${HttpApiSchema.param("id", uuid)}`
 *     .addSuccess(single(LeadResource))
 *     .annotate(RequiredScopes, ["leads.read"])
 * )
 * const Api = HttpApi.make("example").add(LeadsGroup).prefix("/api/v1")
 *
 * const surfaceOfLeads = Effect.gen(function* () {
 *   const leads = yield* Leads
 *   return surface(Api, {
 *     admission: yield* applicationAdmission,
 *     handlers: {
 *       leads: { get: ({ caller, path }) => Effect.map(leads.get(caller, path.id), (lead) => ({ data: lead })) }
 *     }
 *   })
 * })
 * ```
 *
 * A handler of an operation without rules that need data begins with `valid(call)`: the query and the body, or 422. A group
 * that is served in a {@link Manner} of its own has `{ manner, handlers }` under its name.
 */
export const surface = <Api extends HttpApi.HttpApi.Any, Caller>(
  api: Api,
  options: {
    readonly admission: Admission<Caller>
    readonly handlers: Handlers<Groups<Api>, Caller>
    /** What is there to read beside the contract. */
    readonly documents?: ReadonlyArray<Document>
    /** What is answered below paths of its own. */
    readonly annexes?: ReadonlyArray<Annex>
  }
): Surface => {
  const handlers = options.handlers as { readonly [group: string]: UntypedHandlers | UntypedApart }
  const operations: Array<Operation> = []
  HttpApi.reflect(api as unknown as HttpApi.HttpApi.AnyWithProps, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations }) => {
      const given = handlers[group.identifier]
      const manner = isApart(given) ? given.manner : null
      const handle = (isApart(given) ? given.handlers : given)?.[endpoint.name]
      if (handle === undefined) throw new Error(`Nothing handles ${endpoint.method} ${endpoint.path}.`)
      operations.push(
        operation(
          endpoint as unknown as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
          group.identifier,
          mergedAnnotations,
          handle,
          manner
        )
      )
    }
  })
  return {
    operations,
    manner: usual(options.admission as Admission<unknown>),
    documents: options.documents ?? [],
    annexes: options.annexes ?? []
  }
}

interface UntypedHandlers {
  readonly [endpoint: string]: Operation["handle"]
}

interface UntypedApart {
  readonly manner: Manner<unknown>
  readonly handlers: UntypedHandlers
}

const isApart = (given: UntypedHandlers | UntypedApart | undefined): given is UntypedApart =>
  given !== undefined && typeof given.manner === "object"

type Groups<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer _Error, infer _R> ? Groups : never
