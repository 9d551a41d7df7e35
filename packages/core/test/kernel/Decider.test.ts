import { expect, it } from "@effect/vitest"
import { aJob, aWorkspace, someTime, someWorkspaceId } from "@parley/testkit/rows"
import { testIds } from "@parley/testkit/services"
import { Cause, Context, Deferred, Effect, Either, Exit, Fiber, Layer, TestClock } from "effect"
import { describe } from "vitest"
import { refuse } from "../../src/errors/Refusal.js"
import { actor } from "../../src/kernel/actor.js"
import { auditRow } from "../../src/kernel/auditRow.js"
import * as Decider from "../../src/kernel/Decider.js"
import { commitAtOnce, deferCommit } from "../../src/kernel/deferral.js"
import { type Changes, changes, expect as expected, row } from "../../src/ports/Changes.js"
import { CommitOutcome, Storage, StorageBusy, StorageUnavailable } from "../../src/ports/Storage.js"
import { type Script, scriptedStorage } from "../scriptedStorage.js"

const job = aJob({ id: "01900000-0000-7000-8000-0000000000e1", epoch: 3 })
const settle = { jobId: job.id, epoch: job.epoch, again: null }
const observed = changes(someWorkspaceId, { expects: [expected("workspaces", { id: someWorkspaceId })] })
const committed = CommitOutcome.Committed({ bumped: [] })
const lost = (...keys: ReadonlyArray<string>) => CommitOutcome.Conflict({ lost: keys })
const refusal = refuse("not_found")

/** A decider over a storage with scripted commits. */
const deciding = (script: Script) =>
  Effect.gen(function* () {
    const { callsOf, storage } = yield* scriptedStorage(script)
    const context = yield* Layer.build(
      Layer.provide(Layer.scoped(Decider.Decider, Decider.make), Layer.merge(Layer.succeed(Storage, storage), testIds))
    )
    const written = () => callsOf("commit").map(({ given }) => given[0] as Changes)
    return { ...Context.get(context, Decider.Decider), written }
  })
const writing = (changes: Changes | null) => () => Either.right({ changes, result: "done" })

describe("a decision", () => {
  it.scoped("gets the loaded world and the clock's time, and is committed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(someTime)
      const { decideAndCommit, written } = yield* deciding({ commit: [Effect.succeed(committed)] })
      const result = yield* decideAndCommit(Effect.succeed("world"), (world, now) =>
        Either.right({ changes: observed, result: [world, now] })
      )
      expect(result).toEqual(["world", someTime])
      expect(written()).toEqual([observed])
    })
  )
  it.scoped("without changes commits nothing", () =>
    Effect.gen(function* () {
      const { decideAndCommit } = yield* deciding({})
      expect(yield* decideAndCommit(Effect.void, writing(null))).toBe("done")
    })
  )
  it.scoped("that refuses commits nothing", () =>
    Effect.gen(function* () {
      const { decideAndCommit } = yield* deciding({})
      expect(yield* Effect.flip(decideAndCommit(Effect.void, () => Either.left(refusal)))).toBe(refusal)
    })
  )
  it.scoped("is returned to a caller that defers its commit", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({})
      const deferred = yield* deferCommit(decideAndCommit(Effect.void, writing(observed)))
      expect(deferred).toEqual({ result: "done", deferred: { changes: observed } })
      expect(yield* deferCommit(decideAndCommit(Effect.void, writing(null)))).toMatchObject({
        deferred: { changes: null }
      })
      expect(written()).toEqual([])
    })
  )
  it.scoped("is the only one of an operation whose commit is deferred", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({})
      const one = decideAndCommit(Effect.void, writing(observed))
      const exit = yield* Effect.exit(deferCommit(Effect.zipRight(one, one)))
      expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
      expect(written()).toEqual([])
    })
  )
  it.scoped("is committed at once within a deferred operation if it says so, or in a fiber of its own", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({ commit: () => Effect.succeed(committed) })
      const one = decideAndCommit(Effect.void, writing(observed))
      const forked = Effect.flatMap(Effect.fork(one), Fiber.join)
      const { deferred } = yield* deferCommit(Effect.all([commitAtOnce(one), forked]))
      expect(deferred.changes).toBeNull()
      expect(written()).toEqual([observed, observed])
      expect((yield* deferCommit(Effect.zipRight(forked, one))).deferred.changes).toBe(observed)
    })
  )
  it.scoped("that permit refuses is not committed", () =>
    Effect.gen(function* () {
      const { decideAndCommit } = yield* deciding({})
      const requests: Array<string> = []
      const permit = (result: string) => {
        requests.push(result)
        return Effect.fail(refusal)
      }
      expect(yield* Effect.flip(decideAndCommit(Effect.void, writing(observed), permit))).toBe(refusal)
      expect(requests).toEqual(["done"])
    })
  )
  it.scoped("fails with the storage's error", () =>
    Effect.gen(function* () {
      const away = new StorageUnavailable({ cause: "cut off" })
      const { decideAndCommit } = yield* deciding({ commit: [away] })
      expect(yield* Effect.flip(decideAndCommit(Effect.void, writing(observed)))).toBe(away)
    })
  )
  it.scoped("is audited with the current actor", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({ commit: [Effect.succeed(committed)] })
      const entry = {
        workspaceId: someWorkspaceId,
        applicationId: null,
        action: "agent.updated",
        subjectId: job.id
      } as const
      const audited = decideAndCommit(Effect.void, (_, now, ids) =>
        Either.right({ changes: changes(someWorkspaceId, { inserts: [auditRow(entry, now, ids)] }), result: "done" })
      )
      yield* Effect.locally(audited, actor, "admin: grace")
      expect(written()[0]?.inserts).toMatchObject([{ table: "auditLog", row: { ...entry, actor: "admin: grace" } }])
    })
  )
})

