import { ParleyError } from "@parley/client"
import { type CommitError, catalogue, type Refusal } from "@parley/core"
import { Cause, Effect, Exit, Runtime } from "effect"

/** Runs an effect for a caller without Effect. Rejects with {@link ParleyError}. */
export type RunPromise = <A>(effect: Effect.Effect<A, Refusal | CommitError>) => Promise<A>

export const runPromise: Effect.Effect<RunPromise> = Effect.map(Effect.runtime<never>(), (runtime) => {
  const run = Runtime.runPromiseExit(runtime)
  return async (effect) => {
    const exit = await run(effect)
    if (Exit.isSuccess(exit)) return exit.value
    const failure = Cause.squash(exit.cause)
    throw isFailure(failure) ? errorOf(failure) : failure
  }
})

const isFailure = (error: unknown): error is Refusal | CommitError =>
  typeof error === "object" && error !== null && "_tag" in error

const errorOf = (failure: Refusal | CommitError): ParleyError => {
  if (failure._tag !== "Refusal") {
    return new ParleyError({ code: "service_unavailable", status: 503, message: failure.message, cause: failure })
  }
  const { code, details, message } = failure
  return new ParleyError({ code, status: catalogue[code].status, message, details })
}
