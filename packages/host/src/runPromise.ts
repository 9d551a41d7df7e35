import { ParleyError } from "@parley/client"
import { type CommitError, catalogue, type Refusal } from "@parley/core"
import { Cause, Effect, Exit, Runtime } from "effect"

/** Runs an effect for a caller without Effect. Rejects with {@link ParleyError}. */
export type RunPromise = <A>(effect: Effect.Effect<A, Refusal | CommitError>) => Promise<A>

/** As {@link RunPromise}, but without a promise if the effect waits for nothing. Throws {@link ParleyError}. */
export type RunNow = <A>(effect: Effect.Effect<A, Refusal | CommitError>) => A | Promise<A>

export const runNow: Effect.Effect<RunNow> = Effect.map(Effect.runtime<never>(), (runtime) => {
  const start = Runtime.runFork(runtime)
  return <A>(effect: Effect.Effect<A, Refusal | CommitError>) => {
    const fiber = start(effect)
    const exit = fiber.unsafePoll()
    if (exit !== null) return resultOf(exit)
    return new Promise<Exit.Exit<A, Refusal | CommitError>>((resolve) => fiber.addObserver(resolve)).then(resultOf)
  }
})

export const runPromise: Effect.Effect<RunPromise> = Effect.map(runNow, (run) => async (effect) => run(effect))

const resultOf = <A>(exit: Exit.Exit<A, Refusal | CommitError>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  const failure = Cause.squash(exit.cause)
  throw isFailure(failure) ? errorOf(failure) : failure
}

const isFailure = (error: unknown): error is Refusal | CommitError =>
  typeof error === "object" && error !== null && "_tag" in error

const errorOf = (failure: Refusal | CommitError): ParleyError => {
  if (failure._tag !== "Refusal") {
    return new ParleyError({ code: "service_unavailable", status: 503, message: failure.message, cause: failure })
  }
  const { code, details, message } = failure
  return new ParleyError({ code, status: catalogue[code].status, message, details })
}
