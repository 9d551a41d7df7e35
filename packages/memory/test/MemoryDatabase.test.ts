import { describe, expect, it } from "@effect/vitest"
import { changes, expect as expects, type Job, lookup, row, type Storage, set } from "@parley/core"
import * as Rows from "@parley/testkit/rows"
import { Effect, Queue } from "effect"
import { type MemoryDatabase, makeMemoryDatabase } from "../src/MemoryDatabase.js"
import { memoryStorage } from "../src/MemoryStorage.js"
import { memoryWakeup } from "../src/MemoryWakeup.js"

const ids = Rows.makeTestIds(1)
const open = (database: MemoryDatabase): Storage => memoryStorage(database, memoryWakeup(database))
const empty = () => makeMemoryDatabase({ clock: () => 7 })

const put = (storage: Storage, ...jobs: ReadonlyArray<Job>) =>
  storage.commit(changes(Rows.someWorkspaceId, { inserts: jobs.map((job) => row("jobs", job)) }))
const stored = (storage: Storage, { id }: Job) =>
  Effect.map(storage.read({ jobs: lookup("jobs", { id }) }), ({ jobs }) => jobs[0])
const claim = (storage: Storage, lane: Job["lane"], now = 100) =>
  Effect.map(
    storage.claimJobs({
      now,
      owner: "me",
      leaseMs: 1_000,
      lanes: [{ lane, limit: 9, perSubject: 9, except: [] }]
    }),
    ({ jobs }) => jobs.map(({ id }) => id)
  )
const take = (storage: Storage) => storage.takeToken({ bucket: "calls", limit: 9, windowMs: 60_000, now: 5 })
const reserve = (storage: Storage) =>
  storage.reserveSlot({ key: "queue", messages: 1, per: 100, burst: 1, now: 1_000, behind: 0 })

describe("a copy of a database in memory", () => {
  it.effect("shares no write with its original", () =>
    Effect.gen(function* () {
      const database = empty()
      const original = open(database)
      const [first, second, third] = [1, 2, 3].map((n) =>
        Rows.aJob({ id: ids.next(1), lane: "runs", runAt: n })
      ) as unknown as readonly [Job, Job, Job]
      yield* put(original, first)
      yield* claim(original, "parked")
      yield* take(original)
      yield* reserve(original)
      const copy = open(database.clone())
      yield* put(original, second)
      yield* put(copy, third)
      expect([yield* stored(original, third), yield* stored(copy, second)]).toEqual([undefined, undefined])
      expect(yield* claim(original, "runs")).toEqual([first.id, second.id])
      expect(yield* claim(copy, "runs")).toEqual([first.id, third.id])
      for (const storage of [original, copy]) {
        expect((yield* take(storage)).remaining).toBe(7)
        expect(yield* reserve(storage)).toBe(1_100)
      }
    })
  )

  it.effect("keeps its indexes beside those of its original", () =>
    Effect.gen(function* () {
      const database = empty()
      const original = open(database)
      const agent = Rows.anAgent({ id: ids.next(1), name: "Ada" })
      const named = (storage: Storage, name: string) =>
        Effect.map(storage.read({ agents: lookup("agents", { name }) }), ({ agents }) => agents.length)
      yield* original.commit(changes(agent.workspaceId, { inserts: [row("agents", agent)] }))
      expect(yield* named(original, "Ada")).toBe(1)
      const copy = open(database.clone())
      yield* copy.commit(
        changes(agent.workspaceId, {
          expects: [expects("agents", { id: agent.id })],
          sets: [set("agents", { id: agent.id }, { name: "Grace" })]
        })
      )
      expect([yield* named(original, "Ada"), yield* named(original, "Grace")]).toEqual([1, 0])
      expect([yield* named(copy, "Ada"), yield* named(copy, "Grace")]).toEqual([0, 1])
    })
  )
})

