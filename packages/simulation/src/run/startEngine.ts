import {
  allowAll,
  Blobs,
  ChannelProviders,
  channelProviders,
  Engine,
  engineSettings,
  HttpSender,
  Ids,
  Notifier,
  type Storage,
  Storage as StorageTag,
  type Wakeup,
  Wakeup as WakeupTag
} from "@parley/core"
import { adminModule, type Interpreter, makeInterpreter, publicModule } from "@parley/http"
import { makeTestIds, plainSecretBox } from "@parley/testkit/services"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import type { Receivers } from "./Receivers.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"
import type { Vendor } from "./Vendor.js"

/** The bearer token of administrators. */
export const adminToken = "simulated-administrator-0123456789"

/** The world around the processes of a history. */
export interface Surroundings {
  readonly vendor: Vendor
  readonly receivers: Receivers
  readonly storage: Storage
  readonly blobs: Blobs
  readonly wakeup: Wakeup
}

/** A running engine behind its HTTP interface. */
export interface StartedEngine extends Pick<Interpreter, "answer"> {
  /** Waits until all requests are answered, at most 10 s, as a host does before it stops. */
  readonly drained: Effect.Effect<void>
}

const countAnswers = (answer: Interpreter["answer"]): StartedEngine => {
  let open = 0
  const drained = Effect.sleep("10 millis").pipe(
    Effect.repeat({ while: () => open > 0 }),
    Effect.timeoutOption("10 seconds")
  )
  return {
    answer: (incoming) =>
      Effect.suspend(() => {
        open++
        return Effect.ensuring(
          answer(incoming),
          Effect.sync(() => open--)
        )
      }),
    drained: Effect.asVoid(drained)
  }
}

/** Starts an engine with a worker and its HTTP interface in a process. The scope ends it, as a shutdown does. */
export const startEngine = (
  process: SimulatedProcess,
  idSeed: number,
  { blobs, receivers, storage, vendor, wakeup }: Surroundings
): Effect.Effect<StartedEngine, unknown, Scope.Scope> => {
  const ports = Layer.mergeAll(plainSecretBox, allowAll, engineSettings({ processName: process.name })).pipe(
    Layer.provideMerge(
      Layer.succeedContext(
        Context.make(StorageTag, storage).pipe(
          Context.add(WakeupTag, wakeup),
          Context.add(Ids, makeTestIds(idSeed)),
          Context.add(ChannelProviders, channelProviders(vendor.providersOf(process))),
          Context.add(HttpSender, {
            post: (request) => receivers.post(process, request),
            get: (url, timeoutMs) => receivers.get(process, url, timeoutMs),
            refusal: () => null
          }),
          Context.add(Blobs, blobs),
          Context.add(Notifier, { notify: () => Effect.void })
        )
      )
    )
  )
  return Effect.gen(function* () {
    const context = yield* Layer.build(Layer.provideMerge(Engine.hosted, ports))
    return yield* Effect.gen(function* () {
      const interpreter = yield* makeInterpreter({
        modules: [yield* publicModule, yield* adminModule(Redacted.make(adminToken))]
      })
      yield* Layer.build(Engine.worker)
      const clock = yield* Effect.clock
      return countAnswers((incoming) => Effect.withClock(interpreter.answer(incoming), clock))
    }).pipe(Effect.provide(context))
  })
}
