import {
  Administration,
  allowAll,
  Blobs,
  ChannelProviders,
  DatabaseClock,
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
import { adminModule, type Incoming, type Interpreter, makeInterpreter, publicModule } from "@parley/http"
import { MemoryBlobs } from "@parley/node"
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
  readonly wakeup: Wakeup
}

/** Starts an engine with a worker and its HTTP interface in a process. The scope ends it, as a shutdown does. */
export const startEngine = (
  process: SimulatedProcess,
  idSeed: number,
  { receivers, storage, vendor, wakeup }: Surroundings
): Effect.Effect<Pick<Interpreter, "answer">, unknown, Scope.Scope> => {
  const ports = Layer.mergeAll(
    Layer.succeed(StorageTag, storage),
    Layer.succeed(WakeupTag, wakeup),
    Layer.succeed(Ids, makeTestIds(idSeed)),
    Layer.succeed(ChannelProviders, { byKind: vendor.providersOf(process) }),
    Layer.succeed(HttpSender, { post: (request) => receivers.post(process, request), refusal: () => null }),
    Layer.succeed(Blobs, MemoryBlobs.make()),
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
      return { answer: (incoming: Incoming) => Effect.withClock(interpreter.answer(incoming), clock) }
    }).pipe(Effect.provide(context))
  })
}
