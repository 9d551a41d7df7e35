import { compare, type Side } from "../measuring/compare.js"
import { cpuMicrosOf } from "../measuring/processFigures.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { comparisonRow, type TableRow } from "../measuring/table.js"
import type { ClientOrder } from "../programs/client.js"
import type { FastifySetting } from "../programs/fastify.js"
import type { MountedSetting } from "../programs/mounted.js"
import type { Store } from "../world/Store.js"
import { type Seed, seed } from "../world/seed.js"
import { buildHost } from "../world/standalone.js"
import { untilIdle } from "../world/untilIdle.js"
import type { Bench } from "./Bench.js"

const warmUpSeconds = 4

/** A server under load. */
interface Server {
  readonly origin: string
  readonly pid: number
  /** Runs after each round. */
  readonly after: () => Promise<unknown>
  readonly stop: () => Promise<void>
}

const nothing = () => Promise.resolve()

/** `POST /messages` on one database, compared with a handler written by hand. */
const onDatabase = async (bench: Bench, name: string, makeStore: () => Promise<Store> | Store) => {
  const client = await bench.start<ClientOrder, RoundResult>("client", null)
  const post = async ({ after, origin, pid }: Server, seconds: number): Promise<RoundResult> => {
    const start = cpuMicrosOf(pid)
    const round = await client.ask({ origin, handles: "known", until: { seconds } })
    const end = cpuMicrosOf(pid)
    await after()
    return { ...round, cpuMicros: start === null || end === null ? null : (end - start) / round.count }
  }
  const seedOf = (verdictWaitMs: number | null): Seed => ({ verdictWaitMs, webhookUrl: bench.webhookUrl })

  const byHand = async (): Promise<Server> => {
    const setting: FastifySetting = { store: await makeStore(), seed: seedOf(0) }
    const { origin, pid, stop } = await bench.start<never, never>("fastify", setting)
    return { origin, pid, stop, after: nothing }
  }
  const mounted = async (): Promise<Server> => {
    const setting: MountedSetting = { store: await makeStore(), seed: seedOf(0), admission: "checked" }
    const { origin, pid, stop } = await bench.start<never, never>("mounted", setting)
    return { origin, pid, stop, after: nothing }
  }
  const standalone = async (verdictWaitMs: number | null): Promise<Server> => {
    const store = await makeStore()
    await seed(store, seedOf(verdictWaitMs))
    const host = await bench.startHost(store)
    return { ...host, after: () => untilIdle(store) }
  }

  const floor = await byHand()
  const line = async (what: string, start: () => Promise<Server>): Promise<TableRow> => {
    bench.progress(`http, ${name}, ${what}`)
    const ours = await start()
    const side =
      (server: Server): Side =>
      () =>
        post(server, bench.seconds)
    for (const server of [ours, floor]) await post(server, warmUpSeconds)
    const compared = await compare(bench.rounds, side(ours), side(floor))
    await ours.stop()
    return comparisonRow(`HTTP, ${name}: \`POST /messages\`, ${what}`, compared)
  }
  const lines = [
    await line("lanes idle", mounted),
    await line("whole host, not waiting for the verdict", () => standalone(0)),
    await line("whole host, waiting for the verdict (default)", () => standalone(null))
  ]
  await floor.stop()
  await client.stop()
  return lines
}

/** The host and the HTTP layer, on both databases. */
export const httpSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  buildHost()
  return [
    ...(await onDatabase(bench, "Postgres", bench.stores.postgres)),
    ...(await onDatabase(bench, "SQLite", bench.stores.sqlite))
  ]
}
