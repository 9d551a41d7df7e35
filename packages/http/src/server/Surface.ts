import { HttpApi, type HttpApiEndpoint } from "@effect/platform"
import type { Admission } from "./Admission.js"
import type { Handlers } from "./Call.js"
import { type Operation, operation } from "./Operation.js"

/** A contract ready to be served: its operations, and who is let in. */
export interface Surface {
  readonly operations: ReadonlyArray<Operation>
  readonly admission: Admission<unknown>
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
 * A handler of an operation without rules that need data begins with `valid(call)`: the query and the body, or 422.
 */
export const surface = <Api extends HttpApi.HttpApi.Any, Caller>(
  api: Api,
  options: {
    readonly admission: Admission<Caller>
    readonly handlers: Handlers<Groups<Api>, Caller>
  }
): Surface => {
  const handlers = options.handlers as {
    readonly [group: string]: { readonly [endpoint: string]: Operation["handle"] }
  }
  const operations: Array<Operation> = []
  HttpApi.reflect(api as unknown as HttpApi.HttpApi.AnyWithProps, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations }) => {
      const handle = handlers[group.identifier]?.[endpoint.name]
      if (handle === undefined) throw new Error(`Nothing handles ${endpoint.method} ${endpoint.path}.`)
      operations.push(
        operation(endpoint as unknown as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps, mergedAnnotations, handle)
      )
    }
  })
  return { operations, admission: options.admission as Admission<unknown> }
}

type Groups<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer _Error, infer _R> ? Groups : never
