import { expect, it } from "@effect/vitest"
import { type ClaimJobs, changes, row, Storage } from "@parley/core"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { aJob, someWorkspaceId } from "@parley/testkit/rows"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { layer, migrate } from "../src/index.js"
import { foreignConnection } from "./foreignConnection.js"

const finished = 20_000
const subject = "01900000-0000-7000-8000-0000000000e1"

/** Jobs that were inserted, claimed and deleted, due one millisecond after the other until `finished`. */
const finishJobs = (url: string) =>
  Effect.forEach(
    [
      `INSERT INTO jobs (id, workspace_id, lane, subject, reference, run_at, lease_until, epoch, attempts, created_at)
       SELECT gen_random_uuid(), '${someWorkspaceId}', 'runs', '${subject}', n, n, 0, n, 0, n FROM generate_series(1, ${finished}) AS n`,
      "UPDATE jobs SET lease_until = run_at + 15000",
      "DELETE FROM jobs",
      // The planner now knows that the table is empty.
      "VACUUM ANALYZE jobs"
    ],
    (statement) => adminQuery(url, statement),
    { discard: true }
  )

/** A database with finished jobs, whose index entries an open snapshot keeps. */
const finishedJobs = Effect.gen(function* () {
  const url = yield* freshPostgres
  yield* migrate({ url: Redacted.make(url) })
  const dump = yield* foreignConnection(url)
  yield* Effect.promise(() => dump.query("BEGIN ISOLATION LEVEL REPEATABLE READ"))
  yield* Effect.promise(() => dump.query("SELECT count(*) FROM jobs"))
  yield* finishJobs(url)
  return url
})

/** Index entries of jobs that were read since the last reset. A connection reports them when it ends. */
const entriesRead = (url: string) =>
  Effect.map(
    adminQuery(url, "SELECT sum(idx_tup_read)::int AS n FROM pg_stat_user_indexes WHERE relname = 'jobs'"),
    ([row]) => (row as { readonly n: number }).n
  )

/** Index entries that these operations read. */
const entriesReadBy = (url: string, operations: (storage: Storage) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    yield* adminQuery(url, "SELECT pg_stat_reset()")
    const storage = Layer.build(layer({ url: Redacted.make(url), migrate: false }))
    yield* Effect.scoped(Effect.flatMap(storage, (context) => operations(Context.get(context, Storage))))
    yield* Effect.repeat(openConnections(url), { until: (n) => n === 0, schedule: Schedule.spaced("10 millis") })
    return yield* entriesRead(url)
  })
const openConnections = (url: string) =>
  Effect.map(
    adminQuery(
      url,
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NULL`
    ),
    ([row]) => (row as { readonly n: number }).n
  )

const claim = (storage: Storage, more: Partial<ClaimJobs["lanes"][number]>) =>
  storage.claimJobs({
    now: finished,
    owner: "me",
    leaseMs: 15_000,
    nextDueUntil: finished + 100,
    lanes: [{ lane: "runs", limit: 64, perSubject: 64, except: [], ...more }]
  })

it.live(
  "the age of the oldest transaction is known while it is open",
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      yield* migrate({ url: Redacted.make(url) })
      const { check } = Context.get(yield* Layer.build(layer({ url: Redacted.make(url), migrate: false })), Storage)
      const dump = yield* foreignConnection(url)
      yield* Effect.promise(() => dump.query("BEGIN ISOLATION LEVEL REPEATABLE READ"))
      yield* Effect.promise(() => dump.query("SELECT count(*), pg_sleep(0.2) FROM jobs"))
      expect((yield* check).oldestTransactionMs).toBeGreaterThanOrEqual(200)
      yield* Effect.promise(() => dump.query("COMMIT"))
      expect((yield* check).oldestTransactionMs).toBeLessThan(200)
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "claims with bounds read few entries of finished jobs while a snapshot keeps them",
  () =>
    Effect.gen(function* () {
      const url = yield* finishedJobs
      const dueFrom = finished - 100
      const read = (more: Parameters<typeof claim>[1]) => entriesReadBy(url, (storage) => claim(storage, more))
      expect(yield* read({})).toBeGreaterThan(finished)
      expect(yield* read({ dueFrom })).toBeLessThan(1_000)
      expect(yield* read({ dueFrom, except: ["busy"] })).toBeLessThan(1_000)
      expect(yield* read({ dueFrom, behind: [{ subject, dueFrom }] })).toBeLessThan(1_000)
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "jobs are claimed, renewed and settled by few index entries after vacuum found the table empty",
  () =>
    Effect.gen(function* () {
      const url = yield* finishedJobs
      const jobs = Array.from({ length: 20 }, (_, n) =>
        aJob({ id: `01900000-0000-7000-8000-0000000000${n + 10}`, lane: "runs", runAt: finished })
      )
      const read = yield* entriesReadBy(url, (storage) =>
        Effect.gen(function* () {
          yield* storage.commit(changes(someWorkspaceId, { inserts: jobs.map((job) => row("jobs", job)) }))
          const { jobs: claimed } = yield* claim(storage, { dueFrom: finished - 100 })
          expect(claimed).toHaveLength(20)
          const leases = claimed.map(({ epoch, id }) => ({ jobId: id, epoch }))
          expect(yield* storage.renewLeases(leases, finished + 20_000)).toEqual([])
          for (const settle of leases) {
            yield* storage.commit(changes(someWorkspaceId, { settle: { ...settle, again: null } }))
          }
        })
      )
      expect(read).toBeLessThan(1_000)
    }).pipe(Effect.scoped),
  120_000
)
