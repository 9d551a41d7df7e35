import { UuidIds } from "@parley/node"
import { Effect } from "effect"
import { executeOneRun } from "../floor/executeRunByHand.js"
import { onPostgres } from "../floor/onPostgres.js"
import { onSqlite } from "../floor/onSqlite.js"
import { callers, type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { seedAutomations } from "../world/automations.js"
import { idleEngineOn } from "../world/parley.js"
import { createContacts, recordEvents } from "../world/recordEvents.js"
import { answerOrders, settingOf } from "./answerOrders.js"
import type { RunsSetting } from "./runs.js"

/** Executes the runs of a number of events that Parley accepted before. */
export interface RunsByHandOrder {
  readonly backlog: number
}

const { store } = settingOf<RunsSetting>()
await seedAutomations(store)
const inTransaction = store.kind === "postgres" ? onPostgres(store.url) : onSqlite(store.file)
const skipping = store.kind === "postgres" ? " FOR UPDATE SKIP LOCKED" : ""
const ids = UuidIds.make()

const loop = async (): Promise<void> => {
  while (await executeOneRun(inTransaction, skipping, ids));
}

answerOrders<RunsByHandOrder>(async ({ backlog }): Promise<RoundResult> => {
  await Effect.flatMap(createContacts(backlog), recordEvents).pipe(
    Effect.provide(idleEngineOn(store)),
    Effect.runPromise
  )
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await Promise.all(Array.from({ length: callers }, loop))
  const elapsedMs = performance.now() - start
  const { system, user } = process.cpuUsage(cpu)
  return rateOf(backlog, elapsedMs, user + system)
})
