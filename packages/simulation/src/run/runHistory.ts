import { dueAtOf, isPresenceJob, lanes, type Storage } from "@parley/core"
import { Effect, Exit, Scope } from "effect"
import type { Journal } from "../audit/Journal.js"
import { makeChance } from "./Chance.js"
import { makeFaults } from "./Faults.js"
import { forgetFibers } from "./forgetFibers.js"
import { type Hosts, startHosts } from "./Hosts.js"
import { makeBlobs } from "./makeBlobs.js"
import { makeOutside } from "./Outside.js"
import type { Plan } from "./Plan.js"
import { perform } from "./perform.js"
import { makeReceivers } from "./Receivers.js"
import { makeRecorder } from "./Recorder.js"
import type { OpenDatabase } from "./SimulatedDatabase.js"
import { makeProcess, type SimulatedProcess } from "./SimulatedProcess.js"
import { makeSubscribers } from "./Subscribers.js"
import { makeTimeline } from "./Timeline.js"
import { tenantChanges, worldAt } from "./tenants.js"
import { goodMood, makeVendor } from "./Vendor.js"

const startsAt = Date.UTC(2026, 0, 5, 9)
/**
 * How long a request may last that met a slow database, in ms. A change that takes effect later would follow the last
 * activation.
 */
const maxSlowCallMs = 15_000
/** How long the history goes on after the faults, until all work is done: beyond the last retry of a webhook. */
const maxQuietMs = 4 * 24 * 3_600_000
/** How long it goes on at least: the audit allows due work a minute to be done. */
const minQuietMs = 120_000
/** How long it goes on beside a job that is due and that no process starts, in ms: the audit allows a minute. */
const maxStuckMs = 600_000
/** Simulated time between two looks at whether work is left. */
const lookMs = 2_000
/** Processes sleep until shortly before the next job is due, in ms. */
const aheadMs = 1_500

/** A history that ended. */
export interface Ran {
  readonly journal: Journal
  /** The number of calls of its processes to the storage. */
  readonly storageCalls: number
  /** The number of engines that were started. */
  readonly engines: number
}

/** Runs a planned history. Takes no real time to wait. */
export const runHistory = (plan: Plan, open: OpenDatabase): Ran => forgetFibers(() => run(plan, open))

