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
  Layer,
  Queue,
  Random,
  type Scope
} from "effect"
import type { Refusal } from "../errors/Refusal.js"
import { EngineSettings } from "../kernel/EngineSettings.js"
import { logFailure } from "../kernel/logFailure.js"
import { jobFailures, jobsParked } from "../kernel/metrics/engineMetrics.js"
import type { Instant } from "../model/Instant.js"
import {
  becomesDueLater,
  countsAtClaim,
  isServedBySubject,
  type Job,
  type Lane,
  type LeaseFor,
  lanes
} from "../model/Job.js"
import type { BlobsUnavailable } from "../ports/Blobs.js"
import { Ids } from "../ports/Ids.js"
import { type ClaimJobs, type CommitError, type Lease, Storage } from "../ports/Storage.js"
import { makeBacklog } from "./Backlog.js"
import { DatabaseClock } from "./DatabaseClock.js"
import { failJob, maxFailuresOf } from "./failJob.js"
import { type HeldLease, type LeaseLoss, makeHeldLease } from "./HeldLease.js"
import { JobCommits, type ObserveSettle } from "./jobCommits.js"
import { joinTrace, traceJobs } from "./jobTrace.js"
import { makeSlowSubjects, type RunningJob } from "./SlowSubjects.js"

/** The work of one job. After a failure, the job waits for its next try (docs/reference/queue.md#failed-handlers). */
export type Run = Effect.Effect<void, Refusal | CommitError | BlobsUnavailable>

/**
 * The handler of each lane. It is called with jobs of one claim or commit, and returns the work of each, in order, so
 * that one read can load what all of them need. The dispatcher runs each job by itself. If a handler fails, all of its
 * jobs do. If it dies, it is called with each of them alone, so that one unreadable job does not hold up others.
 */
export type Handlers = {
  readonly [L in Lane]: (
    jobs: ReadonlyArray<Job>
  ) => Effect.Effect<ReadonlyArray<Run>, Refusal | CommitError | BlobsUnavailable>
}

/** The fields of the job in the log. */
export const annotations = ({ id, lane, reference }: Job) => ({
  job_id: id,
  lane,
  reference,
  ...(lane === "sends" ? { message_id: reference } : {})
})

/** A handler that loads nothing for several jobs at once. */
export const each =
  (run: (job: Job) => Run): Handlers[Lane] =>
  (jobs) =>
    Effect.succeed(jobs.map((job) => Effect.suspend(() => run(job))))

export const Handlers = Context.GenericTag<Handlers>("@parley/core/Handlers")

/** Duration of a lease, and interval of its renewal while the job runs, in ms (docs/reference/queue.md#renewal). */
export const leaseMs = 15_000
export const renewalMs = 5_000
/** Grace period for running jobs at shutdown, in ms (docs/reference/queue.md#shutdown). */
export const shutdownMs = 10_000

const noSubjects: ReadonlySet<string> = new Set()

/** The lease of a job as its claim returned it. */
export const leaseOf = ({ epoch, id }: Job): Lease => ({ jobId: id, epoch })
/** A job whose lease ended may run twice in a process, with an epoch for each run. */
const keyOf = ({ epoch, jobId }: Lease): string => `${jobId} ${epoch}`

type LaneClaim = ClaimJobs["lanes"][number]

interface StartedJob extends RunningJob {
  readonly lease: HeldLease
}

