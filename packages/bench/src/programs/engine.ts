import { SandboxProvider } from "@parley/channel-sandbox"
import { Storage } from "@parley/core"
import { Effect, ManagedRuntime } from "effect"
import { allocatedBy } from "../measuring/allocatedBy.js"
import { callers, measure, type RoundResult, rateOf, untilElapsed } from "../measuring/RoundResult.js"
import { idleEngineOn, workingEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { type Seed, seed } from "../world/seed.js"
import { admittedSender, clientSender, sender } from "../world/send.js"
import type { Handles } from "../world/traffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface EngineSetting {
  readonly store: Store
  readonly seed: Seed
  /** Idle lanes leave accepted messages unsent. */
  readonly lanes: "idle" | "running"
  /**
   * What sends: the engine's service for a caller that was authenticated once, the service with a check of the
   * application for each message, or the client of an application in this process. Default: the service.
   */
  readonly by?: "service" | "admitted" | "client"
  /** Whether the vendor recognises a repeated send, so that attempts need no record of their own. Default: true. */
  readonly vendorDedupes?: boolean
}

/**
 * Sends for a duration; or sends a number of messages and waits until no job is left, or measures what that allocates.
 */
export type EngineOrder =
  | { readonly seconds: number; readonly handles: Handles }
  | { readonly messages: number; readonly handles: Handles; readonly measures?: "time" | "allocation" }

/** Bytes on V8's heap for each message. */
export interface Allocation {
  readonly bytes: number
}

const setting = settingOf<EngineSetting>()
await seed(setting.store, setting.seed)
const { by = "service", vendorDedupes = true } = setting
const runtime = ManagedRuntime.make(
  setting.lanes === "idle"
    ? idleEngineOn(setting.store)
    : workingEngineOn(setting.store, { ...SandboxProvider, dedupes: vendorDedupes })
)
const service = await runtime.runPromise(by === "admitted" ? admittedSender : sender)
/** For callers without Effect, as in a program that embeds the engine. */
const call: (handles: Handles) => Promise<unknown> =
  by === "client" ? await runtime.runPromise(clientSender) : (handles) => runtime.runPromise(service(handles))
const storage = await runtime.runPromise(Storage)

const sendFor = (seconds: number, handles: Handles): Effect.Effect<RoundResult> =>
  Effect.promise(() => measure(untilElapsed(seconds), () => call(handles)))

const story = (count: number, handles: Handles): Effect.Effect<RoundResult, unknown> =>
  Effect.gen(function* () {
    const cpu = process.cpuUsage()
    const start = performance.now()
    yield* Effect.forEach(Array.from({ length: count }), () => service(handles), {
      concurrency: callers,
      discard: true
    })
    const anyJob = storage.list({ from: "jobs", where: {}, after: null, limit: 1 })
    while ((yield* anyJob).length > 0) yield* Effect.sleep(20)
    const elapsedMs = performance.now() - start
    const { system, user } = process.cpuUsage(cpu)
    return rateOf(count, elapsedMs, user + system)
  })

const allocation = async (count: number, handles: Handles): Promise<Allocation> => ({
  bytes: (await allocatedBy(() => runtime.runPromise(story(count, handles)))) / count
})

answerOrders<EngineOrder>((order) => {
  if ("seconds" in order) return runtime.runPromise(sendFor(order.seconds, order.handles))
  return order.measures === "allocation"
    ? allocation(order.messages, order.handles)
    : runtime.runPromise(story(order.messages, order.handles))
})
