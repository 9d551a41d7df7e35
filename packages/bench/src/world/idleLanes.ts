import { type ChannelProvider, Dispatcher } from "@parley/core"
import { Effect } from "effect"

/** A provider that can be held up, so that an engine stops handing messages over. */
export interface HeldUp {
  readonly provider: ChannelProvider
  /**
   * Fills the lane `sends` with messages whose provider does not answer: the engine has no room to hand over what it accepts
   * from then on, and commits its jobs for others. Lasts a minute at most, which is what an engine gives a provider.
   */
  readonly hold: <A, E, R>(send: Effect.Effect<A, E, R>) => Effect.Effect<void, E, R | Dispatcher>
  /** Lets the provider answer, and waits until the lane is empty. */
  readonly release: Effect.Effect<void, never, Dispatcher>
}

/** {@link HeldUp} around this provider. */
export const holdUp = (provider: ChannelProvider): HeldUp => {
  const gate = Effect.unsafeMakeLatch(true)
  return {
    provider: { ...provider, send: (...handed) => gate.whenOpen(provider.send(...handed)) },
    hold: (send) =>
      Effect.gen(function* () {
        const dispatcher = yield* Dispatcher
        yield* gate.close
        while (dispatcher.room("sends") > 0) yield* send
      }),
    release: Effect.gen(function* () {
      const { limits, room } = yield* Dispatcher
      yield* gate.open
      while (room("sends") < limits.sends.concurrency) yield* Effect.sleep(10)
    })
  }
}
