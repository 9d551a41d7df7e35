import { Effect } from "effect"

/**
 * A call of provider code that returned this. Dies if it is no Effect, such as the promise of an `async` function in
 * JavaScript. An interrupted call that cannot be interrupted, such as one that opens a connection, goes on beside, so
 * that its caller need not wait for it.
 */
export const asEffect = <A, E>(name: string, result: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  if (Effect.isEffect(result)) return Effect.disconnect(result)
  ignoreRejection(result)
  return Effect.die(
    new TypeError(`${name} of the provider must return an Effect: Effect.tryPromise makes one of a promise`)
  )
}

/** Without a handler, the unexpected promise's rejection would end the process. */
export const ignoreRejection = (result: unknown): void => {
  if (result instanceof Promise) result.catch(() => {})
}
