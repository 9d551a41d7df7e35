import { Clock, Context, Duration, Effect, FiberSet, Layer, Queue } from "effect"
import { EngineSettings } from "../EngineSettings.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { jobFailures, leasesLost } from "../metrics/engineMetrics.js"
import type { BlobsUnavailable } from "../ports/Blobs.js"
import { Ids } from "../ports/Ids.js"
import { type ClaimJobs, type CommitError, Storage } from "../ports/Storage.js"
import { type InitialLease, isRepeatable, type Job, type Lane, lanes } from "./Job.js"

/** What does the work of each lane. A failure leaves the job to whoever claims it after its lease. */
export type Handlers = {
  readonly [L in Lane]: (job: Job) => Effect.Effect<void, Refusal | CommitError | BlobsUnavailable>
}
export const Handlers = Context.GenericTag<Handlers>("@parley/core/Handlers")

/** How long a claim lasts, and how often it is renewed while its job runs (engine.md, The queue). */
export const leaseMs = 15_000
export const renewalMs = 5_000
/** How long running jobs may go on once the process is asked to stop. */
export const shutdownMs = 10_000

type Wish = ClaimJobs["lanes"][number]

/** Runs leased jobs of this process: within limits, with their leases renewed, to their end at shutdown. */
export interface Dispatcher {
  /** The name that this process leases under. */
  readonly owner: string
  /** A lease for a job about to be made, or null where the lane has no room. */
  readonly offer: (lane: Lane, now: Instant) => InitialLease | null
  /** Runs a job that is leased to this process, on its own. */
  readonly start: (job: Job) => Effect.Effect<void>
  /**
   * What may be claimed for a lane now, null where nothing. Room is given in portions, a quarter of a lane and half of a
   * subject, so that a busy worker claims many jobs at a time.
   */
  readonly wish: (lane: Lane) => Wish | null
  /** Resumes once a lane or a subject that had no room for a portion has it again. */
  readonly roomMade: Effect.Effect<void>
}
export const Dispatcher = Context.GenericTag<Dispatcher>("@parley/core/Dispatcher")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { lanes: limits } = yield* EngineSettings
  const handlers = yield* Handlers
  const owner = (yield* Ids).next(yield* Clock.currentTimeMillis)
  const running = new Map<string, Job>()
  const subjects = new Map<Lane, Map<string, number>>(lanes.map((lane) => [lane, new Map()]))
  const counts = new Map<Lane, number>(lanes.map((lane) => [lane, 0]))
  // Holds one signal until it is taken, so that none is lost between a look at the room and the wait for more.
  const roomMade = yield* Queue.sliding<void>(1)
  const busy = yield* Effect.makeLatch(false)
  const fibers = yield* FiberSet.make<void>()
  let missing: ReadonlyMap<string, number> = new Map()

  const count = ({ lane, subject }: Job, by: 1 | -1) => {
    counts.set(lane, (counts.get(lane) ?? 0) + by)
    const ofLane = subjects.get(lane) as Map<string, number>
    const next = (ofLane.get(subject) ?? 0) + by
    if (next === 0) ofLane.delete(subject)
    else ofLane.set(subject, next)
  }

  const portionOf = (lane: Lane): number => Math.ceil(limits[lane].concurrency / 4)
  const roomOf = (lane: Lane): number =>
    limits[lane].concurrency - (counts.get(lane) ?? 0) >= portionOf(lane) ? portionOf(lane) : 0
  const hasPortion = (lane: Lane, busy: number): boolean => busy <= limits[lane].perSubject / 2
  const isFull = ({ lane, subject }: Job): boolean =>
    roomOf(lane) === 0 || !hasPortion(lane, subjects.get(lane)?.get(subject) ?? 0)

  const run = (job: Job): Effect.Effect<void> =>
    handlers[job.lane](job).pipe(
      Effect.catchAllCause((cause) => {
        jobFailures(1, job.lane)
        return Effect.logWarning("a job failed and will be taken up again", cause)
      }),
      Effect.annotateLogs({ job_id: job.id, lane: job.lane, reference: job.reference }),
      Effect.ensuring(
        Effect.suspend(() => {
          const wasFull = isFull(job)
          running.delete(job.id)
          count(job, -1)
          return wasFull && !isFull(job) ? Queue.offer(roomMade, undefined) : Effect.void
        })
      )
    )

  // In one step, so that no job can start between the look and the close.
  const rests = Effect.sync(() => {
    if (running.size === 0) busy.unsafeClose()
    return running.size === 0
  })
  const renew = Effect.gen(function* () {
    yield* busy.await
    yield* Effect.sleep(Duration.millis(renewalMs))
    if (yield* rests) return
    const now = yield* Clock.currentTimeMillis
    const leases = [...running.values()].map(({ id, epoch }) => ({ jobId: id, epoch }))
    const gone = yield* storage.renewLeases(leases, now + leaseMs)
    // What is about to end is gone because it is done; what still runs a renewal later was lost.
    const lost = [...missing].filter(([jobId, epoch]) => running.get(jobId)?.epoch === epoch)
    missing = new Map(gone.map(({ jobId, epoch }) => [jobId, epoch]))
    leasesLost(lost.length)
    if (lost.length > 0) yield* Effect.logWarning(`${lost.length} leases were lost to other processes`)
  }).pipe(Effect.catchAll((error) => Effect.logWarning(`leases could not be renewed: ${error.message}`)))
  yield* Effect.forkScoped(Effect.forever(renew))

  /** What runs may end; of the rest, what is safe to do again is given back, and a send waits for the end of its lease. */
  const shutDown = Effect.gen(function* () {
    // A finalizer cannot be interrupted, so that without this the time limit would wait for the work after all.
    const workEnds = Effect.interruptible(FiberSet.awaitEmpty(fibers))
    yield* Effect.timeoutOption(workEnds, Duration.millis(shutdownMs))
    const left = [...running.values()].filter(({ lane }) => isRepeatable(lane))
    yield* FiberSet.clear(fibers)
    const leases = left.map(({ id, epoch }) => ({ jobId: id, epoch }))
    if (leases.length > 0) yield* storage.releaseLeases(leases, yield* Clock.currentTimeMillis)
  })
  yield* Effect.addFinalizer(() =>
    Effect.catchAll(shutDown, (error) => Effect.logWarning(`leases could not be given back: ${error.message}`))
  )

  return Dispatcher.of({
    owner,
    wish: (lane) => {
      const limit = roomOf(lane)
      if (limit === 0) return null
      const busy = [...(subjects.get(lane) ?? [])].filter(([, running]) => !hasPortion(lane, running))
      const perSubject = Math.ceil(limits[lane].perSubject / 2)
      return { lane, limit, perSubject, except: busy.map(([subject]) => subject) }
    },
    offer: (lane, now) => ((counts.get(lane) ?? 0) < limits[lane].concurrency ? { owner, until: now + leaseMs } : null),
    start: (job) =>
      Effect.suspend(() => {
        running.set(job.id, job)
        count(job, 1)
        return Effect.zipRight(busy.open, Effect.asVoid(FiberSet.run(fibers, run(job))))
      }),
    roomMade: Queue.take(roomMade)
  })
})

export const layer: Layer.Layer<Dispatcher, never, Storage | Handlers | Ids | EngineSettings> = Layer.scoped(
  Dispatcher,
  make
)
