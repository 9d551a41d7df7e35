import { dueAtOf, lanes, type Storage, type Wakeup } from "@parley/core"
import { Effect, Exit, Scope } from "effect"
import type { Journal } from "../audit/Journal.js"
import { makeChance } from "./Chance.js"
import { makeFaults } from "./Faults.js"
import { makeOutside, type Serving } from "./Outside.js"
import type { Plan } from "./Plan.js"
import { perform } from "./perform.js"
import { makeReceivers } from "./Receivers.js"
import { makeRecorder } from "./Recorder.js"
import { makeProcess, type SimulatedProcess } from "./SimulatedProcess.js"
import { startEngine } from "./startEngine.js"
import { makeTimeline } from "./Timeline.js"
import { tenantChanges, worldAt } from "./tenants.js"
import { goodMood, makeVendor } from "./Vendor.js"

/** A database of one history. */
export interface SimulatedDatabase {
  /** The storage and the hints of one process. `passes`: whether a hint gets through. */
  readonly connect: (passes: () => boolean) => { readonly storage: Storage; readonly wakeup: Wakeup }
  /** Forgets relaxed writes, as a power cut does. */
  readonly powerCut: () => void
}

/** Opens a database with this clock (ms). It runs in a process of its own, which does not crash. */
export type OpenDatabase = (clock: () => number) => Effect.Effect<SimulatedDatabase, unknown, Scope.Scope>

const startsAt = Date.UTC(2026, 0, 5, 9)
const restartMs = [200, 2_000, 10_000] as const
/** How long the history goes on after the faults, until all work is done: beyond the last retry of a webhook. */
const maxQuietMs = 4 * 24 * 3_600_000
/** How long it goes on at least: the audit allows due work a minute to be done. */
const minQuietMs = 120_000
/** Simulated time between two looks at whether work is left. */
const lookMs = 2_000
/** Processes sleep until shortly before the next job is due, in ms. */
const aheadMs = 1_500

