import { expect, it, layer } from "@effect/vitest"
import { databases, sharedDatabases } from "@parley/testkit/databases"
import { aJob, aWorkspace } from "@parley/testkit/rows"
import { testIds } from "@parley/testkit/services"
import { Clock, Context, Deferred, Effect, Layer, Ref, TestClock, TestServices } from "effect"
import { describe } from "vitest"
import { layer as engineSettings } from "../../src/kernel/EngineSettings.js"
import { recorded } from "../../src/kernel/metrics/recorded.js"
import { second } from "../../src/model/Instant.js"
import { type Job, lanes } from "../../src/model/Job.js"
import { changes, row } from "../../src/ports/Changes.js"
import { lookupById, Storage } from "../../src/ports/Storage.js"
import * as Dispatcher from "../../src/queue/Dispatcher.js"
import * as DispatcherHooks from "../../src/queue/DispatcherHooks.js"
import * as Handlers from "../../src/queue/Handlers.js"
import { leaseMs as defaultLeaseMs, leaseLosses } from "../../src/queue/HeldLease.js"
import { renewalMs } from "../../src/queue/renewLeases.js"
import { accept, engine, eventually, newTenant, Provider, send } from "../harness.js"

const jobId = "01900000-0000-7000-8000-0000000000e1"
const workspaceId = "01900000-0000-7000-8000-0000000000f1"

/** Lost leases of this process by reason. */
const losses = () =>
  Object.fromEntries(
    leaseLosses.map((reason) => [
      reason,
      recorded("parley_leases_lost_total")
        .flatMap(({ samples }) => samples)
        .filter(({ labels }) => labels.reason === reason)
        .reduce((sum, { value }) => sum + value, 0)
    ])
  )

/** The losses that `effect` adds. */
const lossesOf = <E, R>(effect: Effect.Effect<void, E, R>) =>
  Effect.suspend(() => {
    const before = losses()
    return Effect.map(effect, () =>
      Object.fromEntries(
        Object.entries(losses()).flatMap(([name, value]) => {
          const added = value - (before[name] ?? 0)
          return added === 0 ? [] : [[name, added]]
        })
      )
    )
  })

/** Polls in real time, because the database answers in real time. */
const until = <A, E, R>(effect: Effect.Effect<A, E, R>, holds: (value: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.flatMap(effect, (value) =>
    holds(value)
      ? Effect.succeed(value)
      : Effect.zipRight(TestServices.provideLive(Effect.sleep(2)), until(effect, holds))
  )

/** A worker that claims on demand, and settles its job once it is permitted. While it is stalled, it renews nothing. */
const worker = (storageLayer: Layer.Layer<Storage, unknown>, maySettle: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const opened = yield* Layer.build(storageLayer)
    const real = Context.get(opened, Storage)
    const state = { stalled: false, renewals: 0, settled: 0 }
    const storage: Storage = {
      ...real,
      renewLeases: (leases, until) =>
        Effect.suspend(() => (state.stalled ? Effect.never : real.renewLeases(leases, until))).pipe(
          Effect.tap(() => Effect.sync(() => void state.renewals++))
        )
    }
    const handlers = Layer.effect(
      Handlers.Handlers,
      Effect.map(Storage, (observed) => {
        const work = (job: Job) =>
          maySettle.pipe(
            Effect.zipRight(
              observed.commit(changes(workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again: null } }))
            ),
            Effect.tap(() => Effect.sync(() => void state.settled++)),
            Effect.asVoid
          )
        return Object.fromEntries(lanes.map((lane) => [lane, Handlers.each(work)])) as unknown as Handlers.Handlers
      })
    )
    const built = yield* Layer.build(
      Layer.scoped(Dispatcher.Dispatcher, Dispatcher.make).pipe(
        Layer.provide(handlers),
        Layer.provide(Layer.effect(Storage, DispatcherHooks.hookedCommits)),
        Layer.provide(Layer.effect(DispatcherHooks.DispatcherHooks, DispatcherHooks.make)),
        Layer.provide(Layer.mergeAll(Layer.succeed(Storage, storage), engineSettings(), testIds))
      )
    )
    const dispatcher = Context.get(built, Dispatcher.Dispatcher)
    const claim = (leaseMs = defaultLeaseMs) =>
      Effect.gen(function* () {
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const calls = { lane: "calls" as const, limit: 9, perSubject: 9, except: [] }
        const owner = dispatcher.owner
        const { jobs } = yield* storage.claimJobs({ now, owner, leaseMs, lanes: [calls] })
        yield* Effect.forEach(jobs, dispatcher.start, { discard: true })
        return jobs.length
      })
    return { claim, state, storage }
  })