/** Runs the leased jobs of this process: limits concurrency, renews leases, and drains at shutdown. */
export interface Dispatcher {
  /** The lease owner of this process. */
  readonly owner: string
  /**
   * Reserves a place in the lane while `use` inserts a job with a lease for its subject and starts it. The lease is
   * null if the lane or the subject has no place for a new job, or the time is uncertain. Uninterruptible.
   */
  readonly withPlace: <A, E, R>(
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
  /** Starts the jobs of a claim with these requests. */
  readonly startClaimed: (requests: ClaimJobs["lanes"], jobs: ReadonlyArray<Job>) => Effect.Effect<void>
  /** Starts due jobs of these lanes after the commits that insert them, without a claim, until the scope closes. */
  readonly startInserted: (servedLanes: ReadonlyArray<Lane>) => Effect.Effect<void, never, Scope.Scope>
  /** Resumes once a lane or subject that was too full for a claim has capacity again. */
  readonly capacityFreed: Effect.Effect<void>
}
export const Dispatcher = Context.GenericTag<Dispatcher>("@parley/core/Dispatcher")

const lossText: { readonly [L in LeaseLoss]: string } = {
  stolen: "a job was claimed again, because its lease ended while it ran",
  stalled: "a lease ended while its job ran, and was not claimed meanwhile: this process or the database was stalled",
  replaced: "a job was ended or reset by another change while it ran"
}
/** The warning of a loss; null without one. */
const logLoss = (loss: LeaseLoss | null, job: Job): Effect.Effect<void> | null =>
  loss === null
    ? null
    : (loss === "replaced" ? Effect.logDebug(lossText[loss]) : Effect.logWarning(lossText[loss])).pipe(
        Effect.annotateLogs(annotations(job))
      )

/** Adds {@link annotations} to what a new fiber logs: cheaper than for an effect, which restores what was before. */
const logsOf =
  (job: Job) =>
  (refs: FiberRefs.FiberRefs, fiberId: FiberId.Runtime): FiberRefs.FiberRefs => {
    const before = FiberRefs.getOrDefault(refs, FiberRef.currentLogAnnotations)
    const value = HashMap.union(before, HashMap.fromIterable(Object.entries(annotations(job))))
    return FiberRefs.updateAs(refs, { fiberId, fiberRef: FiberRef.currentLogAnnotations, value })
  }

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { lanes: limits, processName } = yield* EngineSettings
  const handlers = yield* Handlers
  const { isCertain } = yield* DatabaseClock
  const traced = yield* traceJobs
  const jobCommits = yield* JobCommits
  const ids = yield* Ids
  const processId = ids.next(yield* Clock.currentTimeMillis)
  const owner = processName === null ? processId : `${processName}/${processId}`
  const clock = yield* Effect.clock
  /** By {@link keyOf}. */
  const running = new Map<string, StartedJob>()
  const backlog = makeBacklog()
  const slow = makeSlowSubjects()
  const subjects = new Map<Lane, Map<string, number>>(lanes.map((lane) => [lane, new Map()]))
  const subjectsOf = (lane: Lane) => subjects.get(lane) as Map<string, number>
  const counts = new Map<Lane, number>()
  /** The maximum number of running jobs of each served subject, by lane. */
  const served = new Map<Lane, Map<string, number>>(lanes.filter(isServedBySubject).map((lane) => [lane, new Map()]))
  const maxOf = ({ lane, subject }: Pick<Job, "lane" | "subject">): number =>
    Math.min(served.get(lane)?.get(subject) ?? limits[lane].perSubject, limits[lane].perSubject)
  // Buffers one signal, so that none is lost between the capacity check and the wait.
  const capacityFreed = yield* Queue.sliding<void>(1)
  const busy = yield* Effect.makeLatch(false)
  const fibers = yield* FiberSet.make<unknown, unknown>()
  // Not from the fiber that starts a job: a request's actor and log annotations are not those of the job.
  const fork = yield* FiberSet.runtime(fibers)<never>()
  const present = (): Instant => clock.unsafeCurrentTimeMillis()

  const countInLane = (lane: Lane, by: 1 | -1) => counts.set(lane, (counts.get(lane) ?? 0) + by)
  const count = ({ lane, subject }: Job, by: 1 | -1) => {
    countInLane(lane, by)
    const ofLane = subjectsOf(lane)
    const next = (ofLane.get(subject) ?? 0) + by
    if (next === 0) ofLane.delete(subject)
    else ofLane.set(subject, next)
  }