/** Runs a planned history and returns its journal. Takes no real time to wait. */
export const runHistory = (plan: Plan, open: OpenDatabase): Journal => {
  const chance = makeChance(plan.seed)
  const timeline = makeTimeline(startsAt)
  const recorder = makeRecorder(timeline)
  const faults = makeFaults(timeline, chance.fork("faults"))
  const outsideProcess = makeProcess(timeline, "outside", plan.seed)
  const serving = new Map<string, Serving>()
  const outside = makeOutside(outsideProcess, chance.fork("network"), recorder, () => [...serving.values()])
  const vendor = makeVendor(
    timeline,
    chance.fork("vendor"),
    recorder,
    (connectionId, event, report) => void outsideProcess.fork(outside.report(connectionId, event, report))
  )
  const receivers = makeReceivers(timeline, chance.fork("receivers"), recorder)
  const restarts = chance.fork("restarts")
  let isQuiet = false

  const failed: Array<unknown> = []
  /** Runs an effect to its end, and simulated time with it. */
  const runToEnd = <A>(process: SimulatedProcess, effect: Effect.Effect<A, unknown>): A => {
    const fiber = process.fork(effect)
    let exit: Exit.Exit<A, unknown> | undefined
    fiber.addObserver((ended) => {
      exit = ended
    })
    timeline.runUntil(() => exit !== undefined)
    if (exit === undefined)
      throw new Error("The history stands still: an effect waits for something that is not simulated.")
    return Exit.isSuccess(exit) ? exit.value : raise(exit.cause)
  }

  const scope = Effect.runSync(Scope.make())
  const databaseProcess = makeProcess(timeline, "database", plan.seed)
  const database = runToEnd(databaseProcess, Scope.extend(open(timeline.now), scope))
  const { storage } = database.connect(() => true)
  runToEnd(
    databaseProcess,
    Effect.forEach(tenantChanges, (changes) => storage.commit(changes), { discard: true })
  )
  recorder.record(worldAt(timeline.now()))

  // A process of a host, and its restarts.
  const processes: Array<{ process: SimulatedProcess; scope: Scope.CloseableScope }> = []
  let starts = 0
  const start = (index: number): void => {
    starts++
    const name = `host ${index + 1}.${starts}`
    const process = makeProcess(timeline, name, plan.seed * 64 + starts)
    const scope = Effect.runSync(Scope.make())
    processes[index] = { process, scope }
    const connected = database.connect(() => !faults.losesHint())
    const storage = faults.storageOf(process, connected.storage)
    const { wakeup } = connected
    process.onCrash(() => {
      serving.delete(name)
      recorder.record({ kind: "fault", text: `${name} crashes`, crashed: name })
      timeline.after(isQuiet ? 200 : restarts.pick(restartMs), () => start(index))
    })
    process
      .fork(Scope.extend(startEngine(process, starts, { vendor, receivers, storage, wakeup }), scope))
      .addObserver((exit) => {
        if (Exit.isSuccess(exit)) serving.set(name, { process, interpreter: exit.value })
        else if (process.isAlive()) process.crash()
      })
  }
  /** Shuts a process down as SIGTERM does, and starts another one. */
  const stop = (index: number): void => {
    const running = processes[index]
    if (running === undefined || !serving.delete(running.process.name)) return
    recorder.record({ kind: "fault", text: `${running.process.name} shuts down` })
    running.process
      .fork(Scope.close(running.scope, Exit.void))
      .addObserver(() => running.process.isAlive() && running.process.crash())
  }
  for (let index = 0; index < plan.processes; index++) start(index)
  timeline.runUntil(() => serving.size === plan.processes)

  const context = {
    ...{ chance: chance.fork("actions"), faults, outside, receivers, recorder, stop, timeline, vendor },
    processOf: (index: number) => processes[index % plan.processes]?.process,
    powerCut: database.powerCut,
    pass: outsideProcess.pass
  }
  const act = perform(context)
  const begun = timeline.now()
  for (const step of plan.steps) timeline.after(step.at, () => act(step, outsideProcess))
  timeline.runUntil(() => timeline.now() - begun >= plan.quietAt)

  isQuiet = true
  faults.end()
  vendor.setMood(goodMood)
  receivers.allWork()
  // New processes have right clocks, and no stall.
  for (const { process } of processes) process.crash()
  timeline.runUntil(() => serving.size === plan.processes)
  runToEnd(outsideProcess, act.activateAll)
  recorder.record({ kind: "quiet" })

  const sleepFor = (ms: number) => {
    const awake = timeline.now() + Math.max(0, ms)
    if (ms > lookMs) for (const { process } of processes) process.stall(ms)
    if (ms > lookMs) timeline.after(ms, () => {})
    timeline.runUntil(() => timeline.now() >= awake)
  }
  // Until no work is left. Where all that is left is due later, the processes sleep until shortly before.
  const quietSince = timeline.now()
  const ends = quietSince + maxQuietMs
  let idle = 0
  while (timeline.now() < ends && idle < 3) {
    const until = timeline.now() + lookMs
    timeline.after(lookMs, () => {})
    timeline.runUntil(() => timeline.now() >= until)
    const { isLeased, nextDueAt } = runToEnd(databaseProcess, workOf(storage, timeline.now()))
    idle = isLeased || nextDueAt !== null ? 0 : idle + 1
    if (isLeased || nextDueAt === null) continue
    sleepFor(nextDueAt - aheadMs - timeline.now())
  }
  sleepFor(quietSince + minQuietMs - timeline.now())
  runToEnd(outsideProcess, act.readAll)
  recorder.record({ kind: "end" })
  if (failed.length > 0) throw failed[0]
  return recorder.entries
}

const watchedLanes = lanes.filter((lane) => lane !== "housekeeping")

/** The earliest due time in ms of the jobs that are not leased, null without one, and whether a job is leased. */
const workOf = (storage: Storage, now: number) =>
  Effect.map(
    Effect.forEach(watchedLanes, (lane) => storage.listJobs({ lane, workspaceId: null }, null, 100)),
    (found) => {
      const jobs = found.flat()
      return {
        nextDueAt: jobs.length === 0 ? null : Math.min(...jobs.map(dueAtOf)),
        isLeased: jobs.some(({ leaseUntil }) => leaseUntil > now)
      }
    }
  )

const raise = (cause: unknown): never => {
  throw new Error("The simulation failed.", { cause })
}
