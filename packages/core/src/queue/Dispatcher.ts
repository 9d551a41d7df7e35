import {
  Array as Arrays,
  Cause,
  Clock,
  Context,
  Duration,
  Effect,
  Exit,
  type FiberId,
  FiberRef,
  FiberRefs,
  FiberSet,
  HashMap,
  Iterable,
  Queue,
  type Scope
} from "effect"
import { EngineSettings } from "../kernel/EngineSettings.js"
import { nextTurn } from "../kernel/nextTurn.js"
import type { Instant } from "../model/Instant.js"
import { countsAtClaim, type Job, type JobOwner, type Lane, type LeaseFor } from "../model/Job.js"
import { Ids } from "../ports/Ids.js"
import { type ReadError, Storage } from "../ports/Storage.js"
import { makeBacklog } from "./Backlog.js"
import type { ClaimedLane, LaneClaim } from "./claimedByLane.js"
import { DatabaseClock } from "./DatabaseClock.js"
import { DispatcherHooks, type ObserveSettle } from "./DispatcherHooks.js"
import { recordJobFailure } from "./failJob.js"
import { annotations, Handlers, type Run } from "./Handlers.js"
import { keyOfLease, leaseMs, leaseOf, logLoss, makeHeldLease } from "./HeldLease.js"
import { joinTrace, traceJobs } from "./jobTrace.js"
import { makeLaneCapacity } from "./LaneCapacity.js"
import { renewAll, renewalMs, renewLeases, type StartedJob } from "./renewLeases.js"

/** Grace period for running jobs at shutdown, in ms (docs/reference/queue.md#shutdown). */
const shutdownMs = 10_000

/**
 * How many jobs of a claim start in one turn of the event loop. A claim of 256 webhooks would else occupy a process for
 * some 100 ms (docs/reference/queue.md#claim-size).
 */
export const startsPerTurn = 16

/** Runs the leased jobs of this process: limits concurrency, renews leases, and drains at shutdown. */
export interface Dispatcher {
  /** The lease owner of this process. */
  readonly owner: string
  /**
   * Reserves capacity of the lane while `use` inserts a job with a lease for its owner and starts it. The lease is null
   * if the lane or the owner has no capacity for a new job, or the time is uncertain. Uninterruptible.
   */
  readonly withReservedCapacity: <A, E, R>(
    lane: Lane,
    use: (leaseFor: LeaseFor) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Runs a job in a fiber of its own and in the trace of the caller, while the lease of this process lasts. */
  readonly start: (job: Job) => Effect.Effect<void>
  /**
   * Returns the claim request of a lane; null if the lane has no capacity for a claim. A claim is for a quarter of the
   * lane, and at most half of the limit of a subject, so that a busy worker claims many jobs with one statement
   * (docs/reference/queue.md#claim-size). Subjects that were slow lately are excluded while they fill their share.
   */
  readonly claimRequest: (lane: Lane) => LaneClaim | null
  /**
   * Claims the jobs of a subject in a lane of served subjects (`isServedBySubject`), at most `concurrency` at once,
   * until the scope closes.
   */
  readonly serve: (lane: Lane, subject: string, concurrency: number) => Effect.Effect<void, never, Scope.Scope>
  /**
   * Renews the leases of the running jobs if one has ended, for at most five seconds. A process that was stalled for
   * longer than a lease would otherwise claim the jobs that it still runs, and repeat them.
   */
  readonly renewEnded: Effect.Effect<void, ReadError>
  /** Starts the jobs of a claim. `lanes`: what it took of each lane that it asked for. */
  readonly startClaimed: (lanes: ReadonlyArray<ClaimedLane>, jobs: ReadonlyArray<Job>) => Effect.Effect<void>
  /** From now on, due jobs of these lanes start after the commit that inserts them, until the scope closes. */
  readonly enableStartAfterCommit: (servedLanes: ReadonlyArray<Lane>) => Effect.Effect<void, never, Scope.Scope>
  /** Resumes once a lane or subject that was too full for a claim has capacity again. */
  readonly capacityFreed: Effect.Effect<void>
  /**
   * Waits until no job runs, at most {@link shutdownMs}; then interrupts the rest and releases their leases. The end of
   * the dispatcher does the same.
   */
  readonly drain: Effect.Effect<void>
}
export const Dispatcher = Context.GenericTag<Dispatcher>("@parley/core/Dispatcher")

/** Adds {@link annotations} to what a new fiber logs: cheaper than for an effect, which restores what was before. */
const logsOf =
  (job: Job) =>
  (refs: FiberRefs.FiberRefs, fiberId: FiberId.Runtime): FiberRefs.FiberRefs => {
    const before = FiberRefs.getOrDefault(refs, FiberRef.currentLogAnnotations)
    const value = HashMap.union(before, HashMap.fromIterable(Object.entries(annotations(job))))
    return FiberRefs.updateAs(refs, { fiberId, fiberRef: FiberRef.currentLogAnnotations, value })
  }

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { lanes: limits, processName } = yield* EngineSettings
  const handlers = yield* Handlers
  const { isCertain } = yield* DatabaseClock
  const traced = yield* traceJobs
  const hooks = yield* DispatcherHooks
  const ids = yield* Ids
  const processId = ids.next(yield* Clock.currentTimeMillis)
  const owner = processName === null ? processId : `${processName}/${processId}`
  const clock = yield* Effect.clock
  /** By {@link keyOfLease}. */
  const running = new Map<string, StartedJob>()
  const now = (): Instant => clock.unsafeCurrentTimeMillis()
  const capacity = makeLaneCapacity(limits, running, now)
  const backlog = makeBacklog()
  // Buffers one signal, so that none is lost between the capacity check and the wait.
  const capacityFreed = yield* Queue.sliding<void>(1)
  const signalCapacity = () => Queue.unsafeOffer(capacityFreed, undefined)
  const busy = yield* Effect.makeLatch(false)
  const fibers = yield* FiberSet.make<unknown, unknown>()
  // Not from the fiber that starts a job: a request's actor and log annotations are not those of the job.
  const fork = yield* FiberSet.runtime(fibers)<Storage | Ids>()

