import { compare, median } from "../measuring/compare.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { comparisonRow, figures, singleRow, type TableRow } from "../measuring/table.js"
import type { RunsOrder, RunsResult, RunsSetting } from "../programs/runs.js"
import type { RunsByHandOrder } from "../programs/runsByHand.js"
import type { WaitsOrder, WaitsSetting, Woken } from "../programs/waits.js"
import type { Store } from "../world/Store.js"
import type { Bench } from "./Bench.js"

/** Approximate run rate per second: the backlog is sized so that a round takes about as long as the others. */
const carriedOutPerSecond = 1_000
const warmUp = 500
const due = 1_000
const comingPerSecond = 100

type MakeStore = () => Promise<Store> | Store

const whole = (value: number) => value.toLocaleString("en")

/** Runs from the event to their last action, on one database. */
const runsOn = async (bench: Bench, name: string, makeStore: MakeStore): Promise<ReadonlyArray<TableRow>> => {
  bench.progress(`runs, ${name}, a backlog`)
  const count = carriedOutPerSecond * bench.seconds
  const ours = await bench.start<RunsOrder, RunsResult>("runs", { store: await makeStore() } satisfies RunsSetting)
  const byHand = await bench.start<RunsByHandOrder, RoundResult>("runsByHand", {
    store: await makeStore()
  } satisfies RunsSetting)
  await ours.ask({ backlog: warmUp })
  await byHand.ask({ backlog: warmUp })
  const rounds: Array<RunsResult> = []
  const compared = await compare(
    bench.rounds,
    async () => {
      const round = await ours.ask({ backlog: count })
      rounds.push(round)
      return round.completed
    },
    () => byHand.ask({ backlog: count })
  )
  await byHand.stop()
  bench.progress(`runs, ${name}, from the event to the end`)
  const wholes: Array<RoundResult> = []
  for (let round = 0; round < bench.rounds; round++) wholes.push((await ours.ask({ whole: count })).completed)
  await ours.stop()
  const middle = (of: (round: RunsResult) => number) => median(rounds.map(of)).toFixed(3)
  return [
    comparisonRow(`Runs, ${name}: a backlog of three local actions each, one worker`, compared),
    singleRow(
      `Runs, ${name}: for each run of a backlog`,
      `${middle(({ commits }) => commits)} commits, in ${middle(({ counted }) => counted.transactions)} transactions; ${middle(({ counted }) => counted.statements)} statements`
    ),
    singleRow(`Runs, ${name}: events accepted, no worker`, figures(rounds.map(({ accepted }) => accepted))),
    singleRow(`Runs, ${name}: events accepted and carried out`, figures(wholes))
  ]
}

/** Cost of due waits beside many others, on one database. */
const waitsOn = async (
  bench: Bench,
  name: string,
  makeStore: MakeStore,
  waiting: number
): Promise<ReadonlyArray<TableRow>> => {
  bench.progress(`waits, ${name}: writing ${whole(waiting)} runs that wait`)
  const start = async (waiting: number) =>
    bench.start<WaitsOrder, Woken>("waits", { store: await makeStore(), waiting } satisfies WaitsSetting)
  const [beside, alone] = [await start(waiting), await start(0)]
  for (const side of [beside, alone]) await side.ask({ due: warmUp })

  bench.progress(`waits, ${name}: ${whole(due)} are due`)
  const drained = await compare(
    bench.rounds,
    () => beside.ask({ due }),
    () => alone.ask({ due })
  )
  bench.progress(`waits, ${name}: ${comingPerSecond} a second come to be due`)
  const coming = { coming: comingPerSecond * bench.seconds, perSecond: comingPerSecond }
  const woken = await compare(
    bench.rounds,
    () => beside.ask(coming),
    () => alone.ask(coming)
  )
  await beside.stop()
  await alone.stop()
  const [ours, floor] = [drained.ours, drained.floor]
  return [
    [
      `Waits, ${name}: ${whole(due)} that are due, beside ${whole(waiting)} that go on`,
      costs(ours),
      `none goes on: ${costs(floor)}`,
      `**${ratio(elapsed, drained)}×** the time, **${ratio(cpu, drained)}×** the CPU`
    ],
    [
      `Waits, ${name}: ${comingPerSecond} a second come to be due, until the next action is committed`,
      lateness(woken.ours),
      `none goes on: ${lateness(woken.floor)}`,
      `**${ratio(p50, woken)}×** the p50`
    ]
  ]
}

const elapsed = ({ count, perSecond }: RoundResult) => (count / perSecond) * 1_000
const cpu = ({ cpuMicros }: RoundResult) => cpuMicros ?? Number.NaN
const p50 = (round: RoundResult) => round.p50 ?? Number.NaN
const p99 = (round: RoundResult) => round.p99 ?? Number.NaN
const middleOf = (of: (round: RoundResult) => number, rounds: ReadonlyArray<RoundResult>) => median(rounds.map(of))
const ratio = (
  of: (round: RoundResult) => number,
  sides: { readonly [side in "ours" | "floor"]: ReadonlyArray<RoundResult> }
) => (middleOf(of, sides.ours) / middleOf(of, sides.floor)).toFixed(2)
const costs = (rounds: ReadonlyArray<RoundResult>) =>
  `${Math.round(middleOf(elapsed, rounds))} ms; ${Math.round(middleOf(cpu, rounds))} µs CPU`
const lateness = (rounds: ReadonlyArray<RoundResult>) =>
  `p50 ${middleOf(p50, rounds).toFixed(0)} p99 ${middleOf(p99, rounds).toFixed(0)} ms`

/** Rate of runs and cost of waiting ones, on both databases; a tenth of the waiting runs on SQLite. */
export const runsSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => [
  ...(await runsOn(bench, "Postgres", bench.stores.postgres)),
  ...(await runsOn(bench, "SQLite", bench.stores.sqlite)),
  ...(await waitsOn(bench, "Postgres", bench.stores.postgres, bench.waiting)),
  ...(await waitsOn(bench, "SQLite", bench.stores.sqlite, Math.ceil(bench.waiting / 10)))
]
