import { Context, Deferred, Effect, Layer } from "effect"
import type { Key } from "../../ports/Changes.js"
import type { Verdict } from "./Verdict.js"

/** A request that waits for the verdict on its send. */
export interface Waiting {
  readonly key: Key<"idempotency">
  readonly verdict: Effect.Effect<Verdict>
  /** Ends the wait, with or without a verdict. */
  readonly forget: Effect.Effect<void>
}

/** The requests of this process that wait for a provider's verdict. */
export interface Verdicts {
  /** Registers a wait for the verdict on a message. Until it is forgotten, a rejection may free the key. */
  readonly expect: (messageId: string, key: Key<"idempotency">) => Effect.Effect<Waiting>
  /** The idempotency key of the waiting request, if there is one. */
  readonly awaitedKey: (messageId: string) => Key<"idempotency"> | undefined
  /** Completes the wait with this verdict. No effect if no request waits. */
  readonly resolve: (messageId: string, verdict: Verdict) => Effect.Effect<void>
}
export const Verdicts = Context.GenericTag<Verdicts>("@parley/core/Verdicts")

const make = Effect.sync((): Verdicts => {
  const expected = new Map<string, { readonly key: Key<"idempotency">; readonly verdict: Deferred.Deferred<Verdict> }>()
  return {
    expect: (messageId, key) =>
      Effect.map(Deferred.make<Verdict>(), (verdict) => {
        expected.set(messageId, { key, verdict })
        return { key, verdict: Deferred.await(verdict), forget: Effect.sync(() => expected.delete(messageId)) }
      }),
    awaitedKey: (messageId) => expected.get(messageId)?.key,
    resolve: (messageId, verdict) => {
      const one = expected.get(messageId)
      return one === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(one.verdict, verdict))
    }
  }
})

export const layer: Layer.Layer<Verdicts> = Layer.effect(Verdicts, make)
