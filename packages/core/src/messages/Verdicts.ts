import { Context, Deferred, Effect, Layer } from "effect"
import type { Key } from "../ports/Changes.js"
import type { Verdict } from "./recordOutcome.js"

/** Who in this process waits for a provider's verdict on a message. */
export interface Verdicts {
  /** Waits for the verdict on a message; while it does, a rejection may free the key. */
  readonly await: (messageId: string, key: Key<"idempotency">) => Effect.Effect<Verdict>
  /** The key of the send that waits, if one does. */
  readonly awaited: (messageId: string) => Key<"idempotency"> | undefined
  /** Tells the one who waits. */
  readonly tell: (messageId: string, verdict: Verdict) => Effect.Effect<void>
}
export const Verdicts = Context.GenericTag<Verdicts>("@parley/core/Verdicts")

interface Waiting {
  readonly key: Key<"idempotency">
  readonly verdict: Deferred.Deferred<Verdict>
}

const make = Effect.sync((): Verdicts => {
  const waiting = new Map<string, Waiting>()
  return {
    await: (messageId, key) =>
      Effect.flatMap(Deferred.make<Verdict>(), (verdict) => {
        waiting.set(messageId, { key, verdict })
        return Effect.ensuring(
          Deferred.await(verdict),
          Effect.sync(() => waiting.delete(messageId))
        )
      }),
    awaited: (messageId) => waiting.get(messageId)?.key,
    tell: (messageId, verdict) => {
      const one = waiting.get(messageId)
      return one === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(one.verdict, verdict))
    }
  }
})

export const layer: Layer.Layer<Verdicts> = Layer.effect(Verdicts, make)