describe("a conflict", () => {
  it.scoped("loads, decides and checks the permit again", () =>
    Effect.gen(function* () {
      const { decideAndCommit } = yield* deciding({
        commit: [Effect.succeed(lost("contacts:a")), Effect.succeed(committed)]
      })
      let loads = 0
      let permits = 0
      const load = Effect.sync(() => ++loads)
      const decide = (world: number) => Either.right({ changes: observed, result: world })
      const permit = () => Effect.sync(() => void permits++)
      expect(yield* decideAndCommit(load, decide, permit)).toBe(2)
      expect(permits).toBe(2)
    })
  )
  it.scoped("ends in StorageBusy with the lost keys after eight tries", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({
        commit: Array.from({ length: 8 }, () => Effect.succeed(lost("contacts:a", "jobs:b")))
      })
      const error = yield* Effect.flip(decideAndCommit(Effect.void, writing(observed)))
      expect(error).toEqual(new StorageBusy({ reason: "8 conflicts, the last on contacts:a, jobs:b", conflicts: 8 }))
      expect(written()).toHaveLength(8)
    })
  )
  it.scoped("may still commit at the eighth try", () =>
    Effect.gen(function* () {
      const { decideAndCommit } = yield* deciding({
        commit: [...Array.from({ length: 7 }, () => Effect.succeed(lost("contacts:a"))), Effect.succeed(committed)]
      })
      expect(yield* decideAndCommit(Effect.void, writing(observed))).toBe("done")
    })
  )
})

