import { compare, median } from "../measuring/compare.js"
import { cpuMicrosOf } from "../measuring/processFigures.js"
import type { RoundResult } from "../measuring/RoundResult.js"
import { figures, type TableRow } from "../measuring/table.js"
import type { ClientOrder } from "../programs/client.js"
import type { MountedSetting } from "../programs/mounted.js"
import type { Store } from "../world/Store.js"
import { apiKey } from "../world/seed.js"
import { bodyOf, handleOf } from "../world/traffic.js"
import type { Bench } from "./Bench.js"

/** Cost of access checks: requests with all checks compared with requests without. */
const onDatabase = async (bench: Bench, name: string, makeStore: () => Promise<Store> | Store) => {
  const client = await bench.start<ClientOrder, RoundResult>("client", null)
  const mounted = async (admission: MountedSetting["admission"]) => {
    const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
    const setting: MountedSetting = { store: await makeStore(), seed, admission }
    const server = await bench.start<never, never>("mounted", setting)
    return { ...server, message: await sendOne(server.origin) }
  }
  const [checked, open] = [await mounted("checked"), await mounted("open")]
  type Server = typeof checked
  const lines: Array<TableRow> = []
  for (const what of ["GET /messages/{id}", "POST /messages"] as const) {
    bench.progress(`access, ${name}, ${what}`)
    const round = async ({ message, origin, pid }: Server, seconds: number): Promise<RoundResult> => {
      const start = cpuMicrosOf(pid)
      const work = what === "POST /messages" ? { handles: "known" as const } : { path: `/api/v1/messages/${message}` }
      const round = await client.ask({ origin, until: { seconds }, ...work })
      const end = cpuMicrosOf(pid)
      return { ...round, cpuMicros: start === null || end === null ? null : (end - start) / round.count }
    }
    for (const server of [checked, open]) await round(server, bench.seconds)
    const { ours, floor } = await compare(
      bench.rounds,
      () => round(checked, bench.seconds),
      () => round(open, bench.seconds)
    )
    const cpu = (rounds: ReadonlyArray<RoundResult>) => median(rounds.map(({ cpuMicros }) => cpuMicros ?? Number.NaN))
    const more = ((cpu(ours) / cpu(floor) - 1) * 100).toFixed(0)
    lines.push([
      `Access, ${name}: \`${what}\``,
      figures(ours),
      `unchecked: ${figures(floor)}`,
      `**${more} %** more CPU`
    ])
  }
  await checked.stop()
  await open.stop()
  await client.stop()
  return lines
}

/** Sends one message to read later; returns its id. */
const sendOne = async (origin: string): Promise<string> => {
  const answer = await fetch(`${origin}/api/v1/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": "to read" },
    body: JSON.stringify(bodyOf(handleOf(0)))
  })
  const { data } = (await answer.json()) as { readonly data: { readonly message_id: string } }
  return data.message_id
}

/** Credentials, buckets and scopes, on both databases. */
export const accessSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => [
  ...(await onDatabase(bench, "Postgres", bench.stores.postgres)),
  ...(await onDatabase(bench, "SQLite", bench.stores.sqlite))
]