  const observeSettle: ObserveSettle = (settle) => {
    const started = running.get(keyOfLease(settle))
    if (started === undefined) return null
    const sentAt = now()
    started.workedUntil ??= sentAt
    return ({ _tag }) => logLoss(started.lease.settled(_tag, sentAt, now()), started.job)
  }
  hooks.observeSettle = observeSettle
  const hasWorker = (): boolean => hooks.starter !== null

  const end = (started: StartedJob): void => {
    const { lane } = started.job
    const [laneWasFull, ownerWasFull] = [capacity.isLaneFull(lane), capacity.isOwnerFull(started)]
    running.delete(keyOfLease(leaseOf(started.job)))
    capacity.remove(started.job)
    capacity.recordDuration(started)
    const isFreed = laneWasFull || (ownerWasFull && !capacity.isOwnerFull(started))
    if (isFreed && !capacity.isLaneFull(lane)) signalCapacity()
  }

  /** Runs a job to its end, in a fiber of its own. The job counts as running until its failure is recorded. */
  const runJob = (started: StartedJob, work: Run): void => {
    const { job } = started
    started.startedAt = now()
    const updateRefs = logsOf(job)
    fork(traced(job, work), { immediate: false, updateRefs }).addObserver((exit) => {
      if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return end(started)
      fork(recordJobFailure(job, exit.cause), { updateRefs }).addObserver(() => end(started))
    })
  }

  /** Runs loaded jobs, {@link startsPerTurn} in each turn. The end of the dispatcher leaves the rest to its release. */
  const startInTurns = (all: ReadonlyArray<StartedJob>, workOf: (index: number) => Run, from = 0): void => {
    const until = Math.min(from + startsPerTurn, all.length)
    for (let i = from; i < until; i++) runJob(all[i] as StartedJob, workOf(i))
    if (until < all.length) fork(Effect.map(nextTurn, () => startInTurns(all, workOf, until)))
  }

  /** Runs jobs of one lane. They count as running while the handler loads what they need. */
  const runLane = (lane: Lane, all: ReadonlyArray<StartedJob>): void => {
    const loading = handlers[lane](all.map(({ job }) => job))
    const loaded = (exit: Exit.Exit<ReadonlyArray<Run>, unknown>) => {
      if (all.length > 1 && Exit.isFailure(exit) && Cause.isDie(exit.cause)) {
        for (const one of all) runLane(lane, [one])
        return
      }
      startInTurns(all, (i) =>
        Exit.isSuccess(exit) ? (exit.value[i] as Run) : Effect.failCause(exit.cause as Cause.Cause<never>)
      )
    }
    // A handler that loads nothing needs no fiber for that.
    if (Exit.isExit(loading)) loaded(loading as Exit.Exit<ReadonlyArray<Run>, unknown>)
    else fork(loading, { immediate: false }).addObserver(loaded)
  }

  yield* Effect.forkScoped(renewLeases(storage, running, busy))
  /** A statement that waits for a row lock holds up no claim for longer than the interval of renewals. */
  const renewEnded = Effect.suspend(() => {
    const at = now()
    if (!Iterable.some(running.values(), ({ lease }) => lease.hasEnded(at))) return Effect.void
    return renewAll(storage, running).pipe(Effect.timeoutOption(Duration.millis(renewalMs)), Effect.asVoid)
  })

