import type { Answer, CommitError, Idempotency, Problems, Refusal } from "@parley/core"
import { Effect } from "effect"
import type { Call } from "./Call.js"
import type { Endpoint } from "./Endpoint.js"
import type { EndpointPolicy } from "./EndpointPolicy.js"
import { answerOf } from "./HttpOutcome.js"

/** An endpoint with its handler. */
export interface Operation extends Endpoint {
  readonly handle: (call: UntypedCall) => Effect.Effect<unknown, Refusal | CommitError>
  /** Policy of its group; null: that of its API module. */
  readonly policy: EndpointPolicy<unknown> | null
}

type UntypedCall = Call<unknown, unknown, unknown, unknown, unknown>

/**
 * Carries out, once for each key, an operation that has no idempotency of its own. `answer` is its response; the change
 * of state that it decides is committed with it.
 */
export type AnswerOnce<Caller> = (
  request: { readonly caller: Caller; readonly idempotency: Idempotency; readonly showsSecret: boolean },
  answer: Effect.Effect<Answer, Refusal | CommitError>
) => Effect.Effect<Answer, Refusal | CommitError>

/** Properties that all operations of a module have. */
interface Module {
  readonly refusesUnknownParameters: boolean
  readonly answerOnce: AnswerOnce<unknown> | undefined
}

const noProblems: Problems = {}

/** Adds its handler to an endpoint. */
export const operation = (
  endpoint: Endpoint,
  handle: Operation["handle"],
  { answerOnce, policy, refusesUnknownParameters }: Pick<Operation, "policy"> & Module
): Operation => {
  const handleOnce =
    (answerOnce: AnswerOnce<unknown>): Operation["handle"] =>
    (call) => {
      const { caller, idempotency } = call as Call<unknown, unknown, unknown, unknown, Idempotency | null>
      if (idempotency === null) return handle(call)
      const answer = Effect.map(handle(call), (result) => answerOf(endpoint, result))
      return answerOnce({ caller, idempotency, showsSecret: endpoint.showsSecret }, answer)
    }
  return {
    ...endpoint,
    ...(refusesUnknownParameters ? {} : { unknownParameters: () => noProblems }),
    handle: answerOnce === undefined || endpoint.takesFile ? handle : handleOnce(answerOnce),
    policy
  }
}
