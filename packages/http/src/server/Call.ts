import type { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import {
  type Answer,
  type CommitError,
  type Draft,
  type Idempotency,
  invalid,
  joinProblems,
  type Refusal
} from "@parley/core"
import { Effect } from "effect"
import type { Manner } from "./Manner.js"

/** A request that passed every check before its operation's own (decisions.md §2, steps 1 to 6). */
export interface Call<Caller, Path, Query, Body, Key> {
  readonly caller: Caller
  readonly path: Path
  readonly query: Draft<Query>
  readonly body: Draft<Body>
  /** Null where the operation takes no `Idempotency-Key`, or does without and none was given. */
  readonly idempotency: Key
  readonly requestId: string
  /** The whole URL of the request, for links (decisions.md §11). */
  readonly url: string
  /** The beginning of {@link url} that everything served here has, without a slash at its end. */
  readonly base: string
}

/** The query and the body, when neither has a problem; else `validation_failed` with all of them. */
export const valid = <Query, Body>(call: {
  readonly query: Draft<Query>
  readonly body: Draft<Body>
}): Effect.Effect<{ readonly query: Query; readonly body: Body }, Refusal> => {
  const problems = joinProblems(call.query.problems, call.body.problems)
  return Object.keys(problems).length === 0
    ? Effect.succeed({ query: call.query.value as Query, body: call.body.value as Body })
    : Effect.fail(invalid(problems))
}

/** What carries out an endpoint: answers the success in the contract's type, or an {@link Answer} that is ready to go. */
export type Handler<Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any, Caller> = (
  call: Call<
    Caller,
    Given<HttpApiEndpoint.HttpApiEndpoint.PathParsed<Endpoint>>,
    Given<HttpApiEndpoint.HttpApiEndpoint.UrlParams<Endpoint>>,
    Given<HttpApiEndpoint.HttpApiEndpoint.Payload<Endpoint>>,
    KeyOf<HttpApiEndpoint.HttpApiEndpoint.Headers<Endpoint>>
  >
) => Effect.Effect<HttpApiEndpoint.HttpApiEndpoint.Success<Endpoint> | Answer, Refusal | CommitError>

/** A handler for every endpoint of every group, by their names in the contract. */
export type Handlers<Groups extends HttpApiGroup.HttpApiGroup.Any, Caller> = {
  readonly [Name in HttpApiGroup.HttpApiGroup.Name<Groups>]:
    | GroupHandlers<HttpApiGroup.HttpApiGroup.WithName<Groups, Name>, Caller>
    | Apart<HttpApiGroup.HttpApiGroup.WithName<Groups, Name>>
}

/** A group that is served in another manner than the rest of its contract. */
export interface Apart<Group extends HttpApiGroup.HttpApiGroup.Any> {
  readonly manner: Manner<unknown>
  readonly handlers: GroupHandlers<Group, unknown>
}

/** A handler for every endpoint of one group. */
export type GroupHandlers<Group extends HttpApiGroup.HttpApiGroup.Any, Caller> = {
  readonly [Name in HttpApiEndpoint.HttpApiEndpoint.Name<HttpApiGroup.HttpApiGroup.Endpoints<Group>>]: Handler<
    HttpApiEndpoint.HttpApiEndpoint.WithName<HttpApiGroup.HttpApiGroup.Endpoints<Group>, Name>,
    Caller
  >
}

/** A section of the request that the contract does not name is empty. */
type Given<Section> = [Section] extends [never] ? Record<never, never> : Section

type KeyOf<Headers> = [Headers] extends [never]
  ? null
  : Headers extends { readonly "idempotency-key": string }
    ? Idempotency
    : Idempotency | null
