import Pg from "pg"
import { singleRow, type TableRow } from "../measuring/table.js"
import type { Claims, SnapshotOrder, SnapshotSetting } from "../programs/snapshot.js"
import type { Bench } from "./Bench.js"

const messagesPerSecond = 200
const warmUpSeconds = 5

const figures = ({ count, mean, p50, p99 }: Claims) =>
  `${count.toLocaleString("en")} claims, mean ${mean.toFixed(2)} p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms`

/** Duration of claims on Postgres while another session holds a snapshot, and before. */
export const snapshotSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  const store = await bench.stores.postgres()
  const setting: SnapshotSetting = { store, seed: { verdictWaitMs: 0, webhookUrl: bench.webhookUrl } }
  const side = await bench.start<SnapshotOrder, Claims>("snapshot", setting)
  const measured = Math.max(bench.seconds, 10)
  await side.ask({ seconds: warmUpSeconds, measured: warmUpSeconds, messagesPerSecond })
  bench.progress("snapshot: without one")
  const free = await side.ask({ seconds: measured, measured, messagesPerSecond })
  const dump = new Pg.Client({ connectionString: store.url })
  await dump.connect()
  await dump.query("BEGIN ISOLATION LEVEL REPEATABLE READ")
  await dump.query("SELECT count(*) FROM jobs")
  bench.progress(`snapshot: held for ${bench.held} s`)
  const held = await side.ask({ seconds: bench.held, measured, messagesPerSecond })
  await dump.end()
  await side.stop()
  return [
    singleRow(
      `Queue, Postgres: claims at ${messagesPerSecond} messages/s, before and after a snapshot was held for ${bench.held} s`,
      `${figures(free)}; then ${figures(held)}: mean ${(held.mean / free.mean).toFixed(2)}×`
    )
  ]
}
