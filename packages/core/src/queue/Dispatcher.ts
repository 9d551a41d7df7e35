import { Cause, Clock, Context, Duration, Effect, FiberSet, Layer, Queue, Random, type Scope } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import { EngineSettings } from "../kernel/EngineSettings.js"
import { jobFailures, jobsParked } from "../kernel/metrics/engineMetrics.js"
import type { Instant } from "../model/Instant.js"
import { type InitialLease, isRepeatable, type Job, type Lane, lanes } from "../model/Job.js"
import type { BlobsUnavailable } from "../ports/Blobs.js"
import { Ids } from "../ports/Ids.js"
import { type ClaimJobs, type CommitError, Storage } from "../ports/Storage.js"
import { makeBacklog } from "./Backlog.js"
import { DatabaseClock } from "./DatabaseClock.js"
import { failJob, maxFailuresOf } from "./failJob.js"
import { type HeldLease, type LeaseLoss, makeHeldLease } from "./HeldLease.js"
import { type ObserveSettle, observeSettle } from "./observedSettles.js"
import { makeSlowSubjects, type RunningJob } from "./SlowSubjects.js"
import { StartedJobs } from "./startedJobs.js"

/**
 * The handler of each lane. After a failure, the job waits for its next try, longer from try to try, and is parked in the
 * end (docs/reference/queue.md#failed-handlers).
 */
export type Handlers = {
  readonly [L in Lane]: (job: Job) => Effect.Effect<void, Refusal | CommitError | BlobsUnavailable>
}
export const Handlers = Context.GenericTag<Handlers>("@parley/core/Handlers")

/** Duration of a lease, and interval of its renewal while the job runs, in ms (docs/reference/queue.md#renewal). */
export const leaseMs = 15_000
export const renewalMs = 5_000
/** Grace period for running jobs at shutdown, in ms (docs/reference/queue.md#shutdown). */
export const shutdownMs = 10_000

const noSubjects: ReadonlySet<string> = new Set()

type LaneClaim = ClaimJobs["lanes"][number]

interface StartedJob extends RunningJob {
  readonly lease: HeldLease
}

/** Runs the leased jobs of this process: limits concurrency, renews leases, and drains at shutdown. */
export interface Dispatcher {
  /** The lease owner of this process. */
  readonly owner: string
  /** Returns a lease for a job that is about to be inserted; null if the lane is full or the time is uncertain. */
  readonly acquireSlot: (lane: Lane, now: Instant) => InitialLease | null
  /** Runs a job that is leased to this process, in a fiber of its own. */
  readonly start: (job: Job) => Effect.Effect<void>
  /**
   * Returns the claim request of a lane; null if the lane has no capacity for a claim. A claim is for a quarter of the
   * lane, and at most half of the limit of a subject, so that a busy worker claims many jobs with one statement
   * (docs/reference/queue.md#claim-size). Subjects that were slow lately are excluded while they fill their share.
   */
  readonly claimRequest: (lane: Lane) => LaneClaim | null
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
const logLoss = (loss: LeaseLoss | null, job: Job): Effect.Effect<void> =>
  loss === null
    ? Effect.void
    : (loss === "replaced" ? Effect.logDebug(lossText[loss]) : Effect.logWarning(lossText[loss])).pipe(
        Effect.annotateLogs({ job_id: job.id, lane: job.lane, reference: job.reference })
      )

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { lanes: limits, processName } = yield* EngineSettings
  const handlers = yield* Handlers
  const { isCertain } = yield* DatabaseClock
  const startedJobs = yield* StartedJobs
  const ids = yield* Ids
  const processId = ids.next(yield* Clock.currentTimeMillis)
  const owner = processName === null ? processId : `${processName}/${processId}`
  const clock = yield* Effect.clock
  const running = new Map<string, StartedJob>()
  const backlog = makeBacklog()
  const slow = makeSlowSubjects()
  const subjects = new Map<Lane, Map<string, number>>(lanes.map((lane) => [lane, new Map()]))
  const subjectsOf = (lane: Lane) => subjects.get(lane) as Map<string, number>
  const counts = new Map<Lane, number>()
  // Buffers one signal, so that none is lost between the capacity check and the wait.
  const capacityFreed = yield* Queue.sliding<void>(1)
  const busy = yield* Effect.makeLatch(false)
  const fibers = yield* FiberSet.make<void>()
  // Not from the fiber that starts a job: a request's actor and log annotations are not those of the job.
  const fork = yield* FiberSet.runtime(fibers)<never>()
  const present = (): Instant => clock.unsafeCurrentTimeMillis()

  const count = ({ lane, subject }: Job, by: 1 | -1) => {
    counts.set(lane, (counts.get(lane) ?? 0) + by)
    const ofLane = subjectsOf(lane)
    const next = (ofLane.get(subject) ?? 0) + by
    if (next === 0) ofLane.delete(subject)
    else ofLane.set(subject, next)
  }

  const claimSize = (lane: Lane): number => Math.ceil(limits[lane].concurrency / 4)
  const freeCapacity = (lane: Lane): number =>
    limits[lane].concurrency - (counts.get(lane) ?? 0) >= claimSize(lane) ? claimSize(lane) : 0
  const subjectHasRoom = (lane: Lane, busy: number): boolean => busy <= limits[lane].perSubject / 2

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
    if (freeCapacity(lane) === 0 || !subjectHasRoom(lane, subjectsOf(lane).get(subject) ?? 0)) return true
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

