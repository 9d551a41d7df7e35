import { Context, Deferred, Effect } from "effect"
import type { StoredAnswer } from "../access/idempotency.js"
import type { Verdict } from "./Verdict.js"

/** A request that waits for the verdict on its send. */
export interface Waiting {
  readonly stored: StoredAnswer
  readonly verdict: Effect.Effect<Verdict>
  /** Ends the wait, with or without a verdict. */
  readonly forget: Effect.Effect<void>
}

/** The requests of this process that wait for a provider's verdict. */
export interface Verdicts {
  /** Registers a wait for the verdict on a message. Until it is forgotten, a rejection may free the key. */
  readonly expect: (messageId: string, stored: StoredAnswer) => Effect.Effect<Waiting>
  /** The stored response of the waiting request, if there is one. */
  readonly awaited: (messageId: string) => StoredAnswer | undefined
  /** Completes the wait with this verdict. No effect if no request waits. */
  readonly resolve: (messageId: string, verdict: Verdict) => Effect.Effect<void>
}
export const Verdicts = Context.GenericTag<Verdicts>("@parley/core/Verdicts")

export const make = Effect.sync((): Verdicts => {
  const expected = new Map<string, { readonly stored: StoredAnswer; readonly verdict: Deferred.Deferred<Verdict> }>()
  return {
    expect: (messageId, stored) =>
      Effect.map(Deferred.make<Verdict>(), (verdict) => {
        expected.set(messageId, { stored, verdict })
        return { stored, verdict: Deferred.await(verdict), forget: Effect.sync(() => expected.delete(messageId)) }
      }),
    awaited: (messageId) => expected.get(messageId)?.stored,
    resolve: (messageId, verdict) => {
      const one = expected.get(messageId)
      return one === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(one.verdict, verdict))
    }
  }
})