const run = (plan: Plan, open: OpenDatabase): Ran => {
  const chance = makeChance(plan.seed)
  const timeline = makeTimeline(startsAt)
  const recorder = makeRecorder(timeline)
  const faults = makeFaults(timeline, chance.fork("faults"))
  const outsideProcess = makeProcess(timeline, "outside", plan.seed)
  const outside = makeOutside(outsideProcess, chance.fork("network"), recorder, () => hosts.serving())
  const vendor = makeVendor(
    timeline,
    chance.fork("vendor"),
    recorder,
    faults,
    (connectionId, event, report) => void outsideProcess.fork(outside.report(connectionId, event, report))
  )
  const receivers = makeReceivers(timeline, chance.fork("receivers"), recorder, faults)
  const subscribers = makeSubscribers(chance.fork("subscribers"), recorder, faults)

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
  const { storage } = database.connect((hint) => hint)
  runToEnd(
    databaseProcess,
    Effect.forEach(tenantChanges, (changes) => storage.commit(changes), { discard: true })
  )
  recorder.record(worldAt(timeline.now()))

  const { blobs, contents } = makeBlobs()
  const hosts = startHosts(plan.processes, plan.seed, {
    timeline,
    recorder,
    chance: chance.fork("restarts"),
    faults,
    database,
    vendor,
    receivers,
    subscribers,
    blobs
  })
  timeline.runUntil(hosts.areServing)

  const pass = outsideProcess.pass
  const { powerCut } = database
  const act = perform({ faults, hosts, outside, pass, powerCut, receivers, recorder, subscribers, timeline, vendor })
  const begun = timeline.now()
  for (const step of plan.steps) timeline.after(step.at, () => act(step, outsideProcess))
  timeline.runUntil(() => timeline.now() - begun >= plan.quietAt)

  faults.end()
  vendor.setMood(goodMood)
  receivers.allWork()
  subscribers.allWork()
  if (plan.restarts) hosts.replaceAll()
  else timeline.runUntil(() => timeline.now() - begun >= Math.max(plan.quietAt, lastStallEnd(plan)) + maxSlowCallMs)
  timeline.runUntil(hosts.areServing)
  runToEnd(outsideProcess, act.activateAll)
  recorder.record({ kind: "quiet" })

  const sleepFor = (ms: number) => {
    const awake = timeline.now() + Math.max(0, ms)
    if (ms > lookMs) hosts.stallAll(ms)
    if (ms > lookMs) timeline.after(ms, () => {})
    timeline.runUntil(() => timeline.now() >= awake)
  }
  // Until no work is left. Where all that is left is due later, the processes sleep until shortly before. They never
  // sleep in the middle of a request or a job, whose leases would end.
  const quietSince = timeline.now()
  const ends = quietSince + maxQuietMs
  let idle = 0
  let seen = -1
  let movedAt = quietSince
  while (timeline.now() < ends && idle < 3) {
    const until = timeline.now() + lookMs
    timeline.after(lookMs, () => {})
    timeline.runUntil(() => timeline.now() >= until)
    const { isLeased, nextDueAt } = runToEnd(databaseProcess, workOf(storage, hosts, timeline.now()))
    const isQuiet = recorder.entries.length === seen
    seen = recorder.entries.length
    if (isLeased || !isQuiet || nextDueAt === null || nextDueAt > timeline.now()) movedAt = timeline.now()
    if (timeline.now() - movedAt > maxStuckMs) break
    idle = isLeased || nextDueAt !== null || !isQuiet ? 0 : idle + 1
    if (isLeased || nextDueAt === null || !isQuiet) continue
    sleepFor(nextDueAt - aheadMs - timeline.now())
  }
  sleepFor(quietSince + minQuietMs - timeline.now())
  // Recurring jobs became due during the sleep.
  sleepFor(lookMs)
  runToEnd(outsideProcess, act.readAll)
  recorder.record({ kind: "end", files: runToEnd(outsideProcess, contents) })
  Effect.runSync(Scope.close(scope, Exit.void))
  return { journal: recorder.entries, storageCalls: faults.storageCalls(), engines: hosts.starts() }
}

const lasting: ReadonlySet<string> = new Set(["stall", "stall-all", "suspend"])

/** When the last stall of a plan ends at the latest, in ms after its start. */
const lastStallEnd = ({ quietAt, steps }: Plan): number =>
  Math.max(
    ...steps.map((step) => {
      if (!("disturbance" in step)) return 0
      const { at, disturbance } = step
      if (disturbance.type === "stall-at") return quietAt + disturbance.ms
      return lasting.has(disturbance.type) && "ms" in disturbance ? at + disturbance.ms : 0
    })
  )

/**
 * The earliest due time in ms of the jobs that are not leased, null without one, and whether a job is leased. Events of
 * subscriptions that no process handles are left out, because they wait, and so is the recurring job of subscriptions.
 */
const workOf = (storage: Storage, { handles }: Hosts, now: number) =>
  Effect.map(
    Effect.forEach(lanes, (lane) => storage.listJobs({ lane, workspaceId: null }, null, 100)),
    (found) => {
      const jobs = found
        .flat()
        .filter((job) => job.lane !== "subscriptions" || (handles(job.subject) && !isPresenceJob(job)))
      return {
        nextDueAt: jobs.length === 0 ? null : Math.min(...jobs.map(dueAtOf)),
        isLeased: jobs.some(({ leaseUntil }) => leaseUntil > now)
      }
    }
  )

const raise = (cause: unknown): never => {
  throw new Error("The simulation failed.", { cause })
}
