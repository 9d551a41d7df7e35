import { compare } from "../measuring/compare.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { comparisonRow, type TableRow } from "../measuring/table.js"
import type { EnqueueOrder, EnqueueSetting } from "../programs/enqueue.js"
import type { Bench } from "./Bench.js"

/** Transactions of a caller that enqueue a message, on Postgres. */
export const enqueueSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  bench.progress("enqueue, Postgres")
  const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
  const start = async (writes: EnqueueSetting["writes"]) => {
    const store = await bench.stores.postgres()
    if (store.kind !== "postgres") throw new Error("the store must be on Postgres")
    return bench.start<EnqueueOrder, RoundResult>("enqueue", { store, seed, writes } satisfies EnqueueSetting)
  }
  const [ours, row] = [await start("enqueued"), await start("row")]
  for (const side of [ours, row]) await side.ask({ seconds: 1, callers: 1 })
  const rows: Array<TableRow> = []
  for (const callers of [1, 16]) {
    const compared = await compare(
      bench.rounds,
      () => ours.ask({ seconds: bench.seconds, callers }),
      () => row.ask({ seconds: bench.seconds, callers })
    )
    const name = callers === 1 ? "one caller" : `${callers} callers`
    rows.push(comparisonRow(`Enqueue, Postgres: transactions of ${name}; the same with a bare row`, compared))
  }
  await ours.stop()
  await row.stop()
  return rows
}