  const claimSize = (lane: Lane): number => Math.ceil(limits[lane].concurrency / 4)
  const freeCapacity = (lane: Lane): number =>
    limits[lane].concurrency - (counts.get(lane) ?? 0) >= claimSize(lane) ? claimSize(lane) : 0
  const subjectHasRoom = (lane: Lane, subject: string): boolean =>
    (subjectsOf(lane).get(subject) ?? 0) <= maxOf({ lane, subject }) / 2

  /** The slow subjects, if the lane has no room for more of their jobs. */
  const excludedSlow = (lane: Lane): ReadonlySet<string> => {
    const { maxSlow, perSubject } = limits[lane]
    if (maxSlow === undefined || (counts.get(lane) ?? 0) + perSubject <= maxSlow) return noSubjects
    const now = present()
    const found = new Set<string>()
    for (const one of running.values()) {
      if (one.job.lane === lane && !found.has(one.job.subject) && slow.isSlow(one, now)) found.add(one.job.subject)
    }
    let jobs = 0
    for (const subject of found) jobs += subjectsOf(lane).get(subject) ?? 0
    return jobs + perSubject > maxSlow ? new Set([...found, ...slow.remembered(now)]) : noSubjects
  }
  const isFull = (one: RunningJob): boolean => {
    const { lane, subject } = one.job
    if (freeCapacity(lane) === 0 || !subjectHasRoom(lane, subject)) return true
    return slow.isSlow(one, present()) && excludedSlow(lane).size > 0
  }

