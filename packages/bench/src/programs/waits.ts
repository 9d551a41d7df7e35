import { setTimeout as sleep } from "node:timers/promises"
import { changes, Engine, Ids, Storage } from "@parley/core"
import { Effect, Layer, ManagedRuntime } from "effect"
import { percentileOf } from "../measuring/percentileOf.js"
import { type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { seedAutomations, waitingRun } from "../world/automations.js"
import { writeManyWaiting } from "../world/manyWaiting.js"
import { idleEngineOn } from "../world/parley.js"
import { createContacts } from "../world/recordEvents.js"
import type { Store } from "../world/Store.js"
import { workspaceId } from "../world/seed.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface WaitsSetting {
  readonly store: Store
  /** Number of runs that wait for a year beside the due ones. */
  readonly waiting: number
}

/** Wakes a number of due runs; or runs that become due at a rate while the worker runs. */
export type WaitsOrder = { readonly due: number } | { readonly coming: number; readonly perSecond: number }

/** The result of an order, with the time from the due time of a wait to the commit of the next action, in ms. */
export type Woken = RoundResult & { readonly p50: number; readonly p99: number }

const { store, waiting } = settingOf<WaitsSetting>()
await seedAutomations(store)
await writeManyWaiting(store, waiting)
const lateness: Array<number> = []
const dueAt = new Map<string, number>()
const runtime = ManagedRuntime.make(
  idleEngineOn(store, ({ settle }) => {
    const due = settle?.again === null ? dueAt.get(settle.jobId) : undefined
    if (due !== undefined) lateness.push(Date.now() - due)
  })
)

const portion = 500
/** Time before the first run becomes due, so that the worker is idle by then. */
const aheadMs = 3_000

const writeWaits = (count: number, dueOf: (n: number) => number) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const contactIds = yield* createContacts(count)
    dueAt.clear()
    const waits = contactIds.map((contactId, n) => {
      const id = ids.next(Date.now())
      dueAt.set(id, dueOf(n))
      return waitingRun(id, contactId, dueOf(n))
    })
    for (let from = 0; from < count; from += portion) {
      yield* storage.commit(changes(workspaceId, { inserts: waits.slice(from, from + portion).flat() }))
    }
  })

const untilWoken = async (count: number): Promise<void> => {
  while (lateness.length < count) await sleep(2)
}

const work = (count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      lateness.length = 0
      const [cpu, start] = [process.cpuUsage(), performance.now()]
      yield* Layer.build(Engine.worker)
      yield* Effect.promise(() => untilWoken(count))
      const elapsedMs = performance.now() - start
      const { system, user } = process.cpuUsage(cpu)
      const rank = percentileOf(lateness)
      const woken: Woken = { ...rateOf(count, elapsedMs, user + system), p50: rank(0.5), p99: rank(0.99) }
      return woken
    })
  )

answerOrders<WaitsOrder>((order) => {
  if ("due" in order) {
    const now = Date.now()
    return runtime.runPromise(
      Effect.zipRight(
        writeWaits(order.due, () => now),
        work(order.due)
      )
    )
  }
  const first = Date.now() + aheadMs
  const dueOf = (n: number) => first + Math.floor((n * 1_000) / order.perSecond)
  return runtime.runPromise(Effect.zipRight(writeWaits(order.coming, dueOf), work(order.coming)))
})
