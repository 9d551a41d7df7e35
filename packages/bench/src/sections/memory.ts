import { setTimeout as sleep } from "node:timers/promises"
import { cpuMicrosOf, memoryOf } from "../measuring/processFigures.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { singleRow, type TableRow } from "../measuring/table.js"
import type { ClientOrder } from "../programs/client.js"
import type { Store } from "../world/Store.js"
import { seed } from "../world/seed.js"
import { buildHost } from "../world/standalone.js"
import { transactionsOf } from "../world/transactionsOf.js"
import { untilIdle } from "../world/untilIdle.js"
import type { Bench } from "./Bench.js"

const idleMs = 60_000
const watchedMs = 30_000

const mebibytes = (bytes: number | null) => (bytes === null ? "?" : `${Math.round(bytes / 2 ** 20)} MiB`)

/** Memory and CPU of a whole host under load and idle, on one database. */
const onDatabase = async (bench: Bench, name: string, store: Store): Promise<ReadonlyArray<TableRow>> => {
  await seed(store, { verdictWaitMs: null, webhookUrl: bench.webhookUrl })
  const host = await bench.startHost(store)
  const client = await bench.start<ClientOrder, RoundResult>("client", null)
  const memory: Array<readonly [when: string, bytes: number | null]> = []
  const look = (when: string) => {
    const bytes = memoryOf(host.pid)
    memory.push([when, bytes])
    bench.progress(`memory, ${name}, ${when}: ${mebibytes(bytes)}`)
  }
  const send = async (count: number) => {
    await client.ask({ origin: host.origin, handles: "known", until: { count } })
    await untilIdle(store)
  }

  bench.progress(`memory, ${name}: ${bench.messages} messages, half as many again, and a rest`)
  await sleep(2_000)
  const startCpu = cpuMicrosOf(host.pid)
  look("at the start")
  const first = Math.ceil(bench.messages / 10)
  await send(first)
  look(`after ${first.toLocaleString("en")} messages`)
  await send(bench.messages - first)
  look(`after ${bench.messages.toLocaleString("en")}`)
  const last = Math.round(bench.messages * 1.5)
  await send(last - bench.messages)
  look(`after ${last.toLocaleString("en")}`)
  await client.stop()
  await sleep(idleMs)
  look("after an idle minute")

  const transactionsBefore = await transactionsOf(store)
  const cpuBefore = cpuMicrosOf(host.pid)
  await sleep(watchedMs)
  const cpuAfter = cpuMicrosOf(host.pid)
  const transactionsAfter = await transactionsOf(store)
  await host.stop()

  const cpu = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / watchedMs / 10
  const transactions =
    transactionsBefore === null || transactionsAfter === null
      ? null
      : ((transactionsAfter - transactionsBefore) / watchedMs) * 1_000
  return [
    ...memory.map(([when, bytes]) => singleRow(`Host, ${name}: memory ${when}`, mebibytes(bytes))),
    ...(startCpu === null ? [] : [singleRow(`Host, ${name}: CPU of the start`, `${Math.round(startCpu / 1_000)} ms`)]),
    ...(cpu === null ? [] : [singleRow(`Host, ${name}: CPU while idle`, `${cpu.toFixed(2)} % of one core`)]),
    ...(transactions === null
      ? []
      : [singleRow(`Host, ${name}: transactions while idle`, `${transactions.toFixed(2)}/s`)])
  ]
}

/** The memory and the idle cost of the host, on both databases. */
export const memorySection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  buildHost()
  return [
    ...(await onDatabase(bench, "SQLite", bench.stores.sqlite())),
    ...(await onDatabase(bench, "Postgres", await bench.stores.postgres()))
  ]
}
