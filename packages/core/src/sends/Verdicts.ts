import { Context, Deferred, Effect, Layer } from "effect"
import type { Key } from "../ports/Changes.js"
import type { Verdict } from "./Verdict.js"

/** A send whose answer waits for the verdict. */
export interface Waiting {
  readonly key: Key<"idempotency">
  readonly verdict: Effect.Effect<Verdict>
  /** Ends the wait, whatever came of it. */
  readonly forget: Effect.Effect<void>
}

/** Who in this process waits for a provider's verdict on a message. */
export interface Verdicts {
  /** Begins to wait for the verdict on a message; until it is forgotten, a rejection may free the key. */
  readonly expect: (messageId: string, key: Key<"idempotency">) => Effect.Effect<Waiting>
  /** The key of the send that waits, if one does. */
  readonly awaited: (messageId: string) => Key<"idempotency"> | undefined
  /** Tells the one who waits. */
  readonly tell: (messageId: string, verdict: Verdict) => Effect.Effect<void>
}
export const Verdicts = Context.GenericTag<Verdicts>("@parley/core/Verdicts")

const make = Effect.sync((): Verdicts => {
  const expected = new Map<string, { readonly key: Key<"idempotency">; readonly told: Deferred.Deferred<Verdict> }>()
  return {
    expect: (messageId, key) =>
      Effect.map(Deferred.make<Verdict>(), (told) => {
        expected.set(messageId, { key, told })
        return { key, verdict: Deferred.await(told), forget: Effect.sync(() => expected.delete(messageId)) }
      }),
    awaited: (messageId) => expected.get(messageId)?.key,
    tell: (messageId, verdict) => {
      const one = expected.get(messageId)
      return one === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(one.told, verdict))
    }
  }
})

export const layer: Layer.Layer<Verdicts> = Layer.effect(Verdicts, make)
