import { Storage } from "@parley/core"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { atRate } from "../measuring/atRate.js"
import { percentileOf } from "../measuring/percentileOf.js"
import { workingEngineOn } from "../world/parley.js"
import { type Store, storageOf } from "../world/Store.js"
import { type Seed, seed } from "../world/seed.js"
import { sender } from "../world/send.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface SnapshotSetting {
  readonly store: Store
  readonly seed: Seed
}

/** Sends to known contacts at this rate for a duration, and measures the claims of the last `measured` seconds. */
export interface SnapshotOrder {
  readonly seconds: number
  readonly measured: number
  readonly messagesPerSecond: number
}

/** The claims of a round. */
export interface Claims {
  readonly count: number
  /** In ms. */
  readonly p50: number
  readonly p99: number
  readonly mean: number
}

const setting = settingOf<SnapshotSetting>()
await seed(setting.store, setting.seed)

/** Time and duration of each claim, in ms. */
let claims: Array<readonly [at: number, duration: number]> = []
const observed = Layer.map(storageOf(setting.store), (context) => {
  const given = Context.get(context, Storage)
  return Context.add(context, Storage, {
    ...given,
    claimJobs: (request) =>
      Effect.suspend(() => {
        const at = performance.now()
        return Effect.tap(given.claimJobs(request), () => Effect.sync(() => claims.push([at, performance.now() - at])))
      })
  })
})
const runtime = ManagedRuntime.make(workingEngineOn(observed))
const send = await runtime.runPromise(sender)

answerOrders<SnapshotOrder>(async ({ measured, messagesPerSecond, seconds }): Promise<Claims> => {
  claims = []
  const from = performance.now() + (seconds - measured) * 1_000
  await atRate(messagesPerSecond, seconds, () => runtime.runPromise(send("known")))
  const durations = claims.flatMap(([at, duration]) => (at >= from ? [duration] : []))
  const rank = percentileOf(durations)
  const mean = durations.reduce((sum, duration) => sum + duration, 0) / durations.length
  return { count: durations.length, p50: rank(0.5), p99: rank(0.99), mean }
})
