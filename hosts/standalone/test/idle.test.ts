import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { adminQuery } from "@parley/testkit/databases"
import { startPostgres } from "@parley/testkit/postgres"
import { Effect } from "effect"
import { createContact } from "./createContact.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { rowsOf } from "./rowsOf.js"
import { until } from "./until.js"

const watchedSeconds = 20

/**
 * A session of Postgres that has nothing more to do reports its transactions at most so late (PGSTAT_IDLE_INTERVAL).
 */
const reportedLateMs = 10_000

const dueJobs = "SELECT count(*)::int AS n FROM jobs WHERE due_at <= extract(epoch FROM now()) * 1000"

describe("an idle host", () => {
  it.scopedLive(
    "asks its database at most twice a second",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => startPostgres()),
          ({ stop }) => Effect.promise(stop)
        )
        // It goes through the catalogs of a new database, and its transactions are counted beside the host's.
        yield* adminQuery(server.url, "ALTER SYSTEM SET autovacuum = off")
        yield* adminQuery(server.url, "SELECT pg_reload_conf()")
        const database = new URL(server.url)
        const { demo } = yield* serveDemo(folder, { PARLEY_DATABASE_URL: database.href })
        // Asked on another database, so as not to be counted. A statement on its own is a transaction.
        const elsewhere = new URL(database)
        elsewhere.pathname = "template1"
        const counted = `SELECT (xact_commit + xact_rollback)::int AS n, extract(epoch FROM clock_timestamp())::float8 AS seconds
          FROM pg_stat_database WHERE datname = '${database.pathname.slice(1)}'`
        const transactions = async (): Promise<{ readonly n: number; readonly seconds: number }> =>
          (await rowsOf(folder, { PARLEY_DATABASE_URL: elsewhere.href }, counted))[0]

        yield* Effect.promise(() => createContact(demo, 1))
        // The work that the contact makes is not the idle host's: it is done, and counted, before the watch begins.
        yield* until("its work is done", async () =>
          (await rowsOf(folder, { PARLEY_DATABASE_URL: database.href }, dueJobs))[0].n === 0 ? true : undefined
        )
        yield* Effect.promise(() => setTimeout(reportedLateMs))
        const before = yield* Effect.promise(transactions)
        yield* Effect.promise(() => setTimeout(watchedSeconds * 1_000))
        const after = yield* Effect.promise(transactions)
        // By the clock of the database: a busy machine may end the pause late.
        expect((after.n - before.n) / (after.seconds - before.seconds)).toBeLessThanOrEqual(2)
        // An idle host polls: a count that stood still would show a failure of this test.
        expect(after.n).toBeGreaterThan(before.n)
      }),
    300_000
  )
})
