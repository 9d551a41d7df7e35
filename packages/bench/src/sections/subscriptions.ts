import { compare } from "../measuring/compare.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { comparisonRow, cpuRow, type TableRow } from "../measuring/table.js"
import type { SubscriptionsOrder, SubscriptionsSetting } from "../programs/subscriptions.js"
import type { Store } from "../world/Store.js"
import type { Bench } from "./Bench.js"

/** Approximate rate per second: the backlog is sized so that a round takes about as long as the others. */
const drainedPerSecond = 2_000
const warmUp = { waiting: 2_000 }

const onDatabase = async (bench: Bench, name: string, makeStore: () => Promise<Store> | Store) => {
  bench.progress(`subscriptions, ${name}, a backlog`)
  const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
  const start = async (by: SubscriptionsSetting["by"]) =>
    bench.start<SubscriptionsOrder, RoundResult>("subscriptions", {
      store: await makeStore(),
      seed,
      by
    } satisfies SubscriptionsSetting)
  const [ours, webhooks] = [await start("subscription"), await start("webhook")]
  for (const side of [ours, webhooks]) await side.ask(warmUp)
  const order = { waiting: drainedPerSecond * bench.seconds }
  const compared = await compare(
    bench.rounds,
    () => ours.ask(order),
    () => webhooks.ask(order)
  )
  await ours.stop()
  await webhooks.stop()
  return [
    comparisonRow(`Subscriptions, ${name}: a backlog, one process; webhooks to a server of the process`, compared),
    cpuRow(`Subscriptions, ${name}: CPU of a backlog; webhooks to a server of the process`, compared)
  ]
}

/** Events for functions of the process, on both databases. */
export const subscriptionsSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => [
  ...(await onDatabase(bench, "Postgres", bench.stores.postgres)),
  ...(await onDatabase(bench, "SQLite", bench.stores.sqlite))
]
