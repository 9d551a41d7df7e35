import { percentileOf } from "../measuring/percentileOf.js"

/** The load beside the victims. */
export type Block = "attack" | "dummy"

/** What is measured of the victims, in ms from the due time of a message. */
export type Measure = keyof typeof measures

const measures = {
  answer: "`POST /messages`, to the answer",
  webhook: "a message of the application or a visitor, to its first webhook",
  visitor: "a visitor's message, to the answer",
  reply: "a visitor's message, to the application's reply in the stream"
}

/** Latencies in ms by block and measure. */
export type Samples = { readonly [B in Block]: { [M in Measure]?: Array<number> } }

/** What was accepted and did not arrive, and what should not have happened; each with its reference. */
export interface Losses {
  /** Never accepted within a minute of repetitions. */
  readonly unaccepted: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
  /** Events that occurred twice. */
  readonly repeated: ReadonlyArray<string>
}

/** Resident memory of the host at a time since its start. */
export interface MemorySample {
  readonly seconds: number
  readonly bytes: number
}

/** Memory early and late in the run: medians over windows of equal length. */
export interface MemoryGrowth {
  readonly earlyBytes: number
  readonly lateBytes: number
  /** Length of each window. */
  readonly seconds: number
}

/** A criterion of the run; null if it was not measured. */
export interface Verdict {
  readonly criterion: string
  readonly passed: boolean | null
  readonly detail: string
}

const maxRatio = 2
/** A p99 of the dummy load, in ms, beyond which the machine is overloaded without an attack, and ratios say little. */
const maxDummyP99 = 1_000
const maxGrowth = 0.1
const settledSeconds = 300
const minWindowSeconds = 60

/** A latency of the victims under attack and under the dummy load. */
export interface Comparison {
  readonly what: string
  readonly count: number
  readonly attack: { readonly p50: number; readonly p99: number }
  readonly dummy: { readonly p50: number; readonly p99: number }
  /** Of the 99th percentiles. */
  readonly ratio: number
}

export const comparisonsOf = (samples: Samples): ReadonlyArray<Comparison> =>
  (Object.keys(measures) as ReadonlyArray<Measure>).map((measure) => {
    const side = (block: Block) => {
      const at = percentileOf(samples[block][measure] ?? [])
      return { p50: at(0.5), p99: at(0.99) }
    }
    const [attack, dummy] = [side("attack"), side("dummy")]
    const count = samples.attack[measure]?.length ?? 0
    return { what: measures[measure], count, attack, dummy, ratio: attack.p99 / dummy.p99 }
  })

/**
 * Compares the memory after five minutes with that at the end, as medians of windows of up to `pairSeconds`: a block
 * with attacks and one without, so that both windows hold the same load. Null if the run is too short for two windows
 * of a minute.
 */
