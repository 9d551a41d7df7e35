import type { RoundResult } from "../measuring/RoundResult.js"
import { singleRow, type TableRow } from "../measuring/table.js"
import type { ListsOrder, ListsSetting } from "../programs/lists.js"
import { searches, tags } from "../world/manyRows.js"
import type { Store } from "../world/Store.js"
import type { Bench } from "./Bench.js"

const calls = 250

const filters: ReadonlyArray<readonly [name: string, queries: ReadonlyArray<string>]> = [
  ["without a filter", [""]],
  ["`search`", searches(calls).map((text) => `search=${encodeURIComponent(text)}&`)],
  ["`tag`", tags.map((tag) => `tag=${encodeURIComponent(tag)}&`)],
  ["`channel`", ["whatsapp", "phone", "email"].map((channel) => `channel=${channel}&`)]
]

const figures = ({ p50, p99 }: RoundResult) => `p50 ${p50?.toFixed(1)} p99 ${p99?.toFixed(1)} ms`

const whole = (value: number) => value.toLocaleString("en")

/** First and last pages, read sequentially, on one database. */
const onDatabase = async (
  bench: Bench,
  name: string,
  store: Store,
  contacts: number
): Promise<ReadonlyArray<TableRow>> => {
  bench.progress(`lists, ${name}: writing ${whole(contacts)} contacts and ${whole(bench.rows)} of each other kind`)
  const seed = { verdictWaitMs: 0, webhookUrl: bench.webhookUrl }
  const setting: ListsSetting = { store, seed, many: { contacts, rows: bench.rows } }
  const reader = await bench.start<ListsOrder, RoundResult>("lists", setting)
  const lines: Array<TableRow> = []

  for (const [filter, queries] of filters) {
    bench.progress(`lists, ${name}, contacts ${filter}`)
    const read = (page: number, calls: number) =>
      reader.ask({ calls, paths: queries.map((query) => `/api/v1/contacts?${query}page=${page}`) })
    await read(1, 50)
    const [first, far] = [await read(1, calls), await read(1_000, calls)]
    lines.push(
      singleRow(
        `Lists, ${name}: \`GET /contacts\`, ${whole(contacts)} of them, ${filter}`,
        `page 1: ${figures(first)}; page 1,000: ${figures(far)}`
      )
    )
  }

  for (const list of ["conversations", "messages"] as const) {
    bench.progress(`lists, ${name}, ${list}`)
    const read = (page: "first" | "last", calls: number) => reader.ask({ calls, list, page })
    await read("first", 50)
    const [first, last] = [await read("first", calls), await read("last", calls)]
    const ratio = last.p50 === null || first.p50 === null ? Number.NaN : last.p50 / first.p50
    lines.push(
      singleRow(
        `Lists, ${name}: ${whole(bench.rows)} ${list}, the last page after the first`,
        `${figures(first)}, then ${figures(last)}: ${ratio.toFixed(2)}×`
      )
    )
  }
  await reader.stop()
  return lines
}

/** Duration of pages of long lists; a tenth of the contacts on SQLite. */
export const listsSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => [
  ...(await onDatabase(bench, "Postgres", await bench.stores.postgres(), bench.contacts)),
  ...(await onDatabase(bench, "SQLite", bench.stores.sqlite(), Math.ceil(bench.contacts / 10)))
]
