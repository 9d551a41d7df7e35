import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { freshPostgres } from "@parley/testkit"
import { Effect } from "effect"
import { createContact } from "./createContact.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { rowsOf } from "./rowsOf.js"
import { until } from "./until.js"

const watchedSeconds = 20

describe("an idle host", () => {
  it.scopedLive(
    "asks its database at most twice a second",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const database = new URL(yield* freshPostgres)
        const { demo } = yield* serveDemo(folder, { PARLEY_DATABASE_URL: database.href })
        // Asked on another database, so as not to be counted. A statement on its own is a transaction.
        const elsewhere = new URL(database)
        elsewhere.pathname = "postgres"
        const counted = `SELECT (xact_commit + xact_rollback)::int AS n FROM pg_stat_database WHERE datname = '${database.pathname.slice(1)}'`
        const transactions = async (): Promise<number> =>
          (await rowsOf(folder, { PARLEY_DATABASE_URL: elsewhere.href }, counted))[0].n

        const atFirst = yield* Effect.promise(transactions)
        yield* Effect.promise(() => createContact(demo, 1))
        yield* until("its work is counted", async () => ((await transactions()) > atFirst ? true : undefined))
        const before = yield* Effect.promise(transactions)
        yield* Effect.promise(() => setTimeout(watchedSeconds * 1_000))
        const after = yield* Effect.promise(transactions)
        expect(after - before).toBeLessThanOrEqual(2 * watchedSeconds)
        // It does look now and then: a count that stands still would be none.
        expect(after).toBeGreaterThan(before)
      }),
    300_000
  )
})
