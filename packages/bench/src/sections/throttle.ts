import { setTimeout as sleep } from "node:timers/promises"
import { median } from "../measuring/compare.js"
import type { TableRow } from "../measuring/table.js"
import type { Latencies, ThrottleOrder, ThrottleSetting } from "../programs/throttle.js"
import type { Store } from "../world/Store.js"
import type { Bench } from "./Bench.js"

const connections = 100
const backlog = 2_000
const messagesPerSecond = 100
/** Number of warm-up messages, so that both sides are equally warm although one has accepted the backlog. */
const warmUp = { seconds: 4, messagesPerSecond: 500 }

/** Effect of a connection throttled to one message per second on other connections, on one database. */
const onDatabase = async (bench: Bench, name: string, makeStore: () => Promise<Store> | Store): Promise<TableRow> => {
  const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
  const rounds = async (waiting: number): Promise<ReadonlyArray<Latencies>> => {
    bench.progress(`throttle, ${name}: ${waiting === 0 ? "none throttled" : "one throttled"}`)
    const setting: ThrottleSetting = { store: await makeStore(), seed, connections }
    const side = await bench.start<ThrottleOrder, Latencies>("throttle", setting)
    if (waiting > 0) await side.ask({ backlog: waiting })
    await side.ask(warmUp)
    const measured: Array<Latencies> = []
    for (let round = 0; round < bench.rounds; round++) {
      await sleep(500)
      measured.push(await side.ask({ seconds: bench.seconds, messagesPerSecond }))
    }
    await side.stop()
    return measured
  }
  const alone = await rounds(0)
  const beside = await rounds(backlog)
  const taken = median(beside.map(({ throttled }) => throttled))
  return [
    `Throttle, ${name}: ${connections - 1} connections beside one with ${backlog.toLocaleString("en")} waiting (${taken} of them taken in ${bench.seconds} s); right: without it`,
    figures(beside),
    figures(alone),
    `**p99 ${(p99(beside) / p99(alone)).toFixed(2)}×**`
  ]
}

const p50 = (rounds: ReadonlyArray<Latencies>) => median(rounds.map((round) => round.p50))
const p99 = (rounds: ReadonlyArray<Latencies>) => median(rounds.map((round) => round.p99))
const figures = (rounds: ReadonlyArray<Latencies>) =>
  `${messagesPerSecond}/s; p50 ${p50(rounds).toFixed(1)} p99 ${p99(rounds).toFixed(1)} ms`

/** Latency from the call to the provider, with and without a throttled connection, on both databases. */
export const throttleSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => [
  await onDatabase(bench, "Postgres", bench.stores.postgres),
  await onDatabase(bench, "SQLite", bench.stores.sqlite)
]
