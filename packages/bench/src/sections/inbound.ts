import { setTimeout as sleep } from "node:timers/promises"
import { compare } from "../measuring/compare.js"
import { highestSustainedRate } from "../measuring/highestSustainedRate.js"
import { cpuMicrosOf } from "../measuring/processFigures.js"
import { callers, type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { comparisonRow, cpuRow, type TableRow } from "../measuring/table.js"
import type { InboundByHandSetting } from "../programs/inboundByHand.js"
import type { InboundInBatchesSetting } from "../programs/inboundInBatches.js"
import type { Answered, VendorOrder } from "../programs/vendor.js"
import { compareResults } from "../world/messageResults.js"
import { rowsOf, type Store } from "../world/Store.js"
import { type Audience, seedWhatsApp, whatsappConnectionId } from "../world/seedWhatsApp.js"
import { buildHost } from "../world/standalone.js"
import { untilIdle } from "../world/untilIdle.js"
import type { Bench } from "./Bench.js"

const perSecond = 1_000
const warmUpSeconds = 4
/** Messages in a second of a round beside batches by hand, sized so that a round takes about as long as the others. */
const inBatchesPerSecond = 600
const inBatchesToWarmUp = 1_000
/** Maximum duration of the highest rate. */
const heldSeconds = 10
const heldP99 = 250

/** Sets of customers: of the warm-up and of the measurement. */
const [earlier, ours] = [0, 1]

/** A server that receives webhooks. */
interface Server {
  readonly url: string
  readonly pid: number
  /** The ids of the stored messages. */
  readonly stored: () => Promise<ReadonlySet<string>>
  /** Runs after each load. */
  readonly settle: () => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** A load at an even rate. */
interface Evenly {
  readonly perSecond: number
  readonly seconds: number
  readonly group: number
}

/** The result of one load. */
interface Load extends Answered {
  readonly cpuMicros: number | null
  /** Number of acknowledged messages that are not stored. */
  readonly missing: number
}

/** Inbound messages on one database, compared with a server that stores raw payloads. */
const onDatabase = async (bench: Bench, name: string, makeStore: () => Promise<Store> | Store) => {
  const vendor = await bench.start<VendorOrder, Answered>("vendor", null)

  const load = async ({ pid, settle, stored, url }: Server, order: Evenly): Promise<Load> => {
    const before = cpuMicrosOf(pid)
    const answered = await vendor.ask({ ...order, url })
    const after = cpuMicrosOf(pid)
    const known = await stored()
    await settle()
    await sleep(500)
    return {
      ...answered,
      cpuMicros: before === null || after === null ? null : (after - before) / (order.perSecond * order.seconds),
      missing: answered.acknowledged.filter((id) => !known.has(id)).length
    }
  }

  const measured = async (server: Server, who: string) => {
    bench.progress(`inbound, ${name}, ${who}: ${perSecond}/s for ${bench.inbound} s`)
    await load(server, { perSecond, seconds: warmUpSeconds, group: earlier })
    const steady = await load(server, { perSecond, seconds: bench.inbound, group: ours })
    bench.progress(`inbound, ${name}, ${who}: ${figures(steady)}`)
    const held = await highestSustainedRate(async (rate) => {
      const seconds = Math.min(heldSeconds, bench.inbound)
      const { missing, p99, refused } = await load(server, { perSecond: rate, seconds, group: ours })
      bench.progress(`inbound, ${name}, ${who}: ${rate}/s, p99 ${p99.toFixed(0)} ms`)
      return refused + missing === 0 && p99 < heldP99
    })
    await server.stop()
    return { steady, held }
  }

  const host = async (audience: Audience): Promise<Server> => {
    const store = await makeStore()
    await seedWhatsApp(store, audience)
    const { origin, pid, stop } = await bench.startHost(store)
    return {
      url: `${origin}/inbound/${whatsappConnectionId}`,
      pid,
      stored: () =>
        idsIn(store, `SELECT provider_message_id AS id FROM messages WHERE connection_id = '${whatsappConnectionId}'`),
      settle: () => untilIdle(store),
      stop
    }
  }
  const byHand = async (): Promise<Server> => {
    const store = await makeStore()
    const { origin, pid, stop } = await bench.start<never, never>("inboundByHand", {
      store
    } satisfies InboundByHandSetting)
    const stored = () => idsIn(store, "SELECT provider_message_id AS id FROM payloads")
    return { url: origin, pid, stored, settle: () => Promise.resolve(), stop }
  }

  const floor = await measured(await byHand(), "by hand")
  const audiences: ReadonlyArray<readonly [what: string, audience: Audience]> = [
    ["no webhook endpoint", "none"],
    ["one webhook endpoint", { webhookUrl: bench.webhookUrl }]
  ]
  const lines: Array<TableRow> = []
  for (const [what, audience] of audiences) {
    const { held, steady } = await measured(await host(audience), what)
    lines.push(...(await besideBatches(bench, name, makeStore, what, audience)))
    lines.push(
      [
        `Inbound, ${name}: ${perSecond.toLocaleString("en")} webhooks of WhatsApp a second for ${bench.inbound} s, ${what}`,
        figures(steady),
        figures(floor.steady),
        `**${(steady.p99 / floor.steady.p99).toFixed(2)}×** the p99`
      ],
      [
        `Inbound, ${name}: most a second with p99 below ${heldP99} ms, ${what}`,
        `${held.toLocaleString("en")}/s`,
        `${floor.held.toLocaleString("en")}/s`,
        `**${(held / floor.held).toFixed(2)}×**`
      ]
    )
  }
  await vendor.stop()
  return lines
}

/**
 * As many webhooks as {@link callers} post, at a host and, in turn, at a program by hand that stores the same rows in
 * batches.
 */
export const besideBatches = async (
  bench: Bench,
  name: string,
  makeStore: () => Promise<Store> | Store,
  what: string,
  audience: Audience
): Promise<ReadonlyArray<TableRow>> => {
  const stores = { host: await makeStore(), byHand: await makeStore() }
  await seedWhatsApp(stores.host, audience)
  const host = await bench.startHost(stores.host)
  const setting: InboundInBatchesSetting = { store: stores.byHand, audience }
  const byHand = await bench.start<never, never>("inboundInBatches", setting)
  /** With a vendor of its own, so that both get equal messages. */
  const side = async (pid: number, url: string, store: Store) => {
    const vendor = await bench.start<VendorOrder, Answered>("vendor", null)
    const round = async (count: number): Promise<RoundResult> => {
      const [cpu, start] = [cpuMicrosOf(pid), performance.now()]
      const { refused } = await vendor.ask({ url, group: ours, count })
      await untilIdle(store)
      const [elapsedMs, after] = [performance.now() - start, cpuMicrosOf(pid)]
      if (refused > 0) throw new Error(`${refused} webhooks were refused`)
      return rateOf(count, elapsedMs, cpu === null || after === null ? null : after - cpu)
    }
    return { round, stop: vendor.stop }
  }
  const sides = {
    ours: await side(host.pid, `${host.origin}/inbound/${whatsappConnectionId}`, stores.host),
    floor: await side(byHand.pid, byHand.origin, stores.byHand)
  }
  for (const { round } of [sides.ours, sides.floor]) await round(inBatchesToWarmUp)
  bench.progress(`inbound, ${name}, ${what}: beside batches by hand`)
  const count = inBatchesPerSecond * bench.seconds
  const compared = await compare(
    bench.rounds,
    () => sides.ours.round(count),
    () => sides.floor.round(count)
  )
  await compareResults(stores.host, stores.byHand)
  for (const stopped of [sides.ours, sides.floor, host, byHand]) await stopped.stop()
  const line = `Inbound, ${name}: as many as ${callers} callers post, ${what}`
  return [comparisonRow(`${line}; by hand in batches`, compared), cpuRow(`${line}, CPU; by hand in batches`, compared)]
}

const idsIn = async (store: Store, statement: string): Promise<ReadonlySet<string>> =>
  new Set((await rowsOf(store, statement)).map(({ id }) => id))

const figures = ({ cpuMicros, missing, p50, p99, refused }: Load): string =>
  [
    `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`,
    ...(cpuMicros === null ? [] : [`${Math.round(cpuMicros).toLocaleString("en")} µs CPU`]),
    `${refused} refused`,
    `${missing} lost`
  ].join("; ")

/** Inbound webhooks at a whole host, on both databases. */
export const inboundSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  buildHost()
  return [
    ...(await onDatabase(bench, "Postgres", bench.stores.postgres)),
    ...(await onDatabase(bench, "SQLite", bench.stores.sqlite))
  ]
}
