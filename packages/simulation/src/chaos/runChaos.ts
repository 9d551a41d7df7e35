import { randomBytes } from "node:crypto"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { startPostgres } from "@parley/testkit/postgres"
import type { Journal } from "../audit/Journal.js"
import { makeChance } from "../run/Chance.js"
import { makeRecorder } from "../run/Recorder.js"
import { goodMood } from "../run/Vendor.js"
import { makeCallers } from "./Callers.js"
import { openDatabaseProxy } from "./databaseProxy.js"
import { type FaultKind, planFaults, planMoods } from "./Fault.js"
import { type Host, makeHost } from "./Host.js"
import { makeFaults, portOf } from "./injectFaults.js"
import { startReceivers } from "./receivers.js"
import { makeTenants, numbers } from "./tenants.js"
import { startVendor } from "./vendor.js"
import { makeWorkload, openJobs } from "./workload.js"

export interface ChaosOptions {
  readonly seed: number
  /** Duration of the workload and its faults. */
  readonly ms: number
  readonly hosts: number
  readonly actionsPerSecond: number
  readonly faults: ReadonlyArray<FaultKind>
  /** How long the history goes on after the faults, at least, and at most while work is left. */
  readonly quietMs: { readonly min: number; readonly max: number }
  /** An empty folder for the data and the logs of the hosts. */
  readonly folder: string
  /** Path of libfaketime; null: without. */
  readonly faketime: string | null
  readonly progress: (text: string) => void
}

const progressEveryMs = 10_000
const lookEveryMs = 2_000
/** Requests in flight at most: hosts that do not answer hold some. */
const maxInFlight = 100
const windowsMs = 3_000

/** Runs hosts on a Postgres of their own under faults, and returns the journal. */
export const runChaos = async (options: ChaosOptions): Promise<Journal> => {
  const { folder, progress } = options
  const chance = makeChance(options.seed)
  const recorder = makeRecorder({ now: Date.now })
  const closes: Array<() => unknown> = []
  const opened = <A>(value: A, close: (value: A) => unknown): A => {
    closes.unshift(() => close(value))
    return value
  }
  try {
    const postgres = opened(await startPostgres(), ({ stop }) => stop())
    const proxy = opened(await openDatabaseProxy(portOf(postgres.url)), ({ close }) => close())
    if (options.faults.includes("promote")) await postgres.replicate({ synchronous: true })
    const network = chance.fork("network")
    const originOf = (): string => network.pick(hosts).origin
    const receivers = opened(await startReceivers(chance.fork("receivers"), recorder), ({ close }) => close())
    const vendor = opened(await startVendor(numbers, chance.fork("vendor"), recorder, originOf), ({ close }) => close())

    const adminToken = randomBytes(24).toString("hex")
    const secretKey = randomBytes(32).toString("base64")
    const databaseUrl = new URL(postgres.url)
    databaseUrl.port = String(proxy.port)
    const ports = await freePorts(options.hosts)
    const hosts: ReadonlyArray<Host> = ports.map((port, index) =>
      opened(
        makeHost({
          name: `host ${index + 1}`,
          port,
          folder: join(folder, `host-${index + 1}`),
          databaseUrl: databaseUrl.href,
          vendorUrl: vendor.url,
          adminToken,
          secretKey,
          faketime: options.faketime
        }),
        ({ end }) => end("SIGKILL")
      )
    )
    for (const host of hosts) await host.start()

    const { tokens, world } = await makeTenants(hosts[0]?.origin ?? "", adminToken, vendor.url, receivers.urlOf)
    recorder.record(world)
    const callers = makeCallers(adminToken, recorder, originOf)
    for (const [name, token] of tokens) callers.tokens.set(name, token)
    const workload = makeWorkload(chance.fork("workload"), callers, vendor, world)
    const faults = makeFaults({ hosts, postgres, proxy, receivers, recorder, vendor })

    const begun = Date.now()
    let actions = 0
    let phase = "faults"
    const report = () => {
      const count = (kind: string) => recorder.entries.filter((entry) => entry.kind === kind).length
      progress(
        `${Math.round((Date.now() - begun) / 1_000)} s, ${phase}: ${actions} actions, ${faults.injected()} faults, ${workload.messages()} messages, ${count("hand-over")} hand-overs, ${count("webhook")} webhook attempts, ${hosts.filter(({ isUp }) => isUp()).length} hosts up`
      )
    }
    const reporting = opened(setInterval(report, progressEveryMs), clearInterval)

    await workload.publish()
    workload.openWindows()
    await sleep(windowsMs)
    const isOver = () => Date.now() >= begun + options.ms
    const injecting = faults.run(
      planFaults(chance.fork("faults"), options.hosts, options.faults),
      planMoods(chance.fork("moods"), options.faults),
      isOver
    )
    let failure: unknown
    injecting.catch((error: unknown) => {
      failure = error
    })
    const inFlight = new Set<Promise<void>>()
    while (!isOver() && failure === undefined) {
      await sleep(1_000 / options.actionsPerSecond)
      if (inFlight.size >= maxInFlight) continue
      actions++
      const action = workload.act()
      inFlight.add(action)
      void action.finally(() => inFlight.delete(action))
    }
    await injecting
    await Promise.all(inFlight)
    vendor.setMood(goodMood)
    receivers.allWork()
    for (const host of hosts) if (!host.isUp()) await host.start()
    recorder.record({ kind: "quiet" })

    phase = "quiet"
    const quietSince = Date.now()
    const { max, min } = options.quietMs
    while (Date.now() < quietSince + max) {
      await sleep(lookEveryMs)
      if (Date.now() < quietSince + min) continue
      if (vendor.unconfirmed() === 0 && (await openJobs(callers, quietSince + max - Date.now())) === 0) break
    }
    phase = "reading"
    await workload.readAll()
    recorder.record({ kind: "end" })
    clearInterval(reporting)
    report()
    return recorder.entries
  } finally {
    for (const close of closes) await close()
  }
}

const freePorts = async (count: number): Promise<ReadonlyArray<number>> => {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
        )
    )
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
