import { type ChannelProvider, Dispatcher } from "@parley/core"
import { Effect } from "effect"

/** A provider that can be held up, so that an engine stops handing messages over. */
export interface HeldUp {
  readonly provider: ChannelProvider
  /**
   * Runs with the lane `sends` full of messages whose provider does not answer: the engine has no room to hand over what it
   * accepts, and commits its jobs for others. At most a minute, which is what an engine gives a provider.
   */
  readonly whileHeldUp: <A, E, E2, R>(
    send: Effect.Effect<unknown, E>,
    run: Effect.Effect<A, E2, R>
  ) => Effect.Effect<A, E | E2, R | Dispatcher>
}

/** {@link HeldUp} around this provider. */
export const holdUp = (provider: ChannelProvider): HeldUp => {
  const gate = Effect.unsafeMakeLatch(true)
  const atRest = (dispatcher: Dispatcher) => dispatcher.room("sends") === dispatcher.limits.sends.concurrency
  return {
    provider: { ...provider, send: (...handed) => gate.whenOpen(provider.send(...handed)) },
    whileHeldUp: (send, run) =>
      Effect.gen(function* () {
        const dispatcher = yield* Dispatcher
        yield* gate.close
        while (dispatcher.room("sends") > 0) yield* send
        const result = yield* run
        yield* gate.open
        while (!atRest(dispatcher)) yield* Effect.sleep(10)
        return result
      })
  }
}
