import { setTimeout as sleep } from "node:timers/promises"
import { Engine } from "@parley/core"
import { Effect, Layer, ManagedRuntime } from "effect"
import { type Counted, countedSince, countedSoFar, countStatements } from "../measuring/countStatements.js"
import { type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { seedAutomations } from "../world/automations.js"
import { idleEngineOn } from "../world/parley.js"
import { createContacts, recordEvents } from "../world/recordEvents.js"
import type { Store } from "../world/Store.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface RunsSetting {
  readonly store: Store
}

/** Executes the runs of a number of accepted events; or accepts the events while the worker runs. */
export type RunsOrder = { readonly backlog: number } | { readonly whole: number }

/** The result of an order. */
export interface RunsResult {
  /** The events. */
  readonly accepted: RoundResult
  /** The runs. Includes acceptance if the events were accepted meanwhile. */
  readonly completed: RoundResult
  /** Commits per run, as decided by the rules. */
  readonly commits: number
  /** Transactions and statements per run. */
  readonly counted: Counted
}

const { store } = settingOf<RunsSetting>()
await seedAutomations(store)
countStatements()
let [commits, ended] = [0, 0]
const runtime = ManagedRuntime.make(
  idleEngineOn(store, ({ settle }) => {
    commits++
    if (settle !== null && settle.again === null) ended++
  })
)

const untilEnded = async (count: number): Promise<void> => {
  while (ended < count) await sleep(2)
}

/** While a worker runs. */
const working = <E, R>(count: number, accepting: Effect.Effect<RoundResult, E, R>, atOnce: boolean) =>
  Effect.scoped(
    Effect.gen(function* () {
      const before = atOnce ? null : yield* accepting
      const [cpu, start, counted] = [process.cpuUsage(), performance.now(), countedSoFar()]
      ;[commits, ended] = [0, 0]
      yield* Layer.build(Engine.worker)
      const accepted = before ?? (yield* accepting)
      yield* Effect.promise(() => untilEnded(count))
      const elapsedMs = performance.now() - start
      const { system, user } = process.cpuUsage(cpu)
      const done: RunsResult = {
        accepted,
        completed: rateOf(count, elapsedMs, user + system),
        commits: commits / count,
        counted: countedSince(counted, count)
      }
      return done
    })
  )

answerOrders<RunsOrder>((order) => {
  const atOnce = "whole" in order
  const count = atOnce ? order.whole : order.backlog
  return runtime.runPromise(
    Effect.flatMap(createContacts(count), (contactIds) => working(count, recordEvents(contactIds), atOnce))
  )
})
