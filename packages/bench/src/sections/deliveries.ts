import { compare, median } from "../measuring/compare.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { comparisonRow, cpuRow, singleRow, type TableRow } from "../measuring/table.js"
import type { Delivered, DeliveriesOrder, DeliveriesSetting } from "../programs/deliveries.js"
import type { ByHandOrder } from "../programs/deliveriesByHand.js"
import type { Received, ReceiversOrder, ReceiversSetting } from "../programs/receivers.js"
import type { Store } from "../world/Store.js"
import type { Bench } from "./Bench.js"

/** Approximate delivery rate per second: the backlog is sized so that a round takes about as long as the others. */
const drainedPerSecond = 2_000
/** Webhooks per second of a busy host, beside the rate of the options. */
const busyPerSecond = 1_000
/** Number of warm-up deliveries. */
const warmUp = { waiting: 2_000 }

/** A program that delivers to its own receivers. */
const deliverer = async <Order, Answer>(bench: Bench, program: string, store: Store) => {
  const receivers = await bench.start<ReceiversOrder, Received>("receivers", {
    count: bench.endpoints
  } satisfies ReceiversSetting)
  const urls = receivers.origin.split(" ")
  const seed = { verdictWaitMs: 0, webhookUrl: urls[0] as string }
  const worker = await bench.start<Order, Answer>(program, { store, seed, urls } satisfies DeliveriesSetting)
  return {
    /**
     * Executes an order with a number of deliveries while a number of receivers hang; returns its result and the
     * arrivals at the receivers that answer.
     */
    deliver: async (order: Order, count: number, hanging = 0): Promise<readonly [Answer, Received]> => {
      // The deliveries go to one endpoint after the other, and the first ones hang.
      const [rounds, rest] = [Math.floor(count / bench.endpoints), count % bench.endpoints]
      const webhooks = rounds * (bench.endpoints - hanging) + Math.max(0, rest - hanging)
      const received = receivers.ask({ hanging, webhooks })
      return Promise.all([worker.ask(order), received])
    },
    stop: async () => {
      await worker.stop()
      await receivers.stop()
    }
  }
}

const milliseconds = ({ p50, p95, p99 }: Received) => `p50 ${p50} p95 ${p95} p99 ${p99} ms`

type Deliverer = Awaited<ReturnType<typeof deliverer<DeliveriesOrder, Delivered>>>

/** A backlog, against floors that deliver by hand. */
const backlog = async (bench: Bench, name: string, ours: Deliverer, makeStore: () => Promise<Store> | Store) => {
  const lines: Array<TableRow> = []
  bench.progress(`deliveries, ${name}, a backlog`)
  const byHand = await deliverer<ByHandOrder, RoundResult>(bench, "deliveriesByHand", await makeStore())
  const inBatches = await deliverer<ByHandOrder, RoundResult>(bench, "deliveriesInBatches", await makeStore())
  const waiting = drainedPerSecond * bench.seconds
  for (const side of [byHand, inBatches]) await side.deliver(warmUp, warmUp.waiting)
  const statements: Array<number> = []
  const compared = await compare(
    bench.rounds,
    async () => {
      const [round] = await ours.deliver({ waiting }, waiting)
      statements.push(round.statements)
      return round
    },
    async () => (await byHand.deliver({ waiting }, waiting))[0]
  )
  await byHand.stop()
  const comparedWithBatches = await compare(
    bench.rounds,
    async () => (await ours.deliver({ waiting }, waiting))[0],
    async () => (await inBatches.deliver({ waiting }, waiting))[0]
  )
  await inBatches.stop()
  lines.push(comparisonRow(`Deliveries, ${name}: a backlog, one worker; by hand with a transaction each`, compared))
  lines.push(comparisonRow(`Deliveries, ${name}: a backlog, one worker; by hand in batches`, comparedWithBatches))
  lines.push(cpuRow(`Deliveries, ${name}: CPU of a backlog; by hand in batches`, comparedWithBatches))
  lines.push(singleRow(`Deliveries, ${name}: statements for each, of a backlog`, median(statements).toFixed(2)))
  return lines
}

/** Webhooks from the commit to the receiver, on one database. */
const onDatabase = async (bench: Bench, name: string, makeStore: () => Promise<Store> | Store) => {
  const parley = async () => deliverer<DeliveriesOrder, Delivered>(bench, "deliveries", await makeStore())
  const ours = await parley()
  await ours.deliver(warmUp, warmUp.waiting)
  const lines: Array<TableRow> = bench.backlog ? await backlog(bench, name, ours, makeStore) : []

  const { hanging, seconds, webhooks: perSecond } = bench
  const steady = { perSecond, seconds, committedBy: "engine" } as const
  const count = perSecond * seconds
  const healthy: Array<Received> = []
  const claimed: Array<Received> = []
  const busy: Array<Received> = []
  const besideHanging: Array<Received> = []
  for (let round = 0; round < bench.rounds; round++) {
    bench.progress(`deliveries, ${name}, ${perSecond} a second, round ${round + 1}`)
    const [, alone] = await ours.deliver(steady, count)
    claimed.push((await ours.deliver({ ...steady, committedBy: "another host" }, count))[1])
    busy.push((await ours.deliver({ ...steady, perSecond: busyPerSecond }, busyPerSecond * seconds))[1])
    // A new program each time, because hanging endpoints become disabled.
    const other = await parley()
    await other.deliver(warmUp, warmUp.waiting)
    const [, beside] = await other.deliver(steady, count, hanging)
    await other.stop()
    bench.progress(`p99 ${alone.p99} ms, beside endpoints that hang ${beside.p99} ms`)
    healthy.push(alone)
    besideHanging.push(beside)
  }
  await ours.stop()
  const [alone, beside] = [middle(healthy), middle(besideHanging)]
  for (const [what, received] of [
    [`${perSecond}/s`, alone],
    [`${busyPerSecond.toLocaleString("en")}/s`, middle(busy)],
    [`${perSecond}/s, committed as by another host`, middle(claimed)]
  ] as const) {
    lines.push(singleRow(`Deliveries, ${name}: ${what}, from before the commit to the receipt`, milliseconds(received)))
  }
  lines.push([
    `Deliveries, ${name}: ${perSecond}/s to the healthy ones, where ${hanging} of ${bench.endpoints} endpoints hang`,
    milliseconds(beside),
    `none hangs: ${milliseconds(alone)}`,
    `**${(beside.p99 / alone.p99).toFixed(2)}×** the p99`
  ])
  return lines
}

/** The median of each figure. */
const middle = (rounds: ReadonlyArray<Received>): Received => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p95: median(rounds.map(({ p95 }) => p95)),
  p99: median(rounds.map(({ p99 }) => p99))
})

/** Outgoing webhooks, on both databases. */
export const deliveriesSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => [
  ...(await onDatabase(bench, "Postgres", bench.stores.postgres)),
  ...(await onDatabase(bench, "SQLite", bench.stores.sqlite))
]
