import { randomUUID } from "node:crypto"
import { Access, fingerprint, Messages, sendMessageDraft, Storage } from "@parley/core"
import { SandboxProvider } from "@parley/channel-sandbox"
import { Effect, ManagedRuntime } from "effect"
import { callers, measure, type Round } from "../measuring/Round.js"
import { holdUp } from "../world/idleLanes.js"
import { engineOn, workingEngineOn } from "../world/parley.js"
import { apiKey, type Seed, seed } from "../world/seed.js"
import type { Store } from "../world/Store.js"
import { bodyOf, type Handles, handleNumbers, handleOf } from "../world/traffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface EngineSetting {
  readonly store: Store
  readonly seed: Seed
  /** Idle: what is accepted is left to others. */
  readonly lanes: "idle" | "running"
}

/** Sends for so long; or so many, until nothing is left to do about any of them. */
export type EngineOrder =
  | { readonly seconds: number; readonly handles: Handles }
  | { readonly messages: number; readonly handles: Handles }

const setting = settingOf<EngineSetting>()
await seed(setting.store, setting.seed)
const { provider, whileHeldUp } = holdUp(SandboxProvider)
const runtime = ManagedRuntime.make(
  setting.lanes === "idle" ? engineOn(setting.store, provider) : workingEngineOn(setting.store, provider)
)
const caller = await runtime.runPromise(Effect.flatMap(Access, (access) => access.authenticate(apiKey, "write")))
const messages = await runtime.runPromise(Messages)
const storage = await runtime.runPromise(Storage)
const next = handleNumbers()

const send = (handles: Handles) =>
  Effect.suspend(() => {
    const body = bodyOf(handleOf(next(handles)))
    const idempotency = { key: randomUUID(), fingerprint: fingerprint("POST", "/api/v1/messages", body) }
    return messages.send(caller, { draft: sendMessageDraft(body), idempotency, requestId: randomUUID() })
  })

const sendFor = (seconds: number, handles: Handles): Effect.Effect<Round> =>
  Effect.promise(() => measure(seconds, () => runtime.runPromise(send(handles))))

const story = (count: number, handles: Handles): Effect.Effect<Round, unknown> =>
  Effect.gen(function* () {
    const cpu = process.cpuUsage()
    const start = performance.now()
    yield* Effect.forEach(Array.from({ length: count }), () => send(handles), { concurrency: callers, discard: true })
    const anyJob = storage.list({ from: "jobs", where: {}, after: null, limit: 1 })
    while ((yield* anyJob).length > 0) yield* Effect.sleep(20)
    const elapsed = performance.now() - start
    const { system, user } = process.cpuUsage(cpu)
    return { count, perSecond: (count / elapsed) * 1_000, p50: null, p99: null, cpuMicros: (user + system) / count }
  })

answerOrders<EngineOrder>((order) => {
  if ("messages" in order) return runtime.runPromise(story(order.messages, order.handles))
  const sending = sendFor(order.seconds, order.handles)
  return runtime.runPromise(setting.lanes === "idle" ? whileHeldUp(send("known"), sending) : sending)
})
