import { expect, it } from "@effect/vitest"
import { aContact, aJob } from "@parley/testkit/rows"
import { Context, Effect, Exit } from "effect"
import { describe } from "vitest"
import type { Job } from "../../src/model/Job.js"
import { type Changes, changes, row, settleJob } from "../../src/ports/Changes.js"
import { CommitOutcome, Storage, StorageUnavailable } from "../../src/ports/Storage.js"
import { DispatcherHooks, hookedCommits, type JobStarter, make } from "../../src/queue/DispatcherHooks.js"
import { type Script, scriptedStorage } from "../scriptedStorage.js"

const [one, other] = [aJob({ id: "one", leaseUntil: 0 }), aJob({ id: "other", leaseUntil: 0 })]
const given = changes("workspace", { inserts: [row("jobs", one), row("jobs", other)] })

/** The hooks, and the commits of the storage with them. */
const hooked = (storage: Storage) =>
  Effect.gen(function* () {
    const hooks = yield* make
    const context = Context.make(Storage, storage).pipe(Context.add(DispatcherHooks, hooks))
    const { commit } = yield* Effect.provide(hookedCommits, context)
    return { commit, hooks }
  })

/** The storage over this script, with a starter that reserves the jobs `may` by a lease until 1. */
const started = (script: Script, may: ReadonlyArray<Job>) =>
  Effect.gen(function* () {
    const { callsOf, storage } = yield* scriptedStorage(script)
    const { commit, hooks } = yield* hooked(storage)
    const noted: Array<string> = []
    hooks.starter = {
      reserve: (job) => (may.includes(job) ? { ...job, leaseUntil: 1 } : null),
      start: (jobs) => void noted.push(`start ${jobs.map(({ id, leaseUntil }) => `${id} ${leaseUntil}`).join()}`),
      release: (job) => void noted.push(`release ${job.id}`)
    }
    return { commit, callsOf, hooks, noted }
  })
const outcome = (answer: Effect.Effect<CommitOutcome, StorageUnavailable>): Script => ({ commit: () => answer })
const committed = outcome(Effect.succeed(CommitOutcome.Committed({ bumped: [] })))

describe("a commit", () => {
  it.scoped("starts the jobs that it inserted with a lease", () =>
    Effect.gen(function* () {
      const { callsOf, commit, noted } = yield* started(committed, [one])
      yield* commit(given)
      const [call] = callsOf("commit")
      expect((call?.given[0] as Changes | undefined)?.inserts).toEqual([
        row("jobs", { ...one, leaseUntil: 1 }),
        row("jobs", other)
      ])
      expect(noted).toEqual(["start one 1"])
    })
  )
  it.scoped("releases them if it was not committed", () =>
    Effect.gen(function* () {
      const refused = [
        Effect.succeed(CommitOutcome.Conflict({ lost: [] })),
        Effect.succeed(CommitOutcome.Fenced()),
        new StorageUnavailable({ cause: "cut off" }),
        Effect.interrupt
      ]
      for (const answer of refused) {
        const { commit, noted } = yield* started(outcome(answer), [one, other])
        yield* Effect.exit(commit(given))
        expect(noted).toEqual(["release one", "release other"])
      }
    })
  )
  it.scoped("starts them if its caller is interrupted meanwhile", () =>
    Effect.gen(function* () {
      const answer = Effect.zipRight(Effect.yieldNow(), Effect.succeed(CommitOutcome.Committed({ bumped: [] })))
      const { commit, noted } = yield* started(outcome(answer), [one])
      const fiber = yield* Effect.fork(commit(given))
      yield* Effect.yieldNow()
      const exit = yield* fiber.interruptAsFork(fiber.id()).pipe(Effect.zipRight(fiber.await))
      expect(Exit.isFailure(exit)).toBe(true)
      expect(noted).toEqual(["start one 1"])
    })
  )
  it.scoped("reports the outcome of its settle, and runs the warning about it", () =>
    Effect.gen(function* () {
      const settled = { ...given, inserts: [], settle: settleJob(one, null) }
      const observed: Array<unknown> = []
      const run = (warning: Effect.Effect<void> | null) =>
        Effect.gen(function* () {
          const { commit, hooks } = yield* started(committed, [])
          hooks.observeSettle = (settle) => (outcome) => {
            observed.push([settle, outcome._tag])
            return warning
          }
          expect(yield* commit(settled)).toEqual(CommitOutcome.Committed({ bumped: [] }))
          yield* commit(given)
        })
      yield* run(null)
      yield* run(Effect.sync(() => void observed.push("warned")))
      const report = [settled.settle, "Committed"]
      expect(observed).toEqual([report, report, "warned"])
    })
  )
  it.scoped("has nothing to start or report before the dispatcher", () =>
    Effect.gen(function* () {
      const { storage } = yield* scriptedStorage(committed)
      const { commit } = yield* hooked(storage)
      const settled = { ...given, settle: settleJob(one, null) }
      expect(yield* commit(settled)).toEqual(CommitOutcome.Committed({ bumped: [] }))
    })
  )
  it.scoped("gives a lease to new jobs only", () =>
    Effect.gen(function* () {
      const { callsOf, commit, hooks, noted } = yield* started(committed, [one])
      const contact = row("contacts", aContact())
      const offered: Array<string> = []
      const starter = hooks.starter as JobStarter
      hooks.starter = {
        ...starter,
        reserve: (job) => {
          offered.push(job.id)
          return starter.reserve(job)
        }
      }
      yield* commit({ ...given, inserts: [contact, row("jobs", one)] })
      expect(offered).toEqual([one.id])
      const written = callsOf("commit").map((call) => (call.given[0] as Changes).inserts)
      expect(written).toEqual([[contact, row("jobs", { ...one, leaseUntil: 1 })]])
      expect(noted).toEqual(["start one 1"])
    })
  )
  it.scoped("is passed on unchanged without a starter or a reserved job", () =>
    Effect.gen(function* () {
      const { callsOf, commit, hooks, noted } = yield* started(committed, [])
      yield* commit(given)
      hooks.starter = null
      yield* commit(given)
      for (const call of callsOf("commit")) expect(call.given[0]).toBe(given)
      expect(noted).toEqual([])
    })
  )
})