describe("a fenced decision", () => {
  it.scoped("commits without the settle if it has an expect", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({
        commit: [Effect.succeed(CommitOutcome.Fenced()), Effect.succeed(committed)]
      })
      expect(yield* decideAndCommit(Effect.void, writing({ ...observed, settle }))).toBe("done")
      expect(written()).toEqual([{ ...observed, settle }, observed])
    })
  )
  it.scoped("commits without the settle if it has a claim", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({
        commit: [Effect.succeed(CommitOutcome.Fenced()), Effect.succeed(committed)]
      })
      const claims = [row("workspaces", aWorkspace()) as Changes["claims"][number]]
      yield* decideAndCommit(Effect.void, writing(changes(someWorkspaceId, { claims, settle })))
      expect(written()[1]).toEqual(changes(someWorkspaceId, { claims }))
    })
  )
  it.scoped("is not committed again if it only settles the job", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({ commit: [Effect.succeed(CommitOutcome.Fenced())] })
      expect(yield* decideAndCommit(Effect.void, writing(changes(someWorkspaceId, { settle })))).toBe("done")
      expect(written()).toHaveLength(1)
    })
  )
  it.scoped("is decided again if its expect fails", () =>
    Effect.gen(function* () {
      const { decideAndCommit, written } = yield* deciding({
        commit: [
          Effect.succeed(CommitOutcome.Fenced()),
          Effect.succeed(lost("workspaces:a")),
          Effect.succeed(CommitOutcome.Fenced()),
          Effect.succeed(committed)
        ]
      })
      yield* decideAndCommit(Effect.void, writing({ ...observed, settle }))
      expect(written()).toHaveLength(4)
    })
  )
})

describe("callers that lost a key", () => {
  /** Concurrent callers of one decider. Each loses its keys at the first try; the second tries are recorded. */
  const rivals = (keysOf: ReadonlyArray<ReadonlyArray<string>>) =>
    Effect.gen(function* () {
      const tries = new Map<string, number>()
      const { decideAndCommit } = yield* deciding({
        commit: ({ workspaceId }) =>
          Effect.sync(() => {
            const nth = tries.get(workspaceId) ?? 0
            return nth === 1 ? lost(...(keysOf[Number(workspaceId)] ?? [])) : committed
          })
      })
      const inside = new Set<number>()
      const together: Array<number> = []
      const go = yield* Deferred.make<void>()
      const call = (_: unknown, caller: number) => {
        const load = Effect.gen(function* () {
          const nth = (tries.get(`${caller}`) ?? 0) + 1
          tries.set(`${caller}`, nth)
          // Second tries start only after all first tries have lost.
          if (nth === 1) return yield* Deferred.await(go)
          inside.add(caller)
          together.push(inside.size)
          for (let i = 0; i < 20; i++) yield* Effect.yieldNow()
          inside.delete(caller)
        })
        return decideAndCommit(load, writing({ ...observed, workspaceId: `${caller}` }))
      }
      const fibers = yield* Effect.forEach(keysOf, (keys, caller) => Effect.fork(call(keys, caller)))
      for (let i = 0; i < 20; i++) yield* Effect.yieldNow()
      yield* Deferred.succeed(go, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      return { together, tries: [...tries.values()] }
    })

  it.scoped("do not wait for each other at the first try", () =>
    Effect.gen(function* () {
      const { decideAndCommit } = yield* deciding({ commit: () => Effect.succeed(committed) })
      let loading = 0
      const load = Effect.zipRight(
        Effect.sync(() => ++loading),
        Effect.never
      )
      yield* Effect.forEach([1, 2, 3], () => Effect.fork(decideAndCommit(load, writing(observed))))
      for (let i = 0; i < 20; i++) yield* Effect.yieldNow()
      expect(loading).toBe(3)
    })
  )
  it.scoped("run one after the other from the second try on", () =>
    Effect.gen(function* () {
      const { together, tries } = yield* rivals([["contacts:a"], ["contacts:a"], ["contacts:a"]])
      expect(tries).toEqual([2, 2, 2])
      expect(together).toEqual([1, 1, 1])
    })
  )
  it.scoped("do not delay callers that lost another key", () =>
    Effect.gen(function* () {
      const { together } = yield* rivals([["contacts:a"], ["contacts:b"]])
      expect(Math.max(...together)).toBe(2)
    })
  )
  it.scoped("never deadlock, for any order and repetition of lost keys", () =>
    Effect.gen(function* () {
      // The second waits for the key that the first holds, if it locks keys in the order of the conflict, and the third
      // then waits for the second while it holds the other key.
      const { tries } = yield* rivals([
        ["contacts:b"],
        ["contacts:b", "contacts:a", "contacts:b"],
        ["contacts:a", "contacts:b"]
      ])
      expect(tries).toEqual([2, 2, 2])
    })
  )
})