  const observeLease =
    ({ job, lease }: StartedJob): ObserveSettle =>
    (settle) => {
      if (settle.jobId !== job.id || settle.epoch !== job.epoch) return () => Effect.void
      const sentAt = present()
      return ({ _tag }) => Effect.suspend(() => logLoss(lease.settled(_tag, sentAt, present()), job))
    }

  const run = (started: StartedJob): Effect.Effect<void> => {
    const { job } = started
    return handlers[job.lane](job).pipe(
      Effect.catchAllCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : recordFailure(job, cause))),
      Effect.locally(observeSettle, observeLease(started)),
      Effect.annotateLogs({ job_id: job.id, lane: job.lane, reference: job.reference }),
      Effect.ensuring(
        Effect.suspend(() => {
          const wasFull = isFull(started)
          // A job whose lease ended may run twice here: the other run renews the lease of its own epoch.
          if (running.get(job.id) === started) running.delete(job.id)
          count(job, -1)
          slow.ended(started, present())
          return wasFull && !isFull(started) ? Queue.offer(capacityFreed, undefined) : Effect.void
        })
      )
    )
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
    const leases = renewed.map(({ job }) => ({ jobId: job.id, epoch: job.epoch }))
    const gone = new Set((yield* storage.renewLeases(leases, now + leaseMs)).map(({ jobId }) => jobId))
    const answeredAt = present()
    yield* Effect.forEach(
      renewed,
      ({ job, lease }) => {
        if (running.get(job.id)?.lease !== lease) return Effect.void
        return logLoss(gone.has(job.id) ? lease.missed(answeredAt) : lease.renewed(now, now + leaseMs), job)
      },
      { discard: true }
    )
  }).pipe(Effect.catchAll((error) => Effect.logWarning(`leases could not be renewed: ${error.message}`)))
  yield* Effect.forkScoped(Effect.forever(renew))

  /**
   * Waits for running jobs, then interrupts the rest. Repeatable jobs are released; sends stay leased until their
   * leases end, because their messages may have gone out.
   */
  const shutDown = Effect.gen(function* () {
    // Finalizers are uninterruptible: without this, the timeout could not interrupt the wait.
    const workEnds = Effect.interruptible(FiberSet.awaitEmpty(fibers))
    yield* Effect.timeoutOption(workEnds, Duration.millis(shutdownMs))
    const left = [...running.values()].flatMap(({ job }) => (isRepeatable(job.lane) ? [job] : []))
    yield* FiberSet.clear(fibers)
    const leases = left.map(({ id, epoch }) => ({ jobId: id, epoch }))
    if (leases.length > 0) yield* storage.releaseLeases(leases)
  })
  yield* Effect.addFinalizer(() =>
    Effect.catchAll(shutDown, (error) => Effect.logWarning(`leases could not be released: ${error.message}`))
  )

  const begin = (job: Job): Effect.Effect<void> => {
    const started: StartedJob = { job, startedAt: present(), lease: makeHeldLease(job.leaseUntil) }
    running.set(job.id, started)
    return Effect.zipRight(
      busy.open,
      Effect.sync(() => void fork(run(started), { immediate: false }))
    )
  }
  const start: Dispatcher["start"] = (job) =>
    Effect.suspend(() => {
      count(job, 1)
      return begin(job)
    })

  const hasPlace = ({ lane, subject }: Job): boolean =>
    !backlog.has(lane, subject) &&
    (counts.get(lane) ?? 0) < limits[lane].concurrency &&
    (subjectsOf(lane).get(subject) ?? 0) < limits[lane].perSubject &&
    !excludedSlow(lane).has(subject)

  const reserve = (job: Job): Job | null => {
    const now = present()
    // A send is not repeatable: its lease would make an unanswered commit a hand-over of unknown outcome.
    if (!isRepeatable(job.lane) || job.leaseUntil > now || job.runAt > now) return null
    if (!isCertain() || !hasPlace(job)) {
      backlog.add(job.lane, job.subject)
      return null
    }
    count(job, 1)
    return { ...job, leaseOwner: owner, leaseUntil: now + leaseMs, attempts: job.attempts + 1 }
  }

  return Dispatcher.of({
    owner,
    claimRequest: (lane) => {
      const limit = freeCapacity(lane)
      if (limit === 0) return null
      const busy = [...subjectsOf(lane)].filter(([, running]) => !subjectHasRoom(lane, running))
      const perSubject = Math.ceil(limits[lane].perSubject / 2)
      const except = new Set([...busy.map(([subject]) => subject), ...excludedSlow(lane)])
      return { lane, limit, perSubject, except: [...except] }
    },
    acquireSlot: (lane, now) => {
      if (!isCertain() || (counts.get(lane) ?? 0) >= limits[lane].concurrency) return null
      return { owner, until: now + leaseMs }
    },
    start,
    startClaimed: (requests, jobs) =>
      Effect.suspend(() => {
        backlog.claimed(requests, jobs)
        return Effect.forEach(jobs, start, { discard: true })
      }),
    startInserted: (servedLanes) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          startedJobs.starter = {
            reserve: (job) => (servedLanes.includes(job.lane) ? reserve(job) : null),
            start: begin,
            release: (job) => {
              count(job, -1)
              Queue.unsafeOffer(capacityFreed, undefined)
            }
          }
        }),
        () =>
          Effect.sync(() => {
            startedJobs.starter = null
          })
      ),
    capacityFreed: Queue.take(capacityFreed)
  })
})

export const layer: Layer.Layer<Dispatcher, never, Storage | StartedJobs | Handlers | Ids | EngineSettings> =
  Layer.scoped(Dispatcher, make)
