import { type Compared, median } from "./compare.js"
import type { RoundResult } from "./RoundResult.js"

/** A line of the table, in the order of {@link headings}. */
export type TableRow = readonly [what: string, ours: string, floor: string, ratio: string]

/** The heading rows. */
const headings: TableRow = ["", "Parley", "by hand", "ratio"]

const none = "–"

/** The figures of both sides, and the ratio of their medians. */
export const comparisonRow = (what: string, { floor, ours }: Compared): TableRow => [
  what,
  figures(ours),
  floor.length === 0 ? none : figures(floor),
  floor.length === 0 ? none : `**${(perSecond(ours) / perSecond(floor)).toFixed(2)}×**`
]

/** The CPU time of both processes per operation in µs, and the ratio of the medians. */
export const cpuRow = (what: string, { floor, ours }: Compared): TableRow => {
  const micros = (rounds: ReadonlyArray<RoundResult>) => rounds.map(({ cpuMicros }) => cpuMicros ?? Number.NaN)
  const cell = (values: ReadonlyArray<number>) =>
    `${whole(median(values))} µs (${whole(Math.min(...values))}–${whole(Math.max(...values))})`
  const [one, other] = [micros(ours), micros(floor)]
  return [what, cell(one), cell(other), `**${(median(one) / median(other)).toFixed(2)}×**`]
}

/** A line about Parley alone. */
export const singleRow = (what: string, value: string): TableRow => [what, value, none, none]

const perSecond = (rounds: ReadonlyArray<RoundResult>) => median(rounds.map((round) => round.perSecond))

/** Rate, latencies and CPU of some rounds: the medians, and the lowest and highest rate. */
export const figures = (rounds: ReadonlyArray<RoundResult>): string => {
  const rates = rounds.map((round) => round.perSecond)
  const p50 = middle(rounds.map((round) => round.p50))
  const p99 = middle(rounds.map((round) => round.p99))
  const cpu = middle(rounds.map((round) => round.cpuMicros))
  return [
    `${whole(median(rates))}/s (${whole(Math.min(...rates))}–${whole(Math.max(...rates))})`,
    ...(p50 === null || p99 === null ? [] : [`p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`]),
    ...(cpu === null ? [] : [`${whole(cpu)} µs CPU`])
  ].join("; ")
}

/** The median, or null if a round has no value. */
const middle = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : median(known)
}

const whole = (value: number): string => Math.round(value).toLocaleString("en")

/** The table in Markdown. */
export const table = (lines: ReadonlyArray<TableRow>): string =>
  [headings, headings.map((_, column) => (column === 0 ? "---" : "---:")), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")