export const memoryGrowth = (samples: ReadonlyArray<MemorySample>, pairSeconds: number): MemoryGrowth | null => {
  const end = samples.at(-1)?.seconds ?? 0
  const seconds = Math.min(pairSeconds, (end - settledSeconds) / 2)
  if (seconds < minWindowSeconds) return null
  const medianBetween = (from: number, to: number) =>
    percentileOf(samples.filter((sample) => sample.seconds >= from && sample.seconds <= to).map(({ bytes }) => bytes))(
      0.5
    )
  return {
    earlyBytes: medianBetween(settledSeconds, settledSeconds + seconds),
    lateBytes: medianBetween(end - seconds, end),
    seconds
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
export const mebibytes = (bytes: number | null): string =>
  bytes === null ? "unknown" : `${Math.round(bytes / 2 ** 20)} MiB`

/**
 * The criteria: latencies, losses and memory, and that the machine was fast enough to compare. A latency without
 * samples fails.
 */
export const verdictsOf = (
  comparisons: ReadonlyArray<Comparison>,
  { missing, repeated, unaccepted }: Losses,
  growth: MemoryGrowth | null
): ReadonlyArray<Verdict> => {
  const slow = comparisons.filter(({ ratio }) => !(ratio <= maxRatio))
  const grown = growth === null ? null : growth.lateBytes / growth.earlyBytes - 1
  const slowest = Math.max(...comparisons.map(({ dummy }) => dummy.p99))
  return [
    {
      criterion: `the victims' p99 under the dummy load at most ${maxDummyP99} ms, else the machine is overloaded and the ratios say little`,
      passed: slowest <= maxDummyP99,
      detail: `at most ${slowest.toFixed(0)} ms`
    },
    {
      criterion: `p99 of the victims at most ${maxRatio}× of that under the dummy load`,
      passed: slow.length === 0,
      detail: comparisons.map(({ ratio }) => `${ratio.toFixed(2)}×`).join(", ")
    },
    {
      criterion: "nothing lost or repeated",
      passed: missing.length + repeated.length + unaccepted.length === 0,
      detail: `${unaccepted.length} never accepted, ${missing.length} lost, ${repeated.length} events twice`
    },
    {
      criterion: `memory of the host grows by at most ${percent(maxGrowth)} after five minutes`,
      passed: growth === null ? null : growth.lateBytes <= growth.earlyBytes * (1 + maxGrowth),
      detail:
        growth === null || grown === null
          ? "not measured: the run is too short"
          : `${mebibytes(growth.earlyBytes)}, then ${mebibytes(growth.lateBytes)}: ${percent(grown)} (medians of ${Math.round(growth.seconds)} s)`
    }
  ]
}

const ms = ({ p50, p99 }: Comparison["attack"]) => `${p50.toFixed(1)} | ${p99.toFixed(1)}`

/** The latencies as a table in Markdown. */
export const latencyTable = (comparisons: ReadonlyArray<Comparison>): string =>
  [
    "| ms | samples | attack p50 | p99 | dummy p50 | p99 | ratio of p99 |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...comparisons.map(
      (one) => `| ${one.what} | ${one.count} | ${ms(one.attack)} | ${ms(one.dummy)} | **${one.ratio.toFixed(2)}×** |`
    )
  ].join("\n")

/** How often each attack had each result. */
export type Counts = { readonly [attack: string]: { readonly [result: string]: number } }

/** The results of several blocks together. */
export const addedCounts = (blocks: ReadonlyArray<Counts>): Counts => {
  const sum: Record<string, Record<string, number>> = {}
  for (const block of blocks) {
    for (const [attack, counts] of Object.entries(block)) {
      const ofAttack = sum[attack] ?? {}
      sum[attack] = ofAttack
      for (const [result, count] of Object.entries(counts)) ofAttack[result] = (ofAttack[result] ?? 0) + count
    }
  }
  return sum
}

/**
 * CPU of the host for each result of the attacks, in µs: what it used under attack beyond the dummy load. `shares`: of
 * one core, by block. `seconds`: of one block.
 */
export const hostMicrosPerResult = (
  shares: { readonly [B in Block]: ReadonlyArray<number> },
  seconds: number,
  counts: Counts
): number => {
  const sum = (values: ReadonlyArray<number>) => values.reduce((all, value) => all + value, 0)
  const results = sum(Object.values(counts).flatMap((of) => Object.values(of)))
  return ((sum(shares.attack) - sum(shares.dummy)) * seconds * 1_000_000) / results
}

/** Results with their counts, the most frequent first. */
export const countsText = (counts: { readonly [result: string]: number }): string =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([result, count]) => `${result}: ${count.toLocaleString("en")}`)
    .join(", ")

/** The results of the attacks as a table in Markdown. */
export const attackTable = (counts: Counts): string =>
  [
    "| attack | results |",
    "| --- | --- |",
    ...Object.entries(counts).map(([attack, of]) => `| ${attack} | ${countsText(of)} |`)
  ].join("\n")

/** The verdicts, one a line, and what they amount to. */
export const verdictText = (verdicts: ReadonlyArray<Verdict>): string => {
  const failed = verdicts.filter(({ passed }) => passed === false).length
  const open = verdicts.filter(({ passed }) => passed === null).length
  const lines = verdicts.map(
    ({ criterion, detail, passed }) =>
      `${passed === null ? "open" : passed ? "passed" : "failed"}: ${criterion} (${detail})`
  )
  const notMeasured = open === 0 ? "" : `; ${open} not measured`
  return [
    ...lines,
    `Result: ${failed === 0 ? "passed" : `failed, ${failed} of ${verdicts.length}`}${notMeasured}`
  ].join("\n")
}

const maxListed = 100

/** The losses by reference, at most a hundred of each kind. */
export const lossText = ({ missing, repeated, unaccepted }: Losses): string =>
  [["never accepted", unaccepted] as const, ["lost", missing] as const, ["event twice", repeated] as const]
    .flatMap(([what, references]) => references.slice(0, maxListed).map((reference) => `${what}: ${reference}`))
    .join("\n")
