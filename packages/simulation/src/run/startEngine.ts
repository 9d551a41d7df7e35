import {
  Administration,
  allowAll,
  Blobs,
  ChannelProviders,
  channelProviders,
  DatabaseClock,
  Engine,
  Enqueued,
  engineSettings,
  HttpSender,
  Ids,
  Notifier,
  type Storage,
  Storage as StorageTag,
  Subscriptions,
  type Wakeup,
  Wakeup as WakeupTag
} from "@parley/core"
import { adminModule, type Interpreter, makeInterpreter, publicModule } from "@parley/http"
import { makeTestIds, plainSecretBox } from "@parley/testkit/services"
import { Effect, Layer, Logger, Redacted, type Scope } from "effect"
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
  readonly subscribe: Subscriptions["subscribe"]
  readonly enqueued: Pick<Enqueued, "prepare" | "outcome">
}

const countAnswers = (answer: Interpreter["answer"]): Pick<StartedEngine, "answer" | "drained"> => {
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
  const ports = Layer.mergeAll(
    Layer.succeed(StorageTag, storage),
    Layer.succeed(WakeupTag, wakeup),
    Layer.succeed(Ids, makeTestIds(idSeed)),
    Layer.succeed(ChannelProviders, channelProviders(vendor.providersOf(process))),
    Layer.succeed(HttpSender, {
      post: (request) => receivers.post(process, request),
      get: (url, timeoutMs) => receivers.get(process, url, timeoutMs),
      refusal: () => null
    }),
    Layer.succeed(Blobs, blobs),
    Layer.succeed(Notifier, { notify: () => Effect.void }),
    plainSecretBox,
    allowAll,
    engineSettings({ processName: process.name })
  )
  const engine = Administration.layer.pipe(
    Layer.provideMerge(Engine.layer),
    Layer.provideMerge(DatabaseClock.measured),
    Layer.provideMerge(ports),
    Layer.provideMerge(Logger.remove(Logger.defaultLogger))
  )
  return Effect.gen(function* () {
    const context = yield* Layer.build(engine)
    return yield* Effect.gen(function* () {
      const interpreter = yield* makeInterpreter({
        modules: [yield* publicModule, yield* adminModule(Redacted.make(adminToken))]
      })
      yield* Layer.build(Engine.worker)
      const clock = yield* Effect.clock
      const { subscribe } = yield* Subscriptions
      const { outcome, prepare } = yield* Enqueued
      return {
        ...countAnswers((incoming) => Effect.withClock(interpreter.answer(incoming), clock)),
        subscribe: (subscription: Parameters<StartedEngine["subscribe"]>[0]) =>
          Effect.withClock(subscribe(subscription), clock),
        enqueued: {
          prepare: (...given: Parameters<Enqueued["prepare"]>) => Effect.withClock(prepare(...given), clock),
          outcome
        }
      }
    }).pipe(Effect.provide(context))
  })
}
