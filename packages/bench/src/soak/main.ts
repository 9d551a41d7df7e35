import { rmSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { startPostgres } from "@parley/testkit/postgres"
import { bundle, programs } from "../bundle.js"
import { startProcess } from "../measuring/BenchProcess.js"
import { cpuMicrosOf, memoryOf } from "../measuring/processFigures.js"
import type { AttackersAnswer, AttackersOrder } from "../programs/attackers.js"
import type { BurnOrder } from "../programs/burn.js"
import type { VictimsOrder, VictimsProgress, VictimsResult } from "../programs/victims.js"
import { makeStores } from "../world/Store.js"
import { chatConnectionId } from "../world/seedChat.js"
import { seedSoak, tenantEndpointIds } from "../world/seedSoak.js"
import { buildHost, startHost } from "../world/standalone.js"
import { blockSeconds, readSoakOptions, warmUpSeconds } from "./options.js"
import { pinning } from "./pin.js"
import {
  addedCounts,
  attackTable,
  type Block,
  type Counts,
  comparisonsOf,
  countsText,
  hostMicrosPerResult,
  latencyTable,
  lossText,
  type MemorySample,
  mebibytes,
  memoryGrowth,
  verdictsOf,
  verdictText
} from "./report.js"

const adminToken = "soak-admin-token-0123456789abcdef"
/** Start of each block whose samples do not count. */
const settleSeconds = 10
/** How long a block waits at most until the victims' messages of the block before are delivered. */
const maxDrainSeconds = 120
const sampleSeconds = 5
const progressSeconds = 30

const progress = (text: string) => process.stderr.write(`${text}\n`)

/** Begins to measure the CPU of a process; the function returns it as a share of one core. */
const watchCpu = (pid: number): (() => number) => {
  const [from, before] = [performance.now(), cpuMicrosOf(pid)]
  return () => {
    const after = cpuMicrosOf(pid)
    return before === null || after === null ? 0 : (after - before) / 1_000 / (performance.now() - from)
  }
}

const percents = (shares: ReadonlyArray<number>): string => shares.map((share) => (share * 100).toFixed(0)).join(", ")

const run = async () => {
  const options = readSoakOptions(process.argv.slice(2))
  const pinned = pinning()
  progress(
    pinned === null ? "One core: attackers and dummy run unpinned" : `Attackers and dummy run on core ${pinned.core}`
  )
  progress("building …")
  bundle()
  buildHost()
  const stops: Array<() => Promise<unknown> | undefined> = []
  const stopped = <A extends { readonly stop: () => Promise<void> }>(started: A): A => {
    stops.unshift(started.stop)
    return started
  }
  const start = async <Order, Answer>(program: string) =>
    stopped(await startProcess<Order, Answer>(programs, program, null, null))

  try {
    const server = options.database === "postgres" ? stopped(await startPostgres({ fsync: true })) : null
    const stores = makeStores(server?.url ?? "")
    process.once("exit", () => rmSync(stores.folder, { recursive: true, force: true }))
    const victims = await start<VictimsOrder, unknown>("victims")
    const attackers = await start<AttackersOrder, AttackersAnswer>("attackers")
    const burner = await start<BurnOrder, null>("burn")
    for (const { pid } of [attackers, burner]) pinned?.pin(pid)
    const store = server === null ? stores.sqlite() : await stores.postgres()
    await seedSoak(store, victims.origin, attackers.origin)
    const settings = { PARLEY_ADMIN_TOKEN: adminToken, PARLEY_TRUSTED_PROXIES: "127.0.0.0/8" }
    const host = stopped(await startHost(store, stores.folder, settings))

    const begun = performance.now()
    const elapsed = () => (performance.now() - begun) / 1_000
    const memory: Array<MemorySample> = []
    let nextProgress = progressSeconds

    /** Waits, and samples the memory of the host and reports progress meanwhile. */
    const watch = async (what: string, seconds: number) => {
      const end = elapsed() + seconds
      while (elapsed() < end) {
        await sleep(Math.min(sampleSeconds, end - elapsed()) * 1_000)
        const bytes = memoryOf(host.pid)
        if (bytes !== null) memory.push({ seconds: elapsed(), bytes })
        if (elapsed() < nextProgress) continue
        nextProgress += progressSeconds
        const { accepted, late, refused } = (await victims.ask("progress")) as VictimsProgress
        progress(
          `${Math.round(elapsed())} s, ${what}: ${accepted} accepted, ${late} late, refused ${countsText(refused) || "none"}, host ${mebibytes(bytes)}`
        )
      }
    }
    const lateMessages = async () => ((await victims.ask("progress")) as VictimsProgress).late
    /** Waits until no message of the victims is late, so that one block does not weigh on the next. */
    const drain = async () => {
      const end = elapsed() + maxDrainSeconds
      while (elapsed() < end && (await lateMessages()) > 0) await watch("waiting for late messages", 1)
    }
    /** Runs a block; returns the CPU of the attackers, as a share of one core. */
    const block = async (name: Block, what: string): Promise<number> => {
      const [cpuOfHost, cpuOfAttackers] = [watchCpu(host.pid), watchCpu(attackers.pid)]
      await watch(what, settleSeconds)
      await victims.ask({ block: name })
      await watch(what, blockSeconds(options) - settleSeconds)
      await victims.ask({ block: null })
      hostShares[name].push(cpuOfHost())
      return cpuOfAttackers()
    }
    const setEndpoints = async (status: "active" | "disabled") => {
      if (!options.only.includes("hanging-endpoints")) return
      for (const id of tenantEndpointIds) {
        const response = await fetch(`${host.origin}/admin/v1/webhook-endpoints/${id}`, {
          method: "PATCH",
          headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
          body: JSON.stringify({ status })
        })
        if (!response.ok) throw new Error(`The endpoint is not ${status}: ${response.status} ${await response.text()}`)
      }
    }
    /** Runs a block under attack; returns the share of a core that the attackers used. */
    const attack = async (n: number): Promise<number> => {
      await setEndpoints("active")
      await attackers.ask({ origin: host.origin, attacks: options.only })
      const share = await block("attack", `attack ${n}`)
      counts.push((await attackers.ask("stop")) ?? {})
      await setEndpoints("disabled")
      return share
    }

    const counts: Array<Counts> = []
    const shares: Array<number> = []
    const hostShares: { readonly [B in Block]: Array<number> } = { attack: [], dummy: [] }
    await victims.ask({
      origin: host.origin,
      chatPath: `/inbound/${chatConnectionId}`,
      messagesPerSecond: options.messagesPerSecond
    })
    await watch("warm-up", warmUpSeconds)
    await drain()
    for (let n = 1; n <= options.blocks; n++) {
      const share = await attack(n)
      shares.push(share)
      await drain()
      await burner.ask(share)
      await block("dummy", `dummy ${n} (${(share * 100).toFixed(0)} % of a core)`)
      await burner.ask(0)
      await drain()
    }
    const result = (await victims.ask("finish")) as VictimsResult

    const comparisons = comparisonsOf(result.samples)
    const growth = memoryGrowth(memory, 2 * blockSeconds(options))
    const verdicts = verdictsOf(comparisons, result, growth)
    const results = addedCounts(counts)
    const micros = hostMicrosPerResult(hostShares, blockSeconds(options), results)
    const bytesAt = (seconds: number) => memory.find((sample) => sample.seconds >= seconds)?.bytes ?? null
    process.stdout.write(
      [
        latencyTable(comparisons),
        attackTable(results),
        [
          `Database: ${options.database}. CPU by block, in % of a core: attackers ${percents(shares)}; host under attack ${percents(hostShares.attack)}, under the dummy load ${percents(hostShares.dummy)}; ${micros.toFixed(0)} µs more of the host for each result of an attack`,
          `Victims: ${options.messagesPerSecond} messages of the application per second; ${result.accepted.toLocaleString("en")} accepted; refused and repeated: ${countsText(result.refused) || "none"}`,
          `Memory of the host: ${mebibytes(bytesAt(warmUpSeconds))} after the warm-up, ${mebibytes(bytesAt(300))} at 5 min, ${mebibytes(memory.at(-1)?.bytes ?? null)} at the end`
        ].join("\n"),
        verdictText(verdicts),
        lossText(result)
      ]
        .filter((part) => part !== "")
        .join("\n\n")
        .concat("\n")
    )
    if (verdicts.some(({ passed }) => passed === false)) process.exitCode = 1
  } finally {
    for (const stop of stops) await stop()
  }
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))
run().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
