import {
  type ClaimJobs,
  CommitOutcome,
  changes,
  type Endpoint,
  expect as expects,
  failuresThatDisable,
  type Job,
  type Lane,
  lanes,
  lookup,
  maxCounted,
  row,
  type Storage
} from "@parley/core"
import { Effect, FastCheck as fc, Queue } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

const lane = (name: Lane, more: Partial<ClaimJobs["lanes"][number]> = {}) => ({
  lane: name,
  limit: 100,
  perSubject: 1_000_000,
  except: [],
  ...more
})

/** Jobs are leased to one worker at a time, in order, and settled once. Each test has its own lanes. */
export const queueContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("queue", database, options, (test) => {
    const enqueue = (host: Storage, jobs: ReadonlyArray<Job>) =>
      host.commit(changes(Rows.someWorkspaceId, { inserts: jobs.map((job) => row("jobs", job)) }))
    const claim = (host: Storage, now: number, owner: string, lanes: ClaimJobs["lanes"]) =>
      host.claimJobs({ now, owner, leaseMs: 1_000, lanes })
    /** The present rows of these jobs. */
    const stored = (host: Storage, jobs: ReadonlyArray<Job>) =>
      Effect.map(host.read(Object.fromEntries(jobs.map(({ id }) => [id, lookup("jobs", { id })]))), (found) =>
        jobs.map(({ id }) => found[id]?.[0] as Job)
      )
    const finish = (host: Storage, job: Job) =>
      host.commit(changes(job.workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again: null } }))

    test("leases due jobs, oldest first, and reports whether more are due", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = (runAt: number) => Rows.aJob({ id: ids.next(1), lane: "receipts", runAt, payload: { runAt } })
        const [late, early, future] = [job(20), job(10), job(500)]
        yield* enqueue(one, [late, early, future])
        const first = yield* claim(one, 100, "me", [lane("receipts", { limit: 1 })])
        expect(first).toMatchObject({
          jobs: [{ ...early, leaseUntil: 1_100, leaseOwner: "me", epoch: 1, attempts: 1 }],
          nextDueAt: null
        })
        const second = yield* claim(one, 100, "me", [lane("receipts")])
        expect(second).toMatchObject({ jobs: [{ id: late.id }], nextDueAt: 500 })
        expect(yield* claim(one, 100, "me", [lane("receipts")])).toMatchObject({ jobs: [], nextDueAt: 500 })
        yield* Effect.forEach([...first.jobs, ...second.jobs], (held) => finish(one, held))
        const third = yield* claim(one, 500, "me", [lane("receipts")])
        expect(third.jobs.map(({ id }) => id)).toEqual([future.id])
        expect((yield* claim(one, 500, "me", [lane("receipts")])).nextDueAt).toBe(1_500)
        yield* Effect.forEach(third.jobs, (held) => finish(one, held))
        expect(yield* claim(one, 9_000, "me", [lane("receipts")])).toMatchObject({ jobs: [], nextDueAt: null })
      }))

    test("leases at most the limit of each subject, and none of excluded subjects", ({ one }, ids) =>
      Effect.gen(function* () {
        const jobs = ["a", "a", "a", "a", "b", "c"].map((subject, n) =>
          Rows.aJob({ id: ids.next(1), lane: "retries", subject, runAt: n })
        )
        const sends = Rows.aJob({ id: ids.next(1), lane: "housekeeping", subject: "a", runAt: 0 })
        yield* enqueue(one, [...jobs, sends])
        const request = [lane("retries", { perSubject: 2, except: ["c"] }), lane("housekeeping")]
        const { jobs: got } = yield* claim(one, 100, "me", request)
        expect(got.map(({ id }) => id).sort()).toEqual([jobs[0], jobs[1], jobs[4], sends].map((job) => job?.id).sort())
        const left = yield* claim(one, 100, "me", [lane("retries", { perSubject: 1 })])
        expect(left.jobs.map(({ id }) => id)).toEqual([jobs[2]?.id, jobs[5]?.id])
        expect(left.nextDueAt).toBeLessThanOrEqual(100)
        const { jobs: limited } = yield* claim(one, 100, "me", [lane("retries", { limit: 1 })])
        expect(limited.map(({ id }) => id)).toEqual([jobs[3]?.id])
      }))

    // SQLite claims a lane of many subjects otherwise than one of few.
    for (const others of [0, 40])
      test(`takes the subjects in turn, so that one with many older jobs delays none, beside ${others} others`, ({
        one
      }, ids) =>
        Effect.gen(function* () {
          const of = (subject: string, runAt: number) =>
            Rows.aJob({ id: ids.next(1), lane: "deliveries", subject, runAt, payload: { of: `${subject}${runAt}` } })
          const later = Array.from({ length: others }, (_, n) => of(`later${n}`, 1_000))
          yield* enqueue(one, later)
          const requests: ReadonlyArray<Partial<ClaimJobs["lanes"][number]>> = [
            {},
            { except: ["c"] },
            { only: ["a", "b", "d"] },
            { dueFrom: 20, behind: [{ subject: "a", dueFrom: 0 }] }
          ]
          for (const request of requests) {
            yield* enqueue(one, [...[1, 2, 3, 4].map((n) => of("a", n)), of("b", 21), of("b", 22), of("d", 23)])
            const taken = (limit: number) =>
              Effect.gen(function* () {
                const { jobs } = yield* claim(one, 100, "me", [lane("deliveries", { ...request, limit })])
                yield* Effect.forEach(jobs, (held) => finish(one, held))
                return jobs.map(({ payload }) => payload?.of)
              })
            expect(yield* taken(4)).toEqual(["a1", "a2", "b21", "d23"])
            expect(yield* taken(2)).toEqual(["a3", "b22"])
            expect(yield* taken(9)).toEqual(["a4"])
          }
          const { jobs } = yield* claim(one, 1_000, "me", [lane("deliveries", { except: ["later0"] })])
          expect(jobs.map(({ id }) => id)).toEqual(later.slice(1).map(({ id }) => id))
          const { jobs: last } = yield* claim(one, 1_000, "me", [lane("deliveries")])
          expect(last.map(({ id }) => id)).toEqual(later.slice(0, 1).map(({ id }) => id))
          yield* Effect.forEach([...jobs, ...last], (held) => finish(one, held))
        }))

    test("leases the jobs of a subject that are due at one time in the order of their ids", ({ one }, ids) =>
      Effect.gen(function* () {
        const of = (subject: string, runAt: number) =>
          Rows.aJob({ id: ids.next(1), lane: "sends", subject, runAt, attempts: 0 })
        const requests: ReadonlyArray<Partial<ClaimJobs["lanes"][number]>> = [
          {},
          { except: ["c"] },
          { only: ["a", "b"] },
          { dueFrom: 20, behind: [{ subject: "a", dueFrom: 0 }] },
          { dueFrom: 20 }
        ]
        for (const request of requests) {
          const jobs = ["a", "b"].flatMap((subject) => [
            of(subject, 40),
            ...Array.from({ length: 9 }, () => of(subject, 50)),
            of(subject, 60)
          ])
          // The order in which rows were written tells nothing: those of waiting messages are written again and again.
          yield* enqueue(one, jobs.toReversed())
          const taken = { a: [] as Array<string>, b: [] as Array<string> }
          for (let n = 0; n < jobs.length; n++) {
            const wanted = lane("sends", { limit: 5, perSubject: 3, ...request })
            const { jobs: held } = yield* claim(one, 100, "me", [wanted])
            for (const { id, subject } of held) taken[subject as "a" | "b"].push(id)
            yield* Effect.forEach(held, (job) => finish(one, job))
          }
          for (const subject of ["a", "b"] as const) {
            expect(taken[subject]).toEqual(jobs.flatMap((job) => (job.subject === subject ? [job.id] : [])))
          }
        }
      }))

    test("leases jobs of the given subjects only, and waits for none of the others", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = (subject: string, runAt: number) =>
          Rows.aJob({ id: ids.next(1), lane: "subscriptions", subject, runAt })
        const [first, second, third, other] = [job("a", 3), job("b", 2), job("a", 1), job("c", 0)]
        const later = job("a", 500)
        yield* enqueue(one, [first, second, third, other, later])
        const request = (more: Partial<ClaimJobs["lanes"][number]>) => [lane("subscriptions", more)]
        const limited = yield* claim(one, 100, "me", request({ only: ["a", "b"], perSubject: 1 }))
        expect(limited.jobs.map(({ id }) => id)).toEqual([third.id, second.id])
        const rest = yield* claim(one, 100, "me", request({ only: ["a", "d"] }))
        expect(rest).toMatchObject({ jobs: [{ id: first.id }], nextDueAt: 500 })
        expect(yield* claim(one, 100, "me", request({ only: ["b"] }))).toMatchObject({ jobs: [], nextDueAt: 500 })
        yield* Effect.forEach([...limited.jobs, ...rest.jobs], (held) => finish(one, held))
        const { jobs: left } = yield* claim(one, 500, "me", request({ only: ["a", "c"], limit: 1 }))
        expect(left.map(({ id }) => id)).toEqual([other.id])
        const { jobs: last } = yield* claim(one, 500, "me", request({}))
        expect(last.map(({ id }) => id)).toEqual([later.id])
        yield* Effect.forEach([...left, ...last], (held) => finish(one, held))
      }))

    test("finds every due job that is not below the bound of due times", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = (runAt: number) => Rows.aJob({ id: ids.next(1), lane: "receipts", runAt, subject: `${runAt}` })
        const [below, at, above] = [job(99), job(100), job(101)]
        yield* enqueue(one, [below, at, above])
        const request = lane("receipts", { dueFrom: 100 })
        const { jobs } = yield* claim(one, 500, "me", [request])
        expect(jobs.map(({ id }) => id)).toEqual(expect.arrayContaining([at.id, above.id]))
        const again = yield* claim(one, 500, "me", [request])
        expect(again.nextDueAt).toBe(1_500)
        const { jobs: rest } = yield* claim(one, 500, "me", [lane("receipts")])
        expect([...jobs, ...rest, ...again.jobs].map(({ id }) => id).sort()).toEqual([below.id, at.id, above.id].sort())
        yield* Effect.forEach([...jobs, ...rest, ...again.jobs], (held) => finish(one, held))
      }))

    test("finds every due job of a subject that is not below the bound of the subject", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = (subject: string, runAt: number) => Rows.aJob({ id: ids.next(1), lane: "fetches", runAt, subject })
        const found = [job("behind", 50), job("behind", 60), job("other", 100), job("behind", 150)]
        const excluded = job("excluded", 100)
        yield* enqueue(one, [...found, excluded])
        const request = lane("fetches", {
          dueFrom: 90,
          except: ["excluded"],
          behind: [{ subject: "behind", dueFrom: 40 }]
        })
        const { jobs } = yield* claim(one, 500, "me", [request])
        expect(jobs.map(({ id }) => id)).toEqual(found.map(({ id }) => id))
        const { jobs: rest } = yield* claim(one, 500, "me", [lane("fetches")])
        expect(rest.map(({ id }) => id)).toEqual([excluded.id])
        yield* Effect.forEach([...jobs, ...rest], (held) => finish(one, held))
      }))

    test("leaves no due job below the due time to which it cleared a lane", ({ one }, ids) =>
      Effect.gen(function* () {
        const property = fc.asyncProperty(
          fc.array(fc.record({ subject: fc.constantFrom("a", "b", "c", "d"), runAt: fc.nat(60) }), { maxLength: 40 }),
          fc.integer({ min: 1, max: 4 }),
          fc.integer({ min: 1, max: 4 }),
          fc.subarray(["a", "b"]),
          fc.subarray(["c", "d"]),
          fc.nat(30),
          (given, limit, perSubject, except, behind, dueFrom) =>
            Effect.gen(function* () {
              const jobs = given.map((more) => Rows.aJob({ id: ids.next(1), lane: "runs", ...more }))
              yield* enqueue(one, jobs)
              const request = lane("runs", {
                limit,
                perSubject,
                except,
                dueFrom,
                behind: behind.map((subject) => ({ subject, dueFrom: 5 }))
              })
              const found = yield* claim(one, 50, "me", [request])
              const cleared = found.clearedTo?.get("runs") ?? 0
              expect(cleared).toBeLessThanOrEqual(50)
              const claimed = new Set(found.jobs.map(({ id }) => id))
              const left = jobs.filter(({ id, runAt, subject }) => {
                const isOfLane = ![...except, ...behind].includes(subject)
                return isOfLane && !claimed.has(id) && runAt >= dueFrom && runAt < cleared
              })
              expect(left).toEqual([])
              if (found.jobs.length === 0 && found.clearedTo !== undefined) expect(cleared).toBe(50)
              const rest = yield* claim(one, 50, "me", [lane("runs")])
              const later = yield* claim(one, 60, "me", [lane("runs")])
              yield* Effect.forEach([...found.jobs, ...rest.jobs, ...later.jobs], (held) => finish(one, held), {
                concurrency: "unbounded"
              })
              expect(found.jobs.length + rest.jobs.length + later.jobs.length).toBe(jobs.length)
            }).pipe(Effect.runPromise)
        )
        yield* Effect.promise(() => fc.assert(property, { numRuns: 50 }))
      }))

    test("keeps the failures of a job until it is settled without one", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = Rows.aJob({ id: ids.next(1), lane: "calls", runAt: 0 })
        const failure = { lane: "calls", count: 3, since: 5, error: "TypeError: \u201cx\u201d" } as const
        const again = (given: object) => ({ runAt: 0, lane: "calls" as const, payload: null, ...given })
        const settle = (epoch: number, given: object) =>
          one.commit(changes(job.workspaceId, { settle: { jobId: job.id, epoch, again: again(given) } }))
        yield* enqueue(one, [job])
        const [first] = (yield* claim(one, 0, "me", [lane("calls")])).jobs
        expect(first?.failure).toBeNull()
        yield* settle(first?.epoch ?? 0, { failure })
        const [second] = (yield* claim(one, 0, "me", [lane("calls")])).jobs
        expect(second?.failure).toEqual(failure)
        yield* settle(second?.epoch ?? 0, {})
        const [third] = (yield* claim(one, 0, "me", [lane("calls")])).jobs
        expect(third?.failure).toBeNull()
        if (third !== undefined) yield* finish(one, third)
      }))

    test("leases a job again when its lease ends, and fences the former worker", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const job = Rows.aJob({ id: ids.next(1), lane: "deliveries", runAt: 0, epoch: 7 })
        yield* enqueue(one, [job])
        const [lost] = (yield* claim(one, 0, "one", [lane("deliveries")])).jobs
        expect((yield* claim(other, 999, "other", [lane("deliveries")])).jobs).toEqual([])
        const [held] = (yield* claim(other, 1_000, "other", [lane("deliveries")])).jobs
        expect([lost?.epoch, held?.epoch, held?.attempts]).toEqual([8, 9, 2])
        const leases = [lost, held].map((lease) => ({ jobId: job.id, epoch: lease?.epoch ?? 0 }))
        expect(yield* one.renewLeases(leases, 5_000)).toEqual([leases[0]])
        expect(yield* finish(one, lost as Job)).toEqual(CommitOutcome.Fenced())
        expect((yield* claim(one, 4_999, "one", [lane("deliveries")])).jobs).toEqual([])
        expect(yield* finish(other, held as Job)).toEqual(CommitOutcome.Committed({ bumped: [] }))
        expect(yield* finish(other, held as Job)).toEqual(CommitOutcome.Fenced())
        expect(yield* one.renewLeases(leases, 5_000)).toEqual(leases)
      }))

    test("releases jobs that were not started, and postpones jobs to repeat", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = Rows.aJob({ id: ids.next(1), lane: "sends", runAt: 0, subject: "again" })
        yield* enqueue(one, [job])
        const [first] = (yield* claim(one, 0, "me", [lane("sends")])).jobs
        yield* one.releaseLeases([{ jobId: job.id, epoch: first?.epoch ?? 0 }])
        expect(yield* finish(one, first as Job)).toEqual(CommitOutcome.Fenced())
        const [second] = (yield* claim(one, 0, "me", [lane("sends")])).jobs
        expect([first?.attempts, second?.attempts]).toEqual([0, 0])
        const postpone = changes(job.workspaceId, {
          settle: {
            jobId: job.id,
            epoch: second?.epoch ?? 0,
            again: { runAt: 300, lane: "housekeeping", payload: { tries: 1 } }
          }
        })
        expect((yield* one.commit(postpone))._tag).toBe("Committed")
        expect((yield* one.commit(postpone))._tag).toBe("Fenced")
        const { jobs } = yield* one.read({ jobs: lookup("jobs", { id: job.id }) })
        expect(jobs).toMatchObject([
          { runAt: 300, lane: "housekeeping", payload: { tries: 1 }, leaseUntil: 0, leaseOwner: null, attempts: 0 }
        ])
        const [third] = (yield* claim(one, 300, "me", [lane("housekeeping")])).jobs
        expect(third?.attempts).toBe(1)
        yield* one.releaseLeases([{ jobId: job.id, epoch: third?.epoch ?? 0 }])
        expect((yield* one.read({ jobs: lookup("jobs", { id: job.id }) })).jobs).toMatchObject([{ attempts: 0 }])
      }))

    test("moves a job to the subject of its next lane", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = Rows.aJob({ id: ids.next(1), lane: "downloads", runAt: 0, subject: "application" })
        yield* enqueue(one, [job])
        const [first] = (yield* claim(one, 0, "me", [lane("downloads")])).jobs
        const again = { runAt: 0, lane: "calls", subject: "connection", payload: null } as const
        yield* one.commit(changes(job.workspaceId, { settle: { jobId: job.id, epoch: first?.epoch ?? 0, again } }))
        const [second] = (yield* claim(one, 0, "me", [lane("calls")])).jobs
        expect(second).toMatchObject({ id: job.id, subject: "connection" })
        if (second !== undefined) yield* finish(one, second)
      }))

    test("counts an attempt at a send once it begins, with its lease, and none at a parked job", ({
      one,
      other
    }, ids) =>
      Effect.gen(function* () {
        const job = Rows.aJob({ id: ids.next(1), lane: "sends", runAt: 0, subject: "begins" })
        const parked = Rows.aJob({ id: ids.next(1), lane: "parked", runAt: 0, subject: "parked" })
        yield* enqueue(one, [job, parked])
        const [lost] = (yield* claim(one, 0, "one", [lane("sends")])).jobs
        const attempt = (claimed: Job | undefined, number: number) => ({
          jobId: job.id,
          epoch: claimed?.epoch ?? 0,
          owner: claimed?.leaseOwner ?? "",
          attempt: number
        })
        expect(yield* one.beginAttempt(attempt(lost, 1))).toBe(true)
        // A repeated call, such as after a lost reply, counts nothing.
        expect(yield* one.beginAttempt(attempt(lost, 1))).toBe(true)
        expect(yield* one.beginAttempt({ ...attempt(lost, 1), owner: "another" })).toBe(false)
        const [held] = (yield* claim(other, 60_000, "other", [lane("sends")])).jobs
        expect(held?.attempts).toBe(1)
        expect(
          yield* Effect.all([one.beginAttempt(attempt(lost, 2)), other.beginAttempt(attempt(held, 2))], {
            concurrency: "unbounded"
          })
        ).toEqual([false, true])
        const [last] = (yield* claim(one, 120_000, "one", [lane("sends")])).jobs
        expect(last?.attempts).toBe(2)
        expect((yield* claim(one, 0, "one", [lane("parked")])).jobs).toMatchObject([{ id: parked.id, attempts: 0 }])
      }))

    test("postpones only the jobs that wait for their subject's virtual time", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = (more: Partial<Job>) =>
          Rows.aJob({ id: ids.next(1), lane: "calls", subject: "line", runAt: 100, payload: { turn: 500 }, ...more })
        const waiting = [
          job({}),
          job({ runAt: 200, payload: { turn: 90 } }),
          job({ runAt: 450, payload: { turn: 90 } }),
          job({ payload: { turn: null } }),
          job({ payload: null }),
          job({ leaseUntil: 150, leaseOwner: "me" }),
          job({ subject: "other" }),
          job({ lane: "runs" }),
          job({ runAt: 999 }),
          job({ runAt: 1_000 })
        ]
        yield* enqueue(one, waiting)
        const postponed = { lane: "calls", subject: "line", field: "turn", behind: 550, notBefore: 700 } as const
        const after = stored(one, waiting)
        yield* one.postponeJobs({ ...postponed, dueBefore: 1_000, limit: 1 })
        expect((yield* after).map(({ runAt }) => runAt)).toEqual([1_050, 200, 450, 100, 100, 100, 100, 100, 999, 1_000])
        yield* one.postponeJobs({ ...postponed, dueBefore: 1_000, limit: 10 })
        const moved = yield* after
        expect(moved.map(({ runAt }) => runAt)).toEqual([1_050, 700, 700, 100, 100, 100, 100, 100, 1_050, 1_000])
        expect(moved.map((job, n) => ({ ...job, runAt: waiting[n]?.runAt }))).toEqual(waiting)
        yield* one.postponeJobs({ ...postponed, behind: 0, notBefore: 0, dueBefore: 2_000, limit: 10 })
        expect(yield* after).toEqual(moved)
      }))

    test("postpones only the untried jobs of a subject that wait for no virtual time", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = (more: Partial<Job>) =>
          Rows.aJob({
            ...{ id: ids.next(1), lane: "calls", subject: "paused", runAt: 100, attempts: 0, payload: { turn: null } },
            ...more
          })
        const waiting = [
          job({}),
          job({ runAt: 200, payload: {} }),
          job({ runAt: 300, payload: null }),
          job({ payload: { turn: 500 } }),
          job({ attempts: 1 }),
          job({ leaseUntil: 150, leaseOwner: "me" }),
          job({ subject: "other" }),
          job({ lane: "runs" }),
          job({ runAt: 999 }),
          job({ runAt: 1_000 })
        ]
        yield* enqueue(one, waiting)
        const postponed = { lane: "calls", subject: "paused", field: "turn", behind: null, dueBefore: 1_000 } as const
        const after = stored(one, waiting)
        yield* one.postponeJobs({ ...postponed, notBefore: 700, limit: 2 })
        expect((yield* after).map(({ runAt }) => runAt)).toEqual([700, 700, 300, 100, 100, 100, 100, 100, 999, 1_000])
        yield* one.postponeJobs({ ...postponed, notBefore: 700, limit: 10 })
        const moved = yield* after
        expect(moved.map(({ runAt }) => runAt)).toEqual([700, 700, 700, 100, 100, 100, 100, 100, 999, 1_000])
        expect(moved.map((job, n) => ({ ...job, runAt: waiting[n]?.runAt }))).toEqual(waiting)
      }))

    test("processes ten thousand jobs once each, with a worker on each host", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const jobs = Array.from({ length: 10_000 }, (_, n) =>
          Rows.aJob({ id: ids.next(n), workspaceId, lane: "sends", subject: `${n % 7}`, runAt: n % 100 })
        )
        for (let from = 0; from < jobs.length; from += 500) yield* enqueue(one, jobs.slice(from, from + 500))
        const done: Array<string> = []
        const work = (host: Storage, owner: string): Effect.Effect<void, unknown> =>
          Effect.gen(function* () {
            const { jobs } = yield* claim(host, 1_000, owner, [lane("sends", { limit: 250 })])
            const outcomes = yield* Effect.forEach(jobs, (job) => finish(host, job), { concurrency: "unbounded" })
            jobs.forEach((job, n) => {
              if (outcomes[n]?._tag === "Committed" && job.workspaceId === workspaceId) done.push(job.id)
            })
            if (jobs.length > 0) yield* work(host, owner)
          })
        // Twice: a worker that finds nothing may have skipped jobs that the other was about to lease and then released.
        yield* Effect.all([work(one, "one"), work(other, "other")], { concurrency: 2 })
        yield* work(one, "one")
        expect(done).toHaveLength(10_000)
        expect(new Set(done).size).toBe(10_000)
      }))

    test("counts due, leased and waiting jobs of every lane", ({ one }, ids) =>
      Effect.gen(function* () {
        const now = 1_000
        const depthOf = (name: Lane) =>
          Effect.map(one.queueDepths(now, 500), (depths) => {
            expect(depths.map((depth) => depth.lane)).toEqual(lanes)
            return depths.find((depth) => depth.lane === name)
          })
        const before = yield* depthOf("deliveries")
        expect(before).toEqual({ lane: "deliveries", due: 0, leased: 0, waiting: 0, oldestDueAt: null })
        const job = (more: Partial<Job>) => Rows.aJob({ id: ids.next(1), lane: "deliveries", ...more })
        yield* enqueue(one, [
          job({ runAt: 700 }),
          job({ runAt: now }),
          job({ runAt: 10, leaseUntil: 600, leaseOwner: "gone" }),
          job({ runAt: 10, leaseUntil: 1_500, leaseOwner: "me" }),
          job({ runAt: now + 1 }),
          job({ runAt: 90_000 })
        ])
        // The job of the crashed worker has been claimable since the end of its lease.
        expect(yield* depthOf("deliveries")).toEqual({ ...before, due: 3, leased: 1, waiting: 2, oldestDueAt: 600 })
        expect(yield* one.queueDepths(500, 500)).toContainEqual({
          lane: "deliveries",
          due: 0,
          leased: 1,
          waiting: 5,
          oldestDueAt: null
        })
      }))

    test("counts a long lane up to the limit only", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = () => Rows.aJob({ id: ids.next(1), lane: "housekeeping", runAt: 50 })
        for (let n = 0; n < maxCounted + 2_000; n += 2_000) yield* enqueue(one, Array.from({ length: 2_000 }, job))
        const depths = yield* one.queueDepths(500, 500)
        expect(depths.find((depth) => depth.lane === "housekeeping")).toMatchObject({
          due: maxCounted,
          oldestDueAt: 50
        })
      }))

    test("counts the work of the applications with the most, and of all others together", ({ one }, ids) =>
      Effect.gen(function* () {
        const now = 1_000_000
        const workspaceId = ids.next(1)
        const [first, second, third] = [ids.next(1), ids.next(1), ids.next(1)]
        // Other tests of the contract leave jobs without an application on the same database.
        const sizes = [400, 300, 200]
        const message = (applicationId: string | null, status: "failed" | "queued") =>
          Rows.aMessage({ id: ids.next(1), workspaceId, applicationId, direction: "outbound", status })
        const queued = Array.from({ length: sizes[0] as number }, () => message(first, "queued"))
        const failed = Array.from({ length: 2 }, () => message(second, "failed"))
        const sends = queued.map(({ id }, n) =>
          Rows.aJob({ id, workspaceId, lane: "sends", runAt: 1, createdAt: 7 + n, leaseUntil: n === 0 ? now + 1 : 0 })
        )
        const deliveries = (applicationId: string, count: number, lane: Lane) =>
          Array.from({ length: count }, () =>
            Rows.aJob({
              id: ids.next(1),
              workspaceId,
              lane,
              runAt: 1,
              payload: { applicationId, eventId: ids.next(1) }
            })
          )
        const withFiles = message(third, "queued")
        const download = Rows.aJob({
          ...{ id: withFiles.id, workspaceId, lane: "downloads", runAt: 1, createdAt: 5, leaseUntil: now + 1 }
        })
        const parkedMessage = message(third, "queued")
        const parked = Rows.aJob({ id: parkedMessage.id, workspaceId, lane: "parked", runAt: 1 })
        const endpoint = (status: Endpoint["status"], consecutiveFailures: number) =>
          Rows.anEndpoint({ id: ids.next(1), workspaceId, applicationId: first, status, consecutiveFailures })
        const endpoints = [
          endpoint("disabled", 0),
          endpoint("active", failuresThatDisable),
          endpoint("deleted", failuresThatDisable)
        ]
        const jobs = [
          ...sends,
          ...deliveries(second, 250, "deliveries"),
          ...deliveries(second, 50, "retries"),
          ...deliveries(third, 199, "retries"),
          // The recurring job of a subscription, which is no delivery.
          Rows.aJob({
            ...{ id: ids.next(1), workspaceId, lane: "subscriptions", runAt: 1 },
            payload: { task: "presence", applicationId: third, eventId: ids.next(1) }
          }),
          download,
          parked
        ]
        yield* one.commit(
          changes(workspaceId, {
            inserts: [
              ...endpoints.map((endpoint) => row("endpoints", endpoint)),
              ...[...queued, ...failed, withFiles, parkedMessage].map((each) => row("messages", each)),
              ...jobs.map((job) => row("jobs", job))
            ]
          })
        )
        const none = { queued: 0, sending: 0, deliveries: 0, parked: 0, failed: 0, disabledEndpoints: 0 }
        const work = [
          { ...none, applicationId: first, queued: 399, sending: 1, disabledEndpoints: 2, oldestQueuedAt: 7 },
          { ...none, applicationId: second, deliveries: 300, failed: 2, oldestQueuedAt: null },
          { ...none, applicationId: third, queued: 1, deliveries: 199, parked: 1, oldestQueuedAt: 5 }
        ]
        const ofTest = ({ applicationId }: { readonly applicationId: string | null }) =>
          [first, second, third].some((id) => id === applicationId)
        const all = yield* one.workByApplication(now, 1_000)
        expect(all.applications.filter(ofTest)).toEqual(work)
        expect(all.rest).toBeNull()
        const { applications, rest } = yield* one.workByApplication(now, 1)
        expect(applications).toEqual(all.applications.slice(0, 1))
        const sumOf = (name: keyof typeof none) =>
          all.applications.slice(1).reduce((sum, { [name]: value }) => sum + value, 0)
        expect(rest).toMatchObject({
          applications: all.applications.length - 1,
          queued: sumOf("queued"),
          deliveries: sumOf("deliveries"),
          failed: sumOf("failed")
        })
      }))

    test("lists work without an application after an application with as much", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const applicationId = ids.next(1)
        const jobOf = (payload: Job["payload"]) =>
          row("jobs", Rows.aJob({ id: ids.next(1), workspaceId, lane: "deliveries", runAt: 1, payload }))
        yield* one.commit(changes(workspaceId, { inserts: [jobOf(null)] }))
        // Other tests of the contract leave jobs without an application on the same database.
        const { applications } = yield* one.workByApplication(1, 1_000)
        const without = applications.find((work) => work.applicationId === null)
        const { deliveries = 0, failed = 0, parked = 0, queued = 0, sending = 0 } = without ?? {}
        const jobs = Array.from({ length: queued + sending + deliveries + parked }, () => jobOf({ applicationId }))
        const messages = Array.from({ length: failed }, () =>
          row("messages", Rows.aMessage({ id: ids.next(1), workspaceId, applicationId, status: "failed" }))
        )
        yield* one.commit(changes(workspaceId, { inserts: [...jobs, ...messages] }))
        const order = (yield* one.workByApplication(1, 1_000)).applications.map((work) => work.applicationId)
        expect(order.filter((id) => id === applicationId || id === null)).toEqual([applicationId, null])
      }))

    test("hints at new due jobs, once for a batch", ({ one, wakeup }, ids) =>
      Effect.gen(function* () {
        const hints = yield* wakeup.hints
        const job = (more: Partial<Job>) => Rows.aJob({ id: ids.next(1), lane: "receipts", ...more })
        yield* enqueue(one, [job({ runAt: 10 ** 14 }), job({ runAt: 0, leaseUntil: 10 ** 14, leaseOwner: "me" })])
        expect(yield* Queue.size(hints)).toBe(0)
        yield* enqueue(one, [job({ runAt: 0 }), job({ runAt: 0 }), job({ runAt: 0, lane: "sends" })])
        expect(yield* Queue.takeAll(hints)).toHaveLength(1)
      }))

    test("hints at due jobs that a commit ensures or settles, and at none of a commit that lost", ({
      one,
      wakeup
    }, ids) =>
      Effect.gen(function* () {
        const hints = yield* wakeup.hints
        const job = Rows.aJob({ id: ids.next(1), lane: "fetches", runAt: 0 })
        const lost = yield* one.commit(
          changes(job.workspaceId, {
            expects: [expects("workspaces", { id: ids.next(1) })],
            ensures: [row("jobs", { ...job, lane: "calls" })]
          })
        )
        expect([lost._tag, yield* Queue.size(hints)]).toEqual(["Conflict", 0])
        yield* one.commit(changes(job.workspaceId, { ensures: [row("jobs", job)] }))
        expect([...(yield* Queue.takeAll(hints))]).toEqual([new Set(["fetches"])])
        const [held] = (yield* claim(one, 0, "me", [lane("fetches")])).jobs
        const settle = {
          jobId: job.id,
          epoch: held?.epoch ?? 0,
          again: { runAt: 0, lane: "runs", payload: null }
        } as const
        yield* one.commit(changes(job.workspaceId, { settle }))
        expect([...(yield* Queue.takeAll(hints))]).toEqual([new Set(["runs"])])
      }))
  })
