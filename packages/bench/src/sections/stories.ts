import { setTimeout as sleep } from "node:timers/promises"
import { median } from "../measuring/compare.js"
import { cpuMicrosOf } from "../measuring/processFigures.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { singleRow, type TableRow } from "../measuring/table.js"
import type { ClientOrder } from "../programs/client.js"
import type { Store } from "../world/Store.js"
import { seed } from "../world/seed.js"
import { buildHost } from "../world/standalone.js"
import { transactionsOf } from "../world/transactionsOf.js"
import { untilIdle } from "../world/untilIdle.js"
import type { Bench } from "./Bench.js"

/** A rate at which a host is mostly idle. */
const lowRate = 8
const warmUp = 1_000
const storiesInARound = 2_000
/** Time in which a host counts its statistics of transactions. */
const restMs = 1_500

/** The cost of one story. */
interface Cost {
  readonly cpuMicros: number
  /** Null on SQLite. */
  readonly transactions: number | null
  readonly perSecond: number
}

const text = (costs: ReadonlyArray<Cost>): string => {
  const micros = costs.map(({ cpuMicros }) => cpuMicros)
  const transactions = costs.flatMap(({ transactions }) => transactions ?? [])
  return [
    `${Math.round(median(costs.map(({ perSecond }) => perSecond)))}/s`,
    `${Math.round(median(micros)).toLocaleString("en")} µs CPU (${[Math.min(...micros), Math.max(...micros)].map((one) => Math.round(one).toLocaleString("en")).join("–")})`,
    ...(transactions.length === 0 ? [] : [`${median(transactions).toFixed(1)} transactions`])
  ].join("; ")
}

/** Whole stories on one database: a message, its acceptance, two receipts, four webhooks. */
const onDatabase = async (bench: Bench, name: string, store: Store): Promise<ReadonlyArray<TableRow>> => {
  await seed(store, { verdictWaitMs: null, webhookUrl: bench.webhookUrl })
  const host = await bench.startHost(store)
  const client = await bench.start<ClientOrder, RoundResult>("client", null)
  const round = async (until: ClientOrder["until"]): Promise<Cost> => {
    await sleep(restMs)
    const [cpu, transactions] = [cpuMicrosOf(host.pid), await transactionsOf(store)]
    const start = performance.now()
    const { count } = await client.ask({ origin: host.origin, handles: "known", until })
    await untilIdle(store)
    const seconds = (performance.now() - start) / 1_000
    const cpuAfter = cpuMicrosOf(host.pid)
    await sleep(restMs)
    const transactionsAfter = await transactionsOf(store)
    return {
      cpuMicros: cpu === null || cpuAfter === null ? Number.NaN : (cpuAfter - cpu) / count,
      transactions:
        transactions === null || transactionsAfter === null ? null : (transactionsAfter - transactions) / count,
      perSecond: count / seconds
    }
  }
  await round({ count: warmUp })
  const [many, few]: [Array<Cost>, Array<Cost>] = [[], []]
  for (let n = 1; n <= bench.rounds; n++) {
    bench.progress(`stories, ${name}, round ${n}`)
    many.push(await round({ count: storiesInARound }))
    few.push(await round({ perSecond: lowRate, seconds: 2 * bench.seconds }))
  }
  await client.stop()
  await host.stop()
  return [
    singleRow(`Whole stories, ${name}: as many as 64 callers start`, text(many)),
    singleRow(`Whole stories, ${name}: ${lowRate} a second`, text(few))
  ]
}

/** What a whole message costs the host, on both databases. */
export const storiesSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  buildHost()
  return [
    ...(await onDatabase(bench, "SQLite", bench.stores.sqlite())),
    ...(await onDatabase(bench, "Postgres", await bench.stores.postgres()))
  ]
}
