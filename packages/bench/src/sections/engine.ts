import { compare } from "../measuring/compare.js"
import { postgresCpu } from "../measuring/postgresCpu.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { comparisonRow, cpuRow, singleRow, type TableRow } from "../measuring/table.js"
import type { Allocation, EngineOrder, EngineSetting } from "../programs/engine.js"
import type { FloorOrder, FloorSetting } from "../programs/floor.js"
import type { StoriesByHandOrder, StoriesByHandSetting } from "../programs/storiesByHand.js"
import { compareResults } from "../world/messageResults.js"
import type { Store } from "../world/Store.js"
import type { Handles } from "../world/traffic.js"
import type { Bench } from "./Bench.js"

const warmUpSeconds = 4
/** Approximate rate of complete sends per second: sized so that a round takes about as long as the others. */
const storiesPerSecond = 400
const storiesToWarmUp = 1_000

/** Whole stories by the engine and, in turn, by programs by hand that write the same rows in batches. */
export const wholeStories = async (
  bench: Bench,
  name: string,
  makeStore: () => Promise<Store> | Store
): Promise<ReadonlyArray<TableRow>> => {
  const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
  const stores = {
    engine: await makeStore(),
    records: await makeStore(),
    ruled: await makeStore(),
    plain: await makeStore()
  }
  const byHand = (store: Store, rules: StoriesByHandSetting["rules"]) => {
    const setting: StoriesByHandSetting = { store, seed, rules }
    return bench.start<StoriesByHandOrder, RoundResult>("storiesByHand", setting)
  }
  const setting: EngineSetting = { store: stores.engine, seed, lanes: "running" }
  const engine = await bench.start<EngineOrder, RoundResult | Allocation>("engine", setting)
  // Its attempts are stored before the vendor is called.
  const records = await bench.start<EngineOrder, RoundResult>("engine", {
    ...setting,
    store: stores.records,
    vendorDedupes: false
  } satisfies EngineSetting)
  const [ruled, plain] = [await byHand(stores.ruled, "called"), await byHand(stores.plain, "none")]
  const serverCpu = stores.engine.kind === "postgres" ? await postgresCpu(stores.engine.url) : () => null

  /** One round, and the CPU time of Postgres for each story. */
  const round = async (ask: (order: StoriesByHandOrder) => Promise<RoundResult>, messages: number) => {
    const before = serverCpu()
    const result = await ask({ messages, handles: "known" })
    const after = serverCpu()
    const server = before === null || after === null ? null : (after - before) / messages
    return { result, server: { ...result, cpuMicros: server } }
  }
  const sides = [
    { ask: (order: StoriesByHandOrder) => engine.ask(order) as Promise<RoundResult>, rounds: [] as Array<Round> },
    { ask: ruled.ask, rounds: [] as Array<Round> },
    { ask: plain.ask, rounds: [] as Array<Round> },
    { ask: records.ask, rounds: [] as Array<Round> }
  ] as const
  for (const { ask } of sides) await round(ask, storiesToWarmUp)
  for (let n = 1; n <= bench.rounds; n++) {
    bench.progress(`engine, ${name}, whole stories, round ${n}`)
    for (const side of sides) side.rounds.push(await round(side.ask, storiesPerSecond * bench.seconds))
  }
  for (const byHand of [stores.ruled, stores.plain]) await compareResults(stores.engine, byHand)
  const { bytes } = (await engine.ask({
    messages: storiesToWarmUp,
    handles: "known",
    measures: "allocation"
  })) as Allocation
  for (const side of [engine, records, ruled, plain]) await side.stop()

  const [ours, ...others] = sides.map(({ rounds }) => rounds)
  const what = `Engine, ${name}: sent, read, and its 4 webhooks delivered`
  const lines: Array<TableRow> = []
  const sidesBeside = [
    "by hand in batches, with the rules",
    "by hand in batches, without rules",
    "to a vendor that does not dedupe"
  ]
  for (const [i, beside] of sidesBeside.entries()) {
    const pair = (of: (round: Round) => RoundResult) => ({
      ours: (ours ?? []).map(of),
      floor: (others[i] ?? []).map(of)
    })
    lines.push(
      comparisonRow(
        `${what}; ${beside}`,
        pair(({ result }) => result)
      )
    )
    lines.push(
      cpuRow(
        `${what}, CPU of the process; ${beside}`,
        pair(({ result }) => result)
      )
    )
    if (name === "Postgres")
      lines.push(
        cpuRow(
          `${what}, CPU of Postgres; ${beside}`,
          pair(({ server }) => server)
        )
      )
  }
  return [...lines, singleRow(`Engine, ${name}: allocated for each of them`, `${Math.round(bytes / 1_024)} KiB`)]
}

/** A round of stories: the process, and the same with the CPU time of Postgres. */
interface Round {
  readonly result: RoundResult
  readonly server: RoundResult
}

/** The program that writes the same rows by hand. */
type Floors = ReadonlyArray<{ readonly prepares: FloorSetting["prepares"]; readonly message: string }>

/** `messages.send` compared with the same rows written by hand, and the complete path of a message, on one database. */
const onDatabase = async (bench: Bench, name: string, makeStore: () => Promise<Store> | Store, floors: Floors) => {
  const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
  const lines: Array<TableRow> = []

  const setting: EngineSetting = { store: await makeStore(), seed, lanes: "idle" }
  const idle = await bench.start<EngineOrder, RoundResult>("engine", setting)
  for (const { prepares, message } of floors) {
    const setting: FloorSetting = { store: await makeStore(), seed, prepares }
    const floor = await bench.start<FloorOrder, RoundResult>("floor", setting)
    for (const handles of ["known", "unknown"] satisfies ReadonlyArray<Handles>) {
      bench.progress(`engine, ${name}, ${handles} contacts${message}`)
      for (const side of [idle, floor]) await side.ask({ seconds: warmUpSeconds, handles })
      const order = { seconds: bench.seconds, handles }
      const compared = await compare(
        bench.rounds,
        () => idle.ask(order),
        () => floor.ask(order)
      )
      lines.push(comparisonRow(`Engine, ${name}: \`messages.send\`, ${handles} contacts${message}`, compared))
    }
    await floor.stop()
  }
  await idle.stop()

  lines.push(...(await wholeStories(bench, name, makeStore)))
  return lines
}

/** The engine without HTTP, on both databases. */
export const engineSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => [
  ...(await onDatabase(bench, "Postgres", bench.stores.postgres, [
    { prepares: "once", message: "" },
    { prepares: "every time", message: "; by hand without named statements" }
  ])),
  ...(await onDatabase(bench, "SQLite", bench.stores.sqlite, [{ prepares: "once", message: "" }]))
]
