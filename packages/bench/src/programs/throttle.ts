import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Access, changes, decodeSendMessageInput, expect, fingerprint, Messages, row, Storage, set } from "@parley/core"
import { aConnection } from "@parley/testkit/rows"
import { Effect, ManagedRuntime } from "effect"
import { percentileOf } from "../measuring/percentileOf.js"
import { pacedProvider } from "../world/pacedProvider.js"
import { workingEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { apiKey, applicationId, type Seed, seed, workspaceId } from "../world/seed.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface ThrottleSetting {
  readonly store: Store
  readonly seed: Seed
  readonly connections: number
}

/** Queues messages on the throttled connection; or sends on all others for a duration and measures each. */
export type ThrottleOrder =
  | { readonly backlog: number }
  | { readonly seconds: number; readonly messagesPerSecond: number }

/** Time from the call until the provider has the message, in ms, without the throttled connection. */
export interface Latencies {
  readonly p50: number
  readonly p99: number
  /** Number of messages of the throttled connection sent meanwhile. */
  readonly throttled: number
}

const setting = settingOf<ThrottleSetting>()
await seed(setting.store, setting.seed)
const connectionIds = Array.from({ length: setting.connections }, () => randomUUID())
const throttledId = connectionIds[0] ?? ""
const { provider, taken } = pacedProvider(throttledId)
const runtime = ManagedRuntime.make(workingEngineOn(setting.store, provider))
const throttled = new Set<string>()

const connect = Effect.flatMap(Storage, (storage) =>
  storage.commit(
    changes(workspaceId, {
      expects: [expect("applications", { id: applicationId })],
      sets: [set("applications", { id: applicationId }, { connectionIds })],
      inserts: connectionIds.map((id) =>
        row("connections", aConnection({ id, workspaceId, config: { verdict_wait_ms: 0 } }))
      )
    })
  )
)
await runtime.runPromise(connect)

let sent = 0
/** Returns the message's id. */
const send = (connectionId: string): Promise<string> =>
  runtime.runPromise(
    Effect.gen(function* () {
      const caller = yield* (yield* Access).authenticate(apiKey, "write")
      const body = {
        channel: "whatsapp",
        to: `+49170${String(sent++).padStart(8, "0")}`,
        type: "text",
        connection_id: connectionId,
        message: { body: "Your order is on its way." }
      }
      const idempotency = { key: randomUUID(), fingerprint: fingerprint("POST", "/api/v1/messages", body) }
      const { send } = yield* Messages
      const answer = yield* send(caller, {
        decoded: decodeSendMessageInput(body),
        idempotency,
        requestId: randomUUID()
      })
      return JSON.parse(answer.body).data.message_id as string
    })
  )

const queue = async (count: number): Promise<Latencies> => {
  for (let left = count; left > 0; left -= 64) {
    const ids = await Promise.all(Array.from({ length: Math.min(64, left) }, () => send(throttledId)))
    for (const id of ids) throttled.add(id)
  }
  return { p50: 0, p99: 0, throttled: 0 }
}

/** Waits until all webhooks are delivered, so that the next round starts with the backlog only. */
const webhooksDelivered: Effect.Effect<void, unknown, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const jobs = yield* storage.list({ from: "jobs", where: { lane: "deliveries" }, after: null, limit: 1 })
  if (jobs.length > 0) yield* Effect.delay(webhooksDelivered, 50)
})

/** Calls at a fixed rate, without waiting for earlier calls. */
const measure = async (seconds: number, messagesPerSecond: number): Promise<Latencies> => {
  const others = connectionIds.slice(1)
  const start = performance.now()
  const begun = new Map<string, number>()
  const calls: Array<Promise<void>> = []
  const total = seconds * messagesPerSecond
  for (let n = 0; n < total; n++) {
    const due = start + (n * 1_000) / messagesPerSecond
    while (performance.now() < due) await sleep(1)
    calls.push(
      send(others[n % others.length] ?? "").then((id) => {
        begun.set(id, due)
      })
    )
  }
  await Promise.all(calls)
  while ([...begun.keys()].some((id) => !taken.has(id))) await sleep(5)
  const rank = percentileOf([...begun].map(([id, due]) => (taken.get(id) ?? 0) - due))
  const measured = {
    p50: rank(0.5),
    p99: rank(0.99),
    throttled: [...throttled].filter((id) => (taken.get(id) ?? 0) >= start).length
  }
  await runtime.runPromise(webhooksDelivered)
  return measured
}

answerOrders<ThrottleOrder>((order) =>
  "backlog" in order ? queue(order.backlog) : measure(order.seconds, order.messagesPerSecond)
)
