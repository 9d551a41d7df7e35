import type { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import {
  type Answer,
  type CommitError,
  type Idempotency,
  invalid,
  joinProblems,
  type PartialDecode,
  type Refusal
} from "@parley/core"
import { Effect } from "effect"
import type { EndpointPolicy } from "./EndpointPolicy.js"
import type { Incoming } from "./Incoming.js"

/** A request that passed all checks before the operation (docs/reference/requests.md#order-of-checks). */
export interface Call<Caller, Path, Query, Body, Key> {
  readonly caller: Caller
  readonly path: Path
  readonly query: PartialDecode<Query>
  readonly body: PartialDecode<Body>
  /** Null if the operation takes no `Idempotency-Key`, or if the key is optional and absent. */
  readonly idempotency: Key
  readonly requestId: string
  /** For operations that read their body themselves. */
  readonly incoming: Incoming
  /** Full URL of the request, for links (docs/reference/pagination.md#links). */
  readonly url: string
  /** Base URL of this service, the beginning of {@link url}, without a trailing slash. */
  readonly base: string
}

/** Query and body if both are valid; else fails with `validation_failed` and all problems. */
export const valid = <Query, Body>(call: {
  readonly query: PartialDecode<Query>
  readonly body: PartialDecode<Body>
}): Effect.Effect<{ readonly query: Query; readonly body: Body }, Refusal> => {
  const problems = joinProblems(call.query.problems, call.body.problems)
  return Object.keys(problems).length === 0
    ? Effect.succeed({ query: call.query.value as Query, body: call.body.value as Body })
    : Effect.fail(invalid(problems))
}

/** Handler of an endpoint. Returns the success in the contract's type, or an {@link Answer} that is sent as is. */
export type Handler<Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any, Caller> = (
  call: Call<
    Caller,
    Given<HttpApiEndpoint.HttpApiEndpoint.PathParsed<Endpoint>>,
    Given<HttpApiEndpoint.HttpApiEndpoint.UrlParams<Endpoint>>,
    Given<HttpApiEndpoint.HttpApiEndpoint.Payload<Endpoint>>,
    KeyOf<HttpApiEndpoint.HttpApiEndpoint.Headers<Endpoint>>
  >
) => Effect.Effect<HttpApiEndpoint.HttpApiEndpoint.Success<Endpoint> | Answer, Refusal | CommitError>

/** A handler for every endpoint of every group, by the names in the contract. */
export type Handlers<Groups extends HttpApiGroup.HttpApiGroup.Any, Caller> = {
  readonly [Name in HttpApiGroup.HttpApiGroup.Name<Groups>]:
    | GroupHandlers<HttpApiGroup.HttpApiGroup.WithName<Groups, Name>, Caller>
    | GroupWithPolicy<HttpApiGroup.HttpApiGroup.WithName<Groups, Name>>
}

/** A group whose policy differs from that of its contract. */
export interface GroupWithPolicy<Group extends HttpApiGroup.HttpApiGroup.Any> {
  readonly policy: EndpointPolicy<unknown>
  readonly handlers: GroupHandlers<Group, unknown>
}

/** A handler for every endpoint of one group. */
export type GroupHandlers<Group extends HttpApiGroup.HttpApiGroup.Any, Caller> = {
  readonly [Name in HttpApiEndpoint.HttpApiEndpoint.Name<HttpApiGroup.HttpApiGroup.Endpoints<Group>>]: Handler<
    HttpApiEndpoint.HttpApiEndpoint.WithName<HttpApiGroup.HttpApiGroup.Endpoints<Group>, Name>,
    Caller
  >
}

/** Sections of the request that the contract does not declare are empty. */
type Given<Section> = [Section] extends [never] ? Record<never, never> : Section

type KeyOf<Headers> = [Headers] extends [never]
  ? null
  : Headers extends { readonly "idempotency-key": string }
    ? Idempotency
    : Idempotency | null