  const drain = Effect.gen(function* () {
    // Finalizers are uninterruptible: without this, the timeout could not interrupt the wait.
    const workEnds = Effect.interruptible(FiberSet.awaitEmpty(fibers))
    yield* Effect.timeoutOption(workEnds, Duration.millis(shutdownMs))
    const leases = [...running.values()].map(({ job }) => leaseOf(job))
    yield* FiberSet.clear(fibers)
    if (leases.length > 0) yield* storage.releaseLeases(leases)
  }).pipe(Effect.catchAll((error) => Effect.logWarning(`leases could not be released: ${error.message}`)))
  yield* Effect.addFinalizer(() => drain)

  /** Runs jobs that are counted, lane by lane. */
  const startCounted = (jobs: ReadonlyArray<Job>): void => {
    if (jobs.length === 0) return
    const all = jobs.map(
      (job): StartedJob => ({ job, startedAt: null, workedUntil: null, lease: makeHeldLease(job.leaseUntil) })
    )
    for (const one of all) running.set(keyOfLease(leaseOf(one.job)), one)
    busy.unsafeOpen()
    for (const ofLane of Object.values(Arrays.groupBy(all, ({ job }) => job.lane))) runLane(ofLane[0].job.lane, ofLane)
  }
  const countAndStart = (jobs: ReadonlyArray<Job>): void => {
    for (const job of jobs) capacity.add(job)
    startCounted(jobs)
  }

  const release = (job: Job): void => {
    capacity.remove(job)
    signalCapacity()
  }

  /**
   * Starts reserved jobs. Those whose leases ended during the commit are left to a claim, which would run them beside
   * this process.
   */
  const startReserved = (jobs: ReadonlyArray<Job>): void => {
    const at = now()
    const [ended, leased] = Arrays.partition(jobs, ({ leaseUntil }) => leaseUntil > at)
    for (const job of ended) release(job)
    startCounted(leased)
  }

  const reserve = (job: Job): Job | null => {
    const at = now()
    if (job.leaseOwner !== null || job.runAt > at) return null
    capacity.recordOwner(job.lane, job)
    if (!isCertain() || backlog.has(job.lane, job.subject) || !capacity.takesNew(job, hasWorker())) {
      backlog.add(job.lane, job.subject)
      return null
    }
    capacity.add(job)
    const attempts = job.attempts + (countsAtClaim(job.lane) ? 1 : 0)
    return { ...job, leaseOwner: owner, leaseUntil: at + leaseMs, attempts }
  }

  return Dispatcher.of({
    owner,
    claimRequest: capacity.claimRequest,
    renewEnded,
    withReservedCapacity: (lane, use) =>
      Effect.uninterruptible(
        Effect.suspend(() => {
          if (!isCertain() || !capacity.laneTakesNew(lane, hasWorker())) return use(() => null)
          capacity.addToLane(lane, 1)
          let reserved: JobOwner | null = null
          const reserveFor = (next: JobOwner | null) => {
            if (reserved !== null) capacity.addToOwner(lane, reserved, -1)
            if (next !== null) capacity.addToOwner(lane, next, 1)
            reserved = next
          }
          // Asked again for each try of a decision that met a conflict.
          const leaseFor: LeaseFor = (jobOwner) => {
            reserveFor(null)
            capacity.recordOwner(lane, jobOwner)
            if (!capacity.ownerTakesNew(lane, jobOwner, hasWorker())) return null
            reserveFor(jobOwner)
            return { owner, until: now() + leaseMs }
          }
          return Effect.ensuring(
            use(leaseFor),
            Effect.sync(() => {
              const wasFull = capacity.isLaneFull(lane)
              reserveFor(null)
              capacity.addToLane(lane, -1)
              if (wasFull && !capacity.isLaneFull(lane)) signalCapacity()
            })
          )
        })
      ),
    serve: (lane, subject, concurrency) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const stopServing = capacity.serve(lane, subject, concurrency)
          backlog.add(lane, subject)
          signalCapacity()
          return stopServing
        }),
        (stopServing) => Effect.sync(stopServing)
      ).pipe(Effect.asVoid),
    start: (job) =>
      Effect.withFiberRuntime((fiber) => {
        // A lease that ended during the commit is left to a claim.
        if (job.leaseUntil > now()) countAndStart([joinTrace(job, fiber.currentSpan)])
        return Effect.void
      }),
    startClaimed: (claimed, jobs) =>
      Effect.sync(() => {
        backlog.claimed(claimed)
        countAndStart(jobs)
      }),
    enableStartAfterCommit: (servedLanes) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          hooks.starter = {
            reserve: (job) => (servedLanes.includes(job.lane) ? reserve(job) : null),
            start: startReserved,
            release
          }
        }),
        () =>
          Effect.sync(() => {
            hooks.starter = null
          })
      ),
    capacityFreed: Queue.take(capacityFreed),
    drain
  })
})
