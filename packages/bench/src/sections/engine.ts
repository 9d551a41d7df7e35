import { compare } from "../measuring/compare.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { comparisonRow, type TableRow } from "../measuring/table.js"
import type { EngineOrder, EngineSetting } from "../programs/engine.js"
import type { FloorOrder, FloorSetting } from "../programs/floor.js"
import type { Store } from "../world/Store.js"
import type { Handles } from "../world/traffic.js"
import type { Bench } from "./Bench.js"

const warmUpSeconds = 4
/** Approximate rate of complete sends per second: sized so that a round takes about as long as the others. */
const storiesPerSecond = 400

/** The program that writes the same rows by hand. */
type Floors = ReadonlyArray<{ readonly prepares: FloorSetting["prepares"]; readonly message: string }>

/** `messages.send` compared with the same rows written by hand, and the complete path of a message, on one database. */
const onDatabase = async (bench: Bench, name: string, makeStore: () => Promise<Store> | Store, floors: Floors) => {
  const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
  const parley = async (lanes: EngineSetting["lanes"]) => {
    const setting: EngineSetting = { store: await makeStore(), seed, lanes }
    return bench.start<EngineOrder, RoundResult>("engine", setting)
  }
  const lines: Array<TableRow> = []

  const idle = await parley("idle")
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

  bench.progress(`engine, ${name}, whole stories`)
  const running = await parley("running")
  const messages = storiesPerSecond * bench.seconds
  await running.ask({ messages: storiesPerSecond, handles: "known" })
  const stories = await compare(bench.rounds, () => running.ask({ messages, handles: "known" }), null)
  lines.push(comparisonRow(`Engine, ${name}: sent, read, and its 4 webhooks delivered`, stories))
  await running.stop()
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