describe("a power cut", () => {
  it.effect("forgets tokens, slots, postponed jobs and claims since the last durable write", () =>
    Effect.gen(function* () {
      const database = empty()
      const storage = open(database)
      const waiting = Rows.aJob({ id: ids.next(1), lane: "sends", subject: "a", runAt: 5, payload: { turn: 900 } })
      const repeatable = Rows.aJob({ id: ids.next(1), lane: "runs", runAt: 5 })
      yield* put(storage, waiting, repeatable)
      yield* take(storage)
      yield* reserve(storage)
      const postponed = { lane: "sends", subject: "a", field: "turn", behind: 0, notBefore: 0, limit: 9 } as const
      yield* storage.postponeJobs({ ...postponed, dueBefore: 100 })
      yield* claim(storage, "runs")
      expect(database.relaxedWrites()).toBe(4)
      database.powerCut()
      expect([yield* stored(storage, waiting), yield* stored(storage, repeatable)]).toEqual([waiting, repeatable])
      expect((yield* take(storage)).remaining).toBe(8)
      expect(yield* reserve(storage)).toBe(1_000)
    })
  )

  it.effect("keeps what was written before a commit or an attempt at a send", () =>
    Effect.gen(function* () {
      const database = empty()
      const storage = open(database)
      yield* take(storage)
      yield* put(storage, Rows.aJob({ id: ids.next(1), lane: "sends", runAt: 5 }))
      database.powerCut()
      expect((yield* take(storage)).remaining).toBe(7)
      expect(yield* claim(storage, "sends")).toHaveLength(1)
      database.powerCut()
      expect((yield* take(storage)).remaining).toBe(7)
      const [jobId = ""] = yield* claim(storage, "sends")
      const { jobs } = yield* storage.read({ jobs: lookup("jobs", { id: jobId }) })
      const begun = { jobId, epoch: jobs[0]?.epoch ?? 0, owner: "me", attempt: 1 }
      expect(yield* storage.beginAttempt(begun)).toBe(true)
      database.powerCut()
      expect((yield* take(storage)).remaining).toBe(6)
      expect(yield* claim(storage, "sends")).toEqual([])
    })
  )

  it.effect("may keep the first of the writes that it could forget", () =>
    Effect.gen(function* () {
      const database = empty()
      const storage = open(database)
      for (const _ of [1, 2, 3]) yield* take(storage)
      database.powerCut(2)
      expect((yield* take(storage)).remaining).toBe(6)
    })
  )
})

describe("a commit", () => {
  it.effect("is refused if it changes a row that it does not expect, and writes nothing", () =>
    Effect.gen(function* () {
      const storage = open(empty())
      const [agent, other] = [Rows.anAgent({ id: ids.next(1) }), Rows.anAgent({ id: ids.next(1) })]
      yield* storage.commit(changes(agent.workspaceId, { inserts: [row("agents", agent), row("agents", other)] }))
      const refused = yield* Effect.flip(
        storage.commit(
          changes(agent.workspaceId, {
            expects: [expects("agents", { id: agent.id })],
            sets: [
              set("agents", { id: agent.id }, { name: "Grace" }),
              set("agents", { id: other.id }, { name: "Grace" })
            ]
          })
        )
      )
      expect(refused._tag).toBe("ChangesRejected")
      expect(yield* storage.list({ from: "agents", where: {}, after: null, limit: 9 })).toEqual([other, agent])
    })
  )
})

describe("hints", () => {
  it.scoped("of lanes reach all processes, and of feeds the other ones", () =>
    Effect.gen(function* () {
      const database = empty()
      const [own, other] = [memoryWakeup(database), memoryWakeup(database)]
      const lanes = yield* Effect.all([own.hints, other.hints])
      const feeds = yield* Effect.all([own.grownFeeds, other.grownFeeds])
      yield* put(memoryStorage(database, own), Rows.aJob({ id: ids.next(1), lane: "runs", runAt: 0 }))
      yield* own.notifyFeeds(new Set(["feed"]))
      expect(yield* Effect.forEach(lanes, Queue.takeAll)).toMatchObject([{ length: 1 }, { length: 1 }])
      expect(yield* Effect.forEach(feeds, Queue.takeAll)).toMatchObject([{ length: 0 }, { length: 1 }])
    })
  )
})
