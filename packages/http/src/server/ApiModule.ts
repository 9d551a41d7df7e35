import { HttpApi, type HttpApiEndpoint } from "@effect/platform"
import type { Admission } from "./Admission.js"
import type { Handlers } from "./Call.js"
import type { Document } from "./Document.js"
import { compileEndpoint, type Endpoint } from "./Endpoint.js"
import { type EndpointPolicy, jsonPolicy } from "./EndpointPolicy.js"
import type { MountedHandler } from "./MountedHandler.js"
import { type AnswerOnce, type Operation, operation } from "./Operation.js"

/** A contract compiled for serving: its operations, its default policy, its documents and its mounted handlers. */
export interface ApiModule {
  readonly operations: ReadonlyArray<Operation>
  readonly policy: EndpointPolicy<unknown>
  readonly documents: ReadonlyArray<Document>
  readonly mountedHandlers: ReadonlyArray<MountedHandler>
}

/**
 * Compiles a contract with its handlers. To add an endpoint, declare it in the contract and add a handler under its
 * name. The checks before the handler (docs/reference/requests.md#order-of-checks) follow from the contract:
 *
 * - path, query and body schemas; ids in the path use core's `uuid`
 * - scopes: the annotation `RequiredScopes` on the endpoint, its group or the contract
 * - `Idempotency-Key`: `.setHeaders(IdempotencyKey)` or `OptionalIdempotencyKey`, or `AcceptsIdempotencyKeys` on the
 *   contract for all its POST operations
 * - status and response schema: `.addSuccess(single(LeadResource), { status: 201 })`
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
 * const leadsModule = Effect.gen(function* () {
 *   const leads = yield* Leads
 *   return apiModule(Api, {
 *     admission: yield* applicationAdmission,
 *     handlers: {
 *       leads: { get: ({ caller, path }) => Effect.map(leads.get(caller, path.id), (lead) => ({ data: lead })) }
 *     }
 *   })
 * })
 * ```
 *
 * If no rule of the operation needs stored data, its handler begins with `valid(call)`: the query and the body, or 422.
 * A group with its own {@link EndpointPolicy} has `{ policy, handlers }` under its name.
 */
export const apiModule = <Api extends HttpApi.HttpApi.Any, Caller>(
  api: Api,
  options: {
    readonly admission: Admission<Caller>
    readonly handlers: Handlers<Groups<Api>, Caller>
    /** Whether unknown query parameters are 422 instead of ignored. Default: false. */
    readonly refusesUnknownParameters?: boolean
    /** Applies the `Idempotency-Key` of all operations that accept one and take no file. Default: the handlers do. */
    readonly answerOnce?: AnswerOnce<Caller>
    /** Documents served beside the contract. */
    readonly documents?: ReadonlyArray<Document>
    /** Handlers of paths outside of the contract. */
    readonly mountedHandlers?: ReadonlyArray<MountedHandler>
  }
): ApiModule => {
  const handlers = options.handlers as { readonly [group: string]: UntypedHandlers | UntypedGroupWithPolicy }
  const operations = compiled(api).map(({ group, name, endpoint }) => {
    const given = handlers[group]
    const policy = hasPolicy(given) ? given.policy : null
    const handle = (hasPolicy(given) ? given.handlers : given)?.[name]
    if (handle === undefined) throw new Error(`No handler for ${endpoint.method} /${endpoint.segments.join("/")}.`)
    return operation(endpoint, handle, {
      policy,
      refusesUnknownParameters: options.refusesUnknownParameters === true,
      answerOnce: options.answerOnce as AnswerOnce<unknown> | undefined
    })
  })
  return {
    operations,
    policy: jsonPolicy(options.admission as Admission<unknown>),
    documents: options.documents ?? [],
    mountedHandlers: options.mountedHandlers ?? []
  }
}

/** An endpoint, and the names of its group and of its handler. */
interface NamedEndpoint {
  readonly group: string
  readonly name: string
  readonly endpoint: Endpoint
}

const compiledContracts = new WeakMap<HttpApi.HttpApi.Any, ReadonlyArray<NamedEndpoint>>()

/** The endpoints of a contract. Compiled once, because a process may have many engines. */
const compiled = (api: HttpApi.HttpApi.Any): ReadonlyArray<NamedEndpoint> => {
  const known = compiledContracts.get(api)
  if (known !== undefined) return known
  const endpoints: Array<NamedEndpoint> = []
  HttpApi.reflect(api as unknown as HttpApi.HttpApi.AnyWithProps, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations }) => {
      const given = endpoint as unknown as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
      const { identifier } = group
      endpoints.push({
        group: identifier,
        name: endpoint.name,
        endpoint: compileEndpoint(given, identifier, mergedAnnotations)
      })
    }
  })
  compiledContracts.set(api, endpoints)
  return endpoints
}

interface UntypedHandlers {
  readonly [endpoint: string]: Operation["handle"]
}

interface UntypedGroupWithPolicy {
  readonly policy: EndpointPolicy<unknown>
  readonly handlers: UntypedHandlers
}

const hasPolicy = (given: UntypedHandlers | UntypedGroupWithPolicy | undefined): given is UntypedGroupWithPolicy =>
  given !== undefined && typeof given.policy === "object"

type Groups<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer _Error, infer _R> ? Groups : never
