import { setTimeout as sleep } from "node:timers/promises"
import type { TableRow } from "../measuring/table.js"
import type { ChatFigures, ChatOrder, ChatSetting } from "../programs/chat.js"
import type { VisitorsAnswer, VisitorsOrder } from "../programs/visitors.js"
import { chatConnectionId } from "../world/seedChat.js"
import type { Bench } from "./Bench.js"

const heldMs = 20_000

/** Figures of a server, for one stream where that makes sense. */
interface Measured {
  readonly memoryBytes: number
  readonly openMicros: number
  /** CPU that one stream takes in a minute of silence. */
  readonly heldMicros: number
  readonly endMicros: number
  readonly openDelay: ChatFigures
  readonly endDelay: ChatFigures
}

/** Opens streams of as many visitors, holds and ends them. */
const measured = async (bench: Bench, who: string, setting: ChatSetting, count: number): Promise<Measured> => {
  const chat = await bench.start<ChatOrder, ChatFigures>("chat", setting)
  const visitors = await bench.start<VisitorsOrder, VisitorsAnswer>("visitors", null)
  const isChat = setting.store !== null
  const url = isChat ? `${chat.origin}/inbound/${chatConnectionId}` : chat.origin
  const open = async (streams: number) => {
    const opened = await visitors.ask({ open: streams, url, isChat })
    if (opened !== streams) throw new Error(`${opened} of ${streams} streams are open`)
  }
  await open(500)
  await visitors.ask("end")
  await sleep(2_000)
  const before = await chat.ask("figures")
  bench.progress(`chat, ${who}: ${count.toLocaleString("en")} streams`)
  await open(count)
  const opened = await chat.ask("figures")
  await sleep(heldMs)
  const held = await chat.ask("figures")
  await visitors.ask("end")
  await sleep(5_000)
  const ended = await chat.ask("figures")
  await visitors.stop()
  await chat.stop()
  return {
    memoryBytes: (opened.memoryBytes - before.memoryBytes) / count,
    openMicros: opened.cpuMicros / count,
    heldMicros: ((held.cpuMicros / count) * 60_000) / heldMs,
    endMicros: ended.cpuMicros / count,
    openDelay: opened,
    endDelay: ended
  }
}

const row = (what: string, unit: string, ours: number, floor: number): TableRow => [
  `Web chat, ${what}`,
  `${ours.toFixed(0)} ${unit}`,
  `${floor.toFixed(0)} ${unit}`,
  `**${(ours / floor).toFixed(2)}×**`
]

const delays = ({ delayP99, delayMax }: ChatFigures) => `p99 ${delayP99.toFixed(1)}, longest ${delayMax.toFixed(0)} ms`

/** Streams of web chat visitors, compared with `node:http` that only holds them. */
export const chatSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  const count = bench.streams
  const ours = await measured(bench, "Parley", { store: bench.stores.sqlite() }, count)
  const floor = await measured(bench, "by hand", { store: null }, count)
  const delay = (what: string, of: "openDelay" | "endDelay"): TableRow => [
    `Web chat, event loop delay while ${count.toLocaleString("en")} streams ${what}`,
    delays(ours[of]),
    delays(floor[of]),
    "–"
  ]
  return [
    row("memory of a stream", "kB", ours.memoryBytes / 1_000, floor.memoryBytes / 1_000),
    row("CPU of opening a session and a stream", "µs", ours.openMicros, floor.openMicros),
    row("CPU of holding a stream for a minute", "µs", ours.heldMicros, floor.heldMicros),
    row("CPU of ending a stream", "µs", ours.endMicros, floor.endMicros),
    delay("open", "openDelay"),
    delay("end", "endDelay")
  ]
}
