import { Effect, type Scope } from "effect"
import type { Storage } from "../src/ports/Storage.js"

/** The methods of the port; `check` is a value. */
type Method = Exclude<keyof Storage, "check">

/** Scripted results of a method: one effect for each call in order, or a function of the arguments for all calls. */
type Answers<M extends Method> = ReadonlyArray<ReturnType<Storage[M]>> | ((...given: Parameters<Storage[M]>) => unknown)

export type Script = { readonly [M in Method]?: Answers<M> }

/** A recorded call. */
export interface Call {
  readonly method: string
  readonly given: ReadonlyArray<unknown>
}

/**
 * A storage without a database, which returns scripted results and records its calls. A call without a scripted result
 * dies. It also fails the test when the scope closes, in case the code under test catches defects.
 */
export const scriptedStorage = (
  script: Script
): Effect.Effect<
  { readonly storage: Storage; readonly calls: Array<Call>; readonly callsOf: (method: Method) => ReadonlyArray<Call> },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const calls: Array<Call> = []
    const unscripted: Array<string> = []
    const callsOf = (method: Method) => calls.filter((call) => call.method === method)

    const answer = (method: string, given: ReadonlyArray<unknown>): Effect.Effect<unknown, unknown> => {
      const answers = script[method as Method] as Answers<Method> | undefined
      const place = callsOf(method as Method).length
      calls.push({ method, given })
      const next =
        typeof answers === "function"
          ? (answers as (...given: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>)(...given)
          : answers?.[place]
      if (next !== undefined) return next as Effect.Effect<unknown, unknown>
      unscripted.push(`call ${place + 1} of ${method}`)
      return Effect.dieMessage(`no scripted result for call ${place + 1} of ${method}`)
    }
    yield* Effect.addFinalizer(() =>
      unscripted.length === 0 ? Effect.void : Effect.dieMessage(`unscripted calls: ${unscripted.join(", ")}`)
    )
    const storage = new Proxy({} as Storage, {
      get:
        (_, method: string) =>
        (...given: ReadonlyArray<unknown>) =>
          Effect.suspend(() => answer(method, given))
    })
    return { storage, calls, callsOf }
  })
