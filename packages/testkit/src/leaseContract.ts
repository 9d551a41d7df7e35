import { type ClaimJobs, CommitOutcome, changes, type Job, lookup, row, type Settle, type Storage } from "@parley/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

/** A job has one holder, and only the last claim of a job may act on it. */
export const leaseContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("leases", database, options, (test) => {
    const lane = (name: Job["lane"], more: Partial<ClaimJobs["lanes"][number]> = {}) => ({
      lane: name,
      limit: 2_000,
      perSubject: 2_000,
      except: [],
      ...more
    })
    const enqueue = (host: Storage, jobs: ReadonlyArray<Job>) =>
      host.commit(changes(Rows.someWorkspaceId, { inserts: jobs.map((job) => row("jobs", job)) }))
    const claim = (host: Storage, now: number, owner: string, ...lanes: ClaimJobs["lanes"]) =>
      Effect.map(host.claimJobs({ now, owner, leaseMs: 1_000, lanes }), ({ jobs }) => jobs)
    const settle = (host: Storage, { epoch, id, workspaceId }: Job, again: Settle["again"] = null) =>
      host.commit(changes(workspaceId, { settle: { jobId: id, epoch, again } }))
    const leaseOf = ({ epoch, id }: Job) => ({ jobId: id, epoch })
    const begun = (job: Job, attempt: number) => ({ ...leaseOf(job), owner: job.leaseOwner ?? "", attempt })
    const attemptsOf = (host: Storage, { id }: Job) =>
      Effect.map(host.read({ jobs: lookup("jobs", { id }) }), ({ jobs }) => jobs.map(({ attempts }) => attempts))
    const onlyOne = (jobs: ReadonlyArray<Job>): Job => {
      expect(jobs).toHaveLength(1)
      return jobs[0] as Job
    }

    test("leases each job to one of many claims at once", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const jobs = Array.from({ length: 400 }, (_, n) =>
          Rows.aJob({ id: ids.next(1), lane: "calls", subject: `${n % 3}`, runAt: n % 5 })
        )
        yield* enqueue(one, jobs)
        const claims = Array.from({ length: 16 }, (_, n) =>
          claim(n % 2 === 0 ? one : other, 10, `${n}`, lane("calls", { limit: 50 }))
        )
        const claimed = (yield* Effect.all(claims, { concurrency: "unbounded" })).flat()
        // A claim may leave jobs that others had locked.
        const rest = yield* claim(one, 10, "rest", lane("calls"))
        expect([...claimed, ...rest].map(({ id }) => id).sort()).toEqual(jobs.map(({ id }) => id).sort())
        yield* Effect.forEach([...claimed, ...rest], (job) => settle(one, job), { concurrency: "unbounded" })
      }))

    test("settles a job or leases it again, never both", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const jobs = Array.from({ length: 200 }, (_, n) =>
          Rows.aJob({ id: ids.next(1), lane: "runs", subject: `${n % 3}`, runAt: 0 })
        )
        yield* enqueue(one, jobs)
        const held = yield* claim(one, 0, "one", lane("runs"))
        expect(held).toHaveLength(jobs.length)
        const settles = held.map((job) => Effect.map(settle(one, job), ({ _tag }) => ({ _tag, job })))
        const claims = Array.from({ length: 8 }, () => claim(other, 1_000, "other", lane("runs", { limit: 30 })))
        const [settled, again] = yield* Effect.all(
          [Effect.all(settles, { concurrency: "unbounded" }), Effect.all(claims, { concurrency: "unbounded" })],
          { concurrency: 2 }
        )
        const committed = settled.flatMap(({ _tag, job }) => (_tag === "Committed" ? [job] : []))
        expect(settled.filter(({ _tag }) => _tag === "Fenced")).toHaveLength(held.length - committed.length)
        const ended = [...committed, ...again.flat()].map(({ id }) => id)
        expect(ended.sort()).toEqual(jobs.map(({ id }) => id).sort())
        yield* Effect.forEach(again.flat(), (job) => settle(other, job), { concurrency: "unbounded" })
      }))

    test("brings no job back that is settled while it is renewed, released, begun or postponed", ({
      one,
      other
    }, ids) =>
      Effect.gen(function* () {
        const operations: ReadonlyArray<(jobs: ReadonlyArray<Job>) => ReadonlyArray<Effect.Effect<unknown, unknown>>> =
          [
            (jobs) => jobs.map((job) => other.renewLeases([leaseOf(job)], 5_000)),
            (jobs) => [other.renewLeases(jobs.map(leaseOf), 5_000)],
            (jobs) => [other.releaseLeases(jobs.map(leaseOf))],
            (jobs) => jobs.map((job) => other.beginAttempt(begun(job, 2))),
            (jobs) =>
              jobs.map(({ subject }) =>
                other.postponeJobs({
                  ...{
                    lane: "enqueued",
                    subject,
                    field: "turn",
                    behind: 0,
                    notBefore: 700,
                    dueBefore: 9_000,
                    limit: 100
                  }
                })
              )
          ]
        for (const operation of operations) {
          const jobs = Array.from({ length: 60 }, (_, n) =>
            Rows.aJob({ id: ids.next(1), lane: "enqueued", subject: `${n % 3}`, runAt: 0, payload: { turn: 600 } })
          )
          yield* enqueue(one, jobs)
          const held = yield* claim(one, 0, "me", lane("enqueued"))
          expect(held).toHaveLength(jobs.length)
          const settles = held.map((job) => settle(one, job))
          const [outcomes] = yield* Effect.all(
            [
              Effect.all(settles, { concurrency: "unbounded" }),
              Effect.all(operation(held), { concurrency: "unbounded" })
            ],
            { concurrency: 2 }
          )
          const left = yield* one.listJobs({ lane: "enqueued", workspaceId: null }, null, 100)
          const fenced = held.filter((_, n) => outcomes[n]?._tag === "Fenced")
          expect(left.map(({ id }) => id).sort()).toEqual(fenced.map(({ id }) => id).sort())
          yield* Effect.forEach(left, (job) => settle(one, job))
        }
      }))

    test("leaves a job as it is that is ensured again", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const job = Rows.aJob({ id: ids.next(1), lane: "housekeeping", runAt: 0, payload: { of: "first" } })
        const ensure = (host: Storage, more: Partial<Job>) =>
          host.commit(changes(job.workspaceId, { ensures: [row("jobs", { ...job, ...more })] }))
        yield* ensure(one, {})
        const held = onlyOne(yield* claim(one, 0, "me", lane("housekeeping")))
        yield* ensure(other, { payload: { of: "second" }, runAt: 7, epoch: 99 })
        const { jobs } = yield* one.read({ jobs: lookup("jobs", { id: job.id }) })
        expect(jobs).toEqual([held])
        expect((yield* settle(one, held))._tag).toBe("Committed")
      }))

    test("lets only the last claim act on a job, also if the owner is the same", ({ one, other }, ids) =>
      Effect.gen(function* () {
        yield* enqueue(one, [Rows.aJob({ id: ids.next(1), lane: "sends", runAt: 0 })])
        const lost = onlyOne(yield* claim(one, 0, "me", lane("sends")))
        const held = onlyOne(yield* claim(one, 1_000, "me", lane("sends")))
        const unchanged = Effect.map(other.read({ jobs: lookup("jobs", { id: held.id }) }), ({ jobs }) => jobs)
        expect(held.epoch).toBeGreaterThan(lost.epoch)
        expect(yield* one.beginAttempt(begun(lost, 1))).toBe(false)
        expect(yield* one.renewLeases([leaseOf(lost)], 9_000)).toEqual([leaseOf(lost)])
        yield* one.releaseLeases([leaseOf(lost)])
        const again = { runAt: 0, lane: "calls", payload: null } as const
        expect(yield* settle(one, lost, again)).toEqual(CommitOutcome.Fenced())
        // An epoch that was never given is no lease either.
        expect(yield* settle(one, { ...held, epoch: held.epoch + 1 })).toEqual(CommitOutcome.Fenced())
        expect(yield* one.beginAttempt(begun({ ...held, epoch: held.epoch + 1 }, 1))).toBe(false)
        expect(yield* unchanged).toEqual([held])
        expect(yield* one.beginAttempt(begun(held, 1))).toBe(true)
        expect((yield* settle(one, held))._tag).toBe("Committed")
        expect(yield* one.beginAttempt(begun(held, 1))).toBe(false)
        yield* one.releaseLeases([leaseOf(held)])
        expect(yield* unchanged).toEqual([])
      }))

    test("begins no attempt at a job that was released or waits again, and takes an attempt back", ({ one }, ids) =>
      Effect.gen(function* () {
        yield* enqueue(one, [Rows.aJob({ id: ids.next(1), lane: "sends", runAt: 0 })])
        const released = onlyOne(yield* claim(one, 0, "me", lane("sends")))
        yield* one.releaseLeases([leaseOf(released)])
        expect(yield* one.beginAttempt(begun(released, 1))).toBe(false)
        const held = onlyOne(yield* claim(one, 0, "me", lane("sends")))
        for (const attempt of [1, 2, 1]) expect(yield* one.beginAttempt(begun(held, attempt))).toBe(true)
        expect(yield* attemptsOf(one, held)).toEqual([1])
        yield* settle(one, held, { runAt: 5, lane: "sends", payload: null })
        expect(yield* one.beginAttempt(begun(held, 2))).toBe(false)
        const last = onlyOne(yield* claim(one, 5, "me", lane("sends")))
        expect(last.attempts).toBe(1)
        yield* settle(one, last)
      }))

    test("keeps the attempts of a job that is settled to wait", ({ one }, ids) =>
      Effect.gen(function* () {
        yield* enqueue(one, [
          Rows.aJob({ id: ids.next(1), lane: "fetches", runAt: 0, createdAt: 3, reference: "what" })
        ])
        for (const attempts of [1, 2, 3]) {
          const held = onlyOne(yield* claim(one, attempts, "me", lane("fetches")))
          expect(held).toMatchObject({ attempts, createdAt: 3, reference: "what" })
          yield* settle(one, held, { runAt: attempts + 1, lane: "fetches", payload: null })
          expect(yield* attemptsOf(one, held)).toEqual([attempts])
        }
        yield* settle(one, onlyOne(yield* claim(one, 9, "me", lane("fetches"))))
      }))

    test("renews and releases a thousand leases in one call", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const jobs = Array.from({ length: 1_000 }, (_, n) =>
          Rows.aJob({ id: ids.next(1), lane: "deliveries", subject: `${n % 10}`, runAt: 0 })
        )
        yield* enqueue(one, jobs)
        const held = yield* claim(one, 0, "me", lane("deliveries"))
        expect(held).toHaveLength(1_000)
        expect(yield* one.renewLeases(held.map(leaseOf), 9_000)).toEqual([])
        expect(yield* claim(other, 8_999, "other", lane("deliveries"))).toEqual([])
        yield* one.releaseLeases(held.map(leaseOf))
        const again = yield* claim(other, 0, "other", lane("deliveries"))
        expect(again).toHaveLength(1_000)
        expect(yield* one.renewLeases(held.map(leaseOf), 9_000)).toHaveLength(1_000)
        yield* Effect.forEach(again, (job) => settle(other, job), { concurrency: "unbounded" })
      }))

    test("excludes every one of several subjects, and gives the earliest due time of several lanes", ({ one }, ids) =>
      Effect.gen(function* () {
        const job = (name: Job["lane"], subject: string, runAt: number) =>
          Rows.aJob({ id: ids.next(1), lane: name, subject, runAt })
        const jobs = [job("retries", "a", 0), job("retries", "b", 0), job("retries", "c", 0)]
        yield* enqueue(one, jobs)
        const claimed = yield* claim(one, 0, "me", lane("retries", { except: ["a", "b"] }))
        expect(claimed.map(({ subject }) => subject)).toEqual(["c"])
        const rest = yield* claim(one, 0, "me", lane("retries", { except: [] }))
        expect(rest.map(({ subject }) => subject).sort()).toEqual(["a", "b"])
        yield* Effect.forEach([...claimed, ...rest], (held) => settle(one, held))
        const later = [job("retries", "a", 700), job("downloads", "a", 600), job("enqueued", "a", 650)]
        yield* enqueue(one, later)
        const request = { now: 500, owner: "me", leaseMs: 1_000 }
        const lanes = [lane("retries"), lane("downloads"), lane("enqueued")]
        expect(yield* one.claimJobs({ ...request, lanes })).toMatchObject({ jobs: [], nextDueAt: 600 })
        expect(yield* one.claimJobs({ ...request, lanes: [...lanes].reverse() })).toMatchObject({ nextDueAt: 600 })
        const bounded = { ...request, lanes, nextDueUntil: 599 }
        expect(yield* one.claimJobs(bounded)).toMatchObject({ jobs: [], nextDueAt: null })
        yield* Effect.forEach(yield* claim(one, 700, "me", ...lanes), (held) => settle(one, held))
      }))
  })
