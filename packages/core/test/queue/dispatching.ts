import { aJob } from "@parley/testkit/rows"
import { testIds } from "@parley/testkit/services"
import { Context, Deferred, Effect, Exit, Layer, Record, Scope } from "effect"
import { defaultSettings, layer as engineSettings, type LaneLimits } from "../../src/kernel/EngineSettings.js"
import { recorded } from "../../src/kernel/metrics/recorded.js"
import { second } from "../../src/model/Instant.js"
import type { Job, JobOwner, Lane } from "../../src/model/Job.js"
import { type Lease, Storage, type StorageUnavailable } from "../../src/ports/Storage.js"
import { claimedByLane } from "../../src/queue/claimedByLane.js"
import { DatabaseClock } from "../../src/queue/DatabaseClock.js"
import * as Dispatcher from "../../src/queue/Dispatcher.js"
import { DispatcherHooks } from "../../src/queue/DispatcherHooks.js"
import * as Handlers from "../../src/queue/Handlers.js"
import type { LeaseLoss } from "../../src/queue/HeldLease.js"
import { type Script, scriptedStorage } from "../scriptedStorage.js"

export const id = (n: number) => `01900000-0000-7000-8000-${`${n}`.padStart(12, "0")}`
export const jobOf = (n: number, more: Partial<Job> = {}): Job =>
  aJob({ id: id(n), lane: "calls", subject: "one", epoch: n, leaseUntil: 15 * second, ...more })
export const leaseOf = ({ id, epoch }: Job): Lease => ({ jobId: id, epoch })

/** The present value of a counter of this process, over all its engines. */
export const counted = (name: string, lane?: Lane, reason?: LeaseLoss): number =>
  recorded(name)
    .flatMap(({ samples }) => samples)
    .filter(({ labels }) => lane === undefined || labels.lane === lane)
    .filter(({ labels }) => reason === undefined || labels.reason === reason)
    .reduce((sum, { value }) => sum + value, 0)

/**
 * A dispatcher in its own scope over a scripted storage. Its jobs run until `end`. The lane `calls` has a concurrency
 * of eight, four for each subject.
 */
export const dispatching = (
  script: Script,
  limits: LaneLimits = { concurrency: 8, perSubject: 4 },
  isCertain: () => boolean = () => true,
  handler: (work: (job: Job) => Handlers.Run) => Handlers.Handlers[Lane] = Handlers.each
) =>
  Effect.gen(function* () {
    const { calls, callsOf, storage } = yield* scriptedStorage(script)
    const started: DispatcherHooks = { starter: null, observeSettle: () => null }
    const begun: Array<string> = []
    const stopped: Array<string> = []
    const ends = new Map<string, Deferred.Deferred<void, StorageUnavailable>>()
    const work = (job: Job) =>
      Effect.gen(function* () {
        begun.push(job.id)
        const end = yield* Deferred.make<void, StorageUnavailable>()
        ends.set(job.id, end)
        yield* Deferred.await(end)
      }).pipe(Effect.onInterrupt(() => Effect.sync(() => void stopped.push(job.id))))
    const handlers = Record.map(defaultSettings.lanes, () => handler(work))
    // Ends the remaining jobs of a test, since the test clock does not advance during the shutdown.
    const letAllEnd = Effect.suspend(() =>
      Effect.forEach(ends.values(), (end) => Deferred.done(end, Exit.void), { discard: true })
    )
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) =>
      Effect.zipRight(letAllEnd, Scope.close(scope, exit))
    )
    const context = yield* Layer.buildWithScope(
      Layer.provide(
        Layer.scoped(Dispatcher.Dispatcher, Dispatcher.make),
        Layer.mergeAll(
          Layer.succeed(Storage, storage),
          Layer.succeed(DatabaseClock, { isCertain }),
          Layer.succeed(DispatcherHooks, started),
          Layer.succeed(Handlers.Handlers, handlers),
          engineSettings({ lanes: { ...defaultSettings.lanes, calls: limits } }),
          testIds
        )
      ),
      scope
    )
    const dispatcher = Context.get(context, Dispatcher.Dispatcher)
    const start = (...jobs: ReadonlyArray<Job>) =>
      Effect.zipRight(Effect.forEach(jobs, dispatcher.start, { discard: true }), settled)
    const end = (job: Job, how: Exit.Exit<void, StorageUnavailable> = Exit.void) =>
      Effect.zipRight(
        Effect.suspend(() => Deferred.done(ends.get(job.id) as Deferred.Deferred<void, StorageUnavailable>, how)),
        settled
      )
    const shutDown = Effect.fork(Scope.close(scope, Exit.void))
    return { begun, stopped, calls, callsOf, dispatcher, started, start, end, shutDown }
  })

/** Yields until all runnable fibers have run. */
export const settled = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow(), { discard: true })

export const nothingGone: Script = { renewLeases: () => Effect.succeed([]) }
export const subjects = (count: number, more: Partial<Job> = {}) =>
  Array.from({ length: count }, (_, n) => jobOf(n + 1, { subject: `subject ${n}`, ...more }))

export const ownerOf = (subject: string): JobOwner => ({ workspaceId: jobOf(1).workspaceId, subject })

/** The lease that a new job of the lane and subject would get. */
export const leaseIn = (dispatcher: Dispatcher.Dispatcher, lane: Lane, subject = "another") =>
  dispatcher.withReservedCapacity(lane, (leaseFor) => Effect.succeed(leaseFor(ownerOf(subject))))

export const claimOfCalls = { lane: "calls", limit: 2, perSubject: 2, except: [] } as const
/** What a claim of `calls` with bounds and with room for two jobs found. */
export const claimed = ({ dispatcher }: { readonly dispatcher: Dispatcher.Dispatcher }, ...jobs: ReadonlyArray<Job>) =>
  Effect.zipRight(dispatcher.startClaimed(claimedByLane([{ ...claimOfCalls, dueFrom: 0 }], jobs), jobs), settled)
export const unleased = (n: number, more: Partial<Job> = {}) =>
  jobOf(n, { leaseUntil: 0, runAt: 0, attempts: 0, ...more })
