import { expect, it } from "@effect/vitest"
import { Storage } from "@parley/core"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { someWorkspaceId } from "@parley/testkit/rows"
import { Context, Effect, Layer, Redacted } from "effect"
import type Pg from "pg"
import { claimJobs } from "../src/claimJobs.js"
import { layer, migrate } from "../src/index.js"
import { foreignConnection } from "./foreignConnection.js"
import { plannerSession } from "./plannerSession.js"

const finished = 20_000

/** Jobs that were inserted, claimed and deleted, due one millisecond after the other until `finished`. */
const finishJobs = (url: string) =>
  Effect.forEach(
    [
      `INSERT INTO jobs (id, workspace_id, lane, subject, reference, run_at, lease_until, epoch, attempts, created_at)
       SELECT gen_random_uuid(), '${someWorkspaceId}', 'runs', n % 10, n, n, 0, n, 0, n FROM generate_series(1, ${finished}) AS n`,
      "UPDATE jobs SET lease_until = run_at + 15000",
      "DELETE FROM jobs"
    ],
    (statement) => adminQuery(url, statement),
    { discard: true }
  )

/** Pages that a claim at the time `finished` reads, which claims nothing. */
const pagesRead = (client: Pg.Client, dueFrom: number) =>
  Effect.promise(async () => {
    const lanes = [{ lane: "runs", limit: 64, perSubject: 64, except: [], dueFrom }]
    const parameters = [finished, "me", finished + 1, JSON.stringify(lanes)]
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${claimJobs}`, parameters)
    const plan = rows[0]["QUERY PLAN"][0].Plan
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
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
  "a claim with a bound reads few pages while a snapshot keeps the entries of finished jobs",
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      yield* migrate({ url: Redacted.make(url) })
      const worker = yield* foreignConnection(plannerSession(url))
      const dump = yield* foreignConnection(url)
      yield* Effect.promise(() => dump.query("BEGIN ISOLATION LEVEL REPEATABLE READ"))
      yield* Effect.promise(() => dump.query("SELECT count(*) FROM jobs"))
      yield* finishJobs(url)
      yield* adminQuery(url, "VACUUM jobs")
      const without = yield* pagesRead(worker, 0)
      const bounded = yield* pagesRead(worker, finished - 100)
      expect(without).toBeGreaterThan(10 * bounded)
    }).pipe(Effect.scoped),
  120_000
)
