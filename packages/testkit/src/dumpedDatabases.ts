import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Storage, Wakeup } from "@parley/core"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import { Effect, type Layer, Redacted, type Scope } from "effect"
import { inject } from "vitest"
import { adminQuery } from "./adminQuery.js"
import { postgresDatabase } from "./postgresDatabase.js"

/** A storage whose whole content a test can search: for text that must not be stored. */
export interface DumpedDatabase {
  readonly storage: Layer.Layer<Storage | Wakeup, unknown>
  /** All rows as text; on SQLite, the bytes of its files. */
  readonly dump: Effect.Effect<string>
}

const sqlite: Effect.Effect<DumpedDatabase, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "parley-dump-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => ({
    storage: Sqlite.layer({ file: join(folder, "parley.db") }),
    dump: Effect.sync(() =>
      readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), "latin1"))
        .join("")
    )
  })
)

const postgres: Effect.Effect<DumpedDatabase, never, Scope.Scope> = Effect.map(
  Effect.suspend(() => postgresDatabase(inject("postgresUrl"), inject("migratedPostgresUrl"))),
  (url) => ({
    storage: Postgres.layer({ url: Redacted.make(url), migrate: false }),
    dump: Effect.gen(function* () {
      const tables = yield* adminQuery(
        url,
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
      )
      const rows = yield* Effect.forEach(tables, ({ table_name }) =>
        adminQuery(url, `SELECT row_to_json(t)::text AS text FROM "${table_name}" AS t`)
      )
      return rows
        .flat()
        .map(({ text }) => text)
        .join("\n")
    })
  })
)

/** The storages that every suite runs on, with their content. */
export const dumpedDatabases = [
  ["sqlite", sqlite],
  ["postgres", postgres]
] as const