  /** Without a commit, the job is claimed again when its lease ends. */
  const recordFailure = (job: Job, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
    Effect.gen(function* () {
      jobFailures(1, job.lane)
      const jitter = yield* Random.next
      const maxFailures = maxFailuresOf(limits[job.lane])
      const failed = failJob({ job, cause, maxFailures, jitter }, present(), ids)
      const again = failed.settle?.again
      const { _tag } = yield* storage.commit(failed)
      if (_tag === "Fenced") return yield* Effect.logWarning("a job failed after its lease was lost", cause)
      if (again?.lane !== "parked") return yield* Effect.logWarning("a job failed; it is tried again", cause)
      if (job.lane !== "parked") jobsParked(1, job.lane)
      yield* Effect.logError(
        `a job failed ${again.failure?.count} times and is parked: parley job show ${job.id}`,
        cause
      )
    }).pipe(
      Effect.catchAllCause((reason) =>
        Effect.logWarning(
          "a job failed, which could not be stored; it is claimed again when its lease ends",
          cause,
          reason
        )
      )
    )

  const observeSettle: ObserveSettle = (settle) => {
    const started = running.get(keyOf(settle))
    if (started === undefined) return null
    const sentAt = present()
    started.workedUntil ??= sentAt
    return ({ _tag }) => logLoss(started.lease.settled(_tag, sentAt, present()), started.job)
  }
  jobCommits.observeSettle = observeSettle

  const ended = (started: StartedJob): void => {
    const wasFull = isFull(started)
    running.delete(keyOf(leaseOf(started.job)))
    count(started.job, -1)
    if (limits[started.job.lane].maxSlow !== undefined) slow.ended(started, present())
    if (wasFull && !isFull(started)) Queue.unsafeOffer(capacityFreed, undefined)
  }

  /** Runs a job to its end, in a fiber of its own. The job counts as running until its failure is recorded. */
  const run = (started: StartedJob, work: Run): void => {
    const { job } = started
    started.startedAt = present()
    const updateRefs = logsOf(job)
    fork(traced(job, work), { immediate: false, updateRefs }).addObserver((exit) => {
      if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return ended(started)
      fork(recordFailure(job, exit.cause), { updateRefs }).addObserver(() => ended(started))
    })
  }

  /** Runs jobs of one lane. They count as running while the handler loads what they need. */
  const runAll = (lane: Lane, all: ReadonlyArray<StartedJob>): void => {
    const loading = handlers[lane](all.map(({ job }) => job))
    const loaded = (exit: Exit.Exit<ReadonlyArray<Run>, unknown>) => {
      if (all.length > 1 && Exit.isFailure(exit) && Cause.isDie(exit.cause)) {
        for (const one of all) runAll(lane, [one])
        return
      }
      for (const [i, started] of all.entries()) {
        run(started, Exit.isSuccess(exit) ? (exit.value[i] as Run) : Effect.failCause(exit.cause as Cause.Cause<never>))
      }
    }
    // A handler that loads nothing needs no fiber for that.
    if (Exit.isExit(loading)) loaded(loading as Exit.Exit<ReadonlyArray<Run>, unknown>)
    else fork(loading, { immediate: false }).addObserver(loaded)
  }

  // Synchronous, so that no job can start between the check and the close.
  const closeIfIdle = Effect.sync(() => {
    if (running.size === 0) busy.unsafeClose()
    return running.size === 0
  })
  const renew = Effect.gen(function* () {
    yield* busy.await
    yield* Effect.sleep(Duration.millis(renewalMs))
    if (yield* closeIfIdle) return
    const now = present()
    const renewed = [...running.values()]
    const leases = renewed.map(({ job }) => leaseOf(job))
    const gone = new Set((yield* storage.renewLeases(leases, now + leaseMs)).map(keyOf))
    const answeredAt = present()
    yield* Effect.forEach(
      renewed,
      ({ job, lease }) => {
        const key = keyOf(leaseOf(job))
        if (!running.has(key)) return Effect.void
        const loss = gone.has(key) ? lease.missed(answeredAt) : lease.renewed(now, now + leaseMs)
        return logLoss(loss, job) ?? Effect.void
      },
      { discard: true }
    )
  }).pipe(Effect.catchAllCause((cause) => logFailure("leases could not be renewed", cause)))
  yield* Effect.forkScoped(Effect.forever(renew))

  /** Waits for running jobs, then interrupts and releases the rest. */
  const shutDown = Effect.gen(function* () {
    // Finalizers are uninterruptible: without this, the timeout could not interrupt the wait.
    const workEnds = Effect.interruptible(FiberSet.awaitEmpty(fibers))
    yield* Effect.timeoutOption(workEnds, Duration.millis(shutdownMs))
    const leases = [...running.values()].map(({ job }) => leaseOf(job))
    yield* FiberSet.clear(fibers)
    if (leases.length > 0) yield* storage.releaseLeases(leases)
  })
  yield* Effect.addFinalizer(() =>
    Effect.catchAll(shutDown, (error) => Effect.logWarning(`leases could not be released: ${error.message}`))
  )

  /** Runs jobs that are counted, lane by lane. */
  const begin = (jobs: ReadonlyArray<Job>): void => {
    if (jobs.length === 0) return
    const all = jobs.map(
      (job): StartedJob => ({ job, startedAt: null, workedUntil: null, lease: makeHeldLease(job.leaseUntil) })
    )
    for (const one of all) running.set(keyOf(leaseOf(one.job)), one)
    busy.unsafeOpen()
    for (const ofLane of Object.values(Arrays.groupBy(all, ({ job }) => job.lane))) runAll(ofLane[0].job.lane, ofLane)
  }
  const start = (jobs: ReadonlyArray<Job>): void => {
    for (const job of jobs) count(job, 1)
    begin(jobs)
  }

  const release = (job: Job): void => {
    count(job, -1)
    Queue.unsafeOffer(capacityFreed, undefined)
  }

  /**
   * Begins reserved jobs. Those whose leases ended during the commit are left to a claim, which would run them beside
   * this process.
   */
  const startReserved = (jobs: ReadonlyArray<Job>): void => {
    const now = present()
    const [ended, leased] = Arrays.partition(jobs, ({ leaseUntil }) => leaseUntil > now)
    for (const job of ended) release(job)
    begin(leased)
  }

  /** New jobs leave the places of one claim free: otherwise waiting jobs could wait for ever. */
  const laneTakesNew = (lane: Lane): boolean => {
    const { concurrency } = limits[lane]
    const max = jobCommits.starter === null ? concurrency : Math.max(1, concurrency - claimSize(lane))
    return (counts.get(lane) ?? 0) < max
  }
  /** Claims exclude a subject with more than half of its cap running: new jobs leave that half to jobs due later. */
  const subjectTakesNew = (lane: Lane, subject: string): boolean =>
    becomesDueLater(lane)
      ? subjectHasRoom(lane, subject)
      : (subjectsOf(lane).get(subject) ?? 0) < maxOf({ lane, subject })

  const hasPlace = ({ lane, subject }: Job): boolean =>
    !backlog.has(lane, subject) &&
    laneTakesNew(lane) &&
    subjectTakesNew(lane, subject) &&
    served.get(lane)?.has(subject) !== false &&
    !excludedSlow(lane).has(subject)

  const reserve = (job: Job): Job | null => {
    const now = present()
    if (job.leaseOwner !== null || job.runAt > now) return null
    if (!isCertain() || !hasPlace(job)) {
      backlog.add(job.lane, job.subject)
      return null
    }
    count(job, 1)
    const attempts = job.attempts + (countsAtClaim(job.lane) ? 1 : 0)
    return { ...job, leaseOwner: owner, leaseUntil: now + leaseMs, attempts }
  }

  return Dispatcher.of({
    owner,
    claimRequest: (lane) => {
      const limit = freeCapacity(lane)
      if (limit === 0) return null
      const ofLane = served.get(lane)
      if (ofLane !== undefined) {
        const only = [...ofLane.keys()].filter((subject) => subjectHasRoom(lane, subject))
        const perSubject = Math.ceil(Math.min(...only.map((subject) => maxOf({ lane, subject }))) / 2)
        return only.length === 0 ? null : { lane, limit, perSubject, except: [], only }
      }
      const busy = [...subjectsOf(lane).keys()].filter((subject) => !subjectHasRoom(lane, subject))
      const perSubject = Math.ceil(limits[lane].perSubject / 2)
      return { lane, limit, perSubject, except: [...new Set([...busy, ...excludedSlow(lane)])] }
    },
    withPlace: (lane, use) =>
      Effect.uninterruptible(
        Effect.suspend(() => {
          if (!isCertain() || !laneTakesNew(lane)) return use(() => null)
          countInLane(lane, 1)
          return Effect.ensuring(
            use((subject) => (subjectTakesNew(lane, subject) ? { owner, until: present() + leaseMs } : null)),
            Effect.sync(() => {
              const wasFull = freeCapacity(lane) === 0
              countInLane(lane, -1)
              if (wasFull && freeCapacity(lane) > 0) Queue.unsafeOffer(capacityFreed, undefined)
            })
          )
        })
      ),
    serve: (lane, subject, concurrency) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          served.get(lane)?.set(subject, concurrency)
          backlog.add(lane, subject)
          Queue.unsafeOffer(capacityFreed, undefined)
        }),
        () => Effect.sync(() => served.get(lane)?.delete(subject))
      ),
    start: (job) =>
      Effect.withFiberRuntime((fiber) => {
        // A lease that ended during the commit is left to a claim.
        if (job.leaseUntil > present()) start([joinTrace(job, fiber.currentSpan)])
        return Effect.void
      }),
    startClaimed: (requests, jobs) =>
      Effect.sync(() => {
        backlog.claimed(requests, jobs)
        start(jobs)
      }),
    startInserted: (servedLanes) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          jobCommits.starter = {
            reserve: (job) => (servedLanes.includes(job.lane) ? reserve(job) : null),
            start: startReserved,
            release
          }
        }),
        () =>
          Effect.sync(() => {
            jobCommits.starter = null
          })
      ),
    capacityFreed: Queue.take(capacityFreed)
  })
})

export const layer: Layer.Layer<Dispatcher, never, Storage | JobCommits | Handlers | Ids | EngineSettings> =
  Layer.scoped(Dispatcher, make)