/** Two workers on one database with one job, which the first claimed for `leaseMs`. */
const twoWorkers = (open: (typeof sharedDatabases)[number][1], leaseMs = defaultLeaseMs) =>
  Effect.gen(function* () {
    const [first, second] = yield* open
    if (first === undefined || second === undefined) return yield* Effect.dieMessage("two hosts are needed")
    const finish = yield* Deferred.make<void>()
    const finishOther = yield* Deferred.make<void>()
    const one = yield* worker(first, Deferred.await(finish))
    const other = yield* worker(second, Deferred.await(finishOther))
    // Ends the remaining jobs of a test, since the test clock does not advance during the shutdown.
    yield* Effect.addFinalizer(() =>
      Effect.forEach([finish, finishOther], (end) => Deferred.succeed(end, undefined), { discard: true })
    )
    yield* one.storage.commit(
      changes(workspaceId, {
        inserts: [
          row("workspaces", aWorkspace({ id: workspaceId })),
          row("jobs", aJob({ id: jobId, workspaceId, lane: "calls", runAt: 0 }))
        ]
      })
    )
    expect(yield* one.claim(leaseMs)).toBe(1)
    /** Lets the first worker settle, and waits for the outcome. */
    const settle = Effect.zipRight(
      Deferred.succeed(finish, undefined),
      until(
        Effect.sync(() => one.state.settled),
        (settled) => settled === 1
      )
    )
    const renewal = Effect.gen(function* () {
      const { renewals } = one.state
      yield* TestClock.adjust(renewalMs)
      yield* until(
        Effect.sync(() => one.state.renewals),
        (present) => present > renewals
      )
    })
    return { one, other, settle, renewal }
  })

for (const [name, open] of sharedDatabases) {
  describe(`a worker beside another one on ${name}`, () => {
    it.scoped("loses no lease of a job that it settles in time", () =>
      Effect.gen(function* () {
        const { renewal, settle } = yield* twoWorkers(open)
        expect(yield* lossesOf(Effect.zipRight(renewal, settle))).toEqual({})
      })
    )
    it.scoped("counts a job as stolen when the other worker claimed it after the lease, at the fenced settle", () =>
      Effect.gen(function* () {
        const { one, other, settle } = yield* twoWorkers(open)
        one.state.stalled = true
        yield* TestClock.adjust(defaultLeaseMs)
        expect(yield* other.claim()).toBe(1)
        expect(yield* lossesOf(settle)).toEqual({ stolen: 1 })
        const { found } = yield* one.storage.read({ found: lookupById("jobs", jobId) })
        expect(found).toHaveLength(1)
      })
    )
    it.scoped("counts a job as stolen at its second renewal, and not again at the settle", () =>
      Effect.gen(function* () {
        const { other, renewal, settle } = yield* twoWorkers(open, second)
        yield* TestClock.adjust(second)
        expect(yield* other.claim()).toBe(1)
        yield* renewal
        expect(yield* lossesOf(renewal)).toEqual({ stolen: 1 })
        expect(yield* lossesOf(settle)).toEqual({})
      })
    )
    it.scoped("counts a lease as stalled that ended and was not claimed, at the settle", () =>
      Effect.gen(function* () {
        const { one, settle } = yield* twoWorkers(open)
        one.state.stalled = true
        yield* TestClock.adjust(defaultLeaseMs)
        expect(yield* lossesOf(settle)).toEqual({ stalled: 1 })
        const { found } = yield* one.storage.read({ found: lookupById("jobs", jobId) })
        expect(found).toEqual([])
      })
    )
    it.scoped("counts a lease as stalled that ended and was not claimed, at the renewal", () =>
      Effect.gen(function* () {
        // As a process that was stopped for longer than its lease: the renewal comes too late.
        const { renewal, settle } = yield* twoWorkers(open, second)
        expect(yield* lossesOf(renewal)).toEqual({ stalled: 1 })
        expect(yield* lossesOf(settle)).toEqual({})
      })
    )
    it.scoped("counts a job as replaced that another change ended within its lease", () =>
      Effect.gen(function* () {
        const { one, settle } = yield* twoWorkers(open)
        const { found } = yield* one.storage.read({ found: lookupById("jobs", jobId) })
        const epoch = found[0]?.epoch ?? 0
        yield* one.storage.commit(changes(workspaceId, { settle: { jobId, epoch, again: null } }))
        expect(yield* lossesOf(settle)).toEqual({ replaced: 1 })
      })
    )
  })
}

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true })(`an engine on ${name}`, (it) => {
    it.effect("counts the lease of a send that was claimed again before the provider answered", () =>
      Effect.gen(function* () {
        const { claimJobs, read } = yield* Storage
        const tenant = yield* newTenant
        const claimAgain = Effect.gen(function* () {
          const lane = { lane: "sends" as const, limit: 9, perSubject: 9, except: [] }
          const now = (yield* Clock.currentTimeMillis) + defaultLeaseMs + second
          yield* claimJobs({ now, owner: "other", leaseMs: defaultLeaseMs, lanes: [lane] })
        })
        yield* Ref.set((yield* Provider).answer, (message) =>
          Effect.zipRight(Effect.orDie(claimAgain), accept(message))
        )
        const sent = Effect.gen(function* () {
          const { id } = yield* send(tenant, "+491701000031", "claimed twice")
          yield* eventually(read({ found: lookupById("messages", id) }), ({ found }) => found[0]?.status === "sent")
        })
        // By the clock of this process the lease had not ended.
        expect(yield* lossesOf(sent)).toEqual({ replaced: 1 })
      })
    )
  })
}
