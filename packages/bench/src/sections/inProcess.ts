import { compare } from "../measuring/compare.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { comparisonRow, type TableRow } from "../measuring/table.js"
import type { EngineOrder, EngineSetting } from "../programs/engine.js"
import type { Store } from "../world/Store.js"
import type { Bench } from "./Bench.js"

/**
 * `parley.as(…).messages.send` compared with the engine's service that checks the application for each message too.
 * Neither waits for a verdict.
 */
export const inProcessSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  const onDatabase = async (name: string, makeStore: () => Promise<Store> | Store): Promise<TableRow> => {
    bench.progress(`in process, ${name}`)
    const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
    const start = async (by: "client" | "admitted") => {
      const setting: EngineSetting = { store: await makeStore(), seed, lanes: "idle", by }
      return bench.start<EngineOrder, RoundResult>("engine", setting)
    }
    const [client, service] = [await start("client"), await start("admitted")]
    for (const side of [client, service]) await side.ask({ seconds: 4, handles: "known" })
    const order = { seconds: bench.seconds, handles: "known" } as const
    const compared = await compare(
      bench.rounds,
      () => client.ask(order),
      () => service.ask(order)
    )
    await client.stop()
    await service.stop()
    return comparisonRow(
      `In process, ${name}: \`parley.as(…).messages.send\`; the engine's service with the same checks`,
      compared
    )
  }
  return [await onDatabase("Postgres", bench.stores.postgres), await onDatabase("SQLite", bench.stores.sqlite)]
}
