import { setTimeout as sleep } from "node:timers/promises"
import { median } from "../measuring/compare.js"
import type { TableRow } from "../measuring/table.js"
import type { ChatFigures, ChatOrder, ChatSetting } from "../programs/chat.js"
import type { VisitorsAnswer, VisitorsOrder } from "../programs/visitors.js"
import { chatConnectionId } from "../world/seedChat.js"
import type { Bench } from "./Bench.js"

const heldMs = 20_000

/** Figures of a server, for one stream where that makes sense. */
interface Measured {
  readonly residentBytes: number
  readonly heapBytes: number
  readonly openMicros: number
  /** CPU that one stream takes in a minute of silence. */
  readonly heldMicros: number
  readonly endMicros: number
  readonly openDelay: ChatFigures
  readonly endDelay: ChatFigures
  readonly stopDelay: ChatFigures
}

/** Opens streams of as many visitors and ends them: half by the clients, the others by a stop of the host. */
const measured = async (bench: Bench, who: string, setting: ChatSetting, count: number): Promise<Measured> => {
  const chat = await bench.start<ChatOrder, ChatFigures>("chat", setting)
  const visitors = await bench.start<VisitorsOrder, VisitorsAnswer>("visitors", null)
  const url = `${chat.origin}/inbound/${chatConnectionId}`
  const isChat = setting.store !== null
  const open = async (streams: number, all: number) => {
    const opened = await visitors.ask({ open: streams, url, isChat })
    if (opened !== all) throw new Error(`${opened} of ${all} streams are open`)
    return chat.ask("figures")
  }
  await open(500, 500)
  await visitors.ask("end")
  await sleep(2_000)
  bench.progress(`chat, ${who}: ${count.toLocaleString("en")} streams`)
  // The first half of them grows the heap once and for all.
  const before = await open(count / 2, count / 2)
  const opened = await open(count / 2, count)
  await sleep(heldMs)
  const held = await chat.ask("figures")
  await visitors.ask("end")
  await sleep(5_000)
  const ended = await chat.ask("figures")
  await open(count, count)
  await chat.ask("stop")
  await sleep(5_000)
  const stopped = await chat.ask("figures")
  await visitors.stop()
  await chat.stop()
  return {
    residentBytes: (opened.residentBytes - before.residentBytes) / (count / 2),
    heapBytes: (opened.heapBytes - before.heapBytes) / (count / 2),
    openMicros: opened.cpuMicros / (count / 2),
    heldMicros: ((held.cpuMicros / count) * 60_000) / heldMs,
    endMicros: ended.cpuMicros / count,
    openDelay: opened,
    endDelay: ended,
    stopDelay: stopped
  }
}

const spread = (values: ReadonlyArray<number>, digits: number) => {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map((n) => n.toFixed(digits))
  return `${middle} (${low}–${high})`
}

const row = (
  what: string,
  unit: string,
  rounds: ReadonlyArray<{ readonly ours: Measured; readonly floor: Measured }>,
  of: (measured: Measured) => number
): TableRow => [
  `Web chat, ${what}`,
  `${spread(
    rounds.map(({ ours }) => of(ours)),
    unit === "kB" ? 1 : 0
  )} ${unit}`,
  `${spread(
    rounds.map(({ floor }) => of(floor)),
    unit === "kB" ? 1 : 0
  )} ${unit}`,
  `**${spread(
    rounds.map(({ floor, ours }) => of(ours) / of(floor)),
    2
  )}×**`
]

const delays = (figures: ReadonlyArray<ChatFigures>) =>
  `p99 ${spread(
    figures.map(({ delayP99 }) => delayP99),
    1
  )}, longest ${spread(
    figures.map(({ delayMax }) => delayMax),
    0
  )} ms`

/** Streams of web chat visitors, compared with `node:http` that only holds them. */
export const chatSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  const count = bench.streams
  const rounds: Array<{ readonly ours: Measured; readonly floor: Measured }> = []
  for (let round = 0; round < bench.rounds; round++) {
    const ours = await measured(bench, "Parley", { store: bench.stores.sqlite() }, count)
    rounds.push({ ours, floor: await measured(bench, "by hand", { store: null }, count) })
  }
  const delay = (what: string, of: "openDelay" | "endDelay" | "stopDelay"): TableRow => [
    `Web chat, event loop delay while ${count.toLocaleString("en")} streams ${what}`,
    delays(rounds.map(({ ours }) => ours[of])),
    delays(rounds.map(({ floor }) => floor[of])),
    "–"
  ]
  return [
    row("JavaScript heap of a stream", "kB", rounds, ({ heapBytes }) => heapBytes / 1_000),
    row("resident memory of a stream", "kB", rounds, ({ residentBytes }) => residentBytes / 1_000),
    row("CPU of opening a session and a stream", "µs", rounds, ({ openMicros }) => openMicros),
    row("CPU of holding a stream for a minute", "µs", rounds, ({ heldMicros }) => heldMicros),
    row("CPU of ending a stream", "µs", rounds, ({ endMicros }) => endMicros),
    delay("open", "openDelay"),
    delay("are ended by their clients", "endDelay"),
    delay("are ended because the host stops", "stopDelay")
  ]
}
