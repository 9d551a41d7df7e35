import type { Storage, Wakeup } from "@parley/core"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { inject } from "vitest"
import { postgresDatabase } from "./postgresDatabase.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Of the server. */
    postgresUrl: string
    /** Of a database on it that has the schema, for copying. */
    migratedPostgresUrl: string
  }
}

/** An empty Postgres database of one's own while the scope lives: its URL. */
export const freshPostgres: Effect.Effect<string, never, Scope.Scope> = Effect.suspend(() =>
  postgresDatabase(inject("postgresUrl"))
)

/** The storage on a database of one's own that has the schema already: many times faster than to migrate one. */
const migratedPostgres = Effect.map(
  Effect.suspend(() => postgresDatabase(inject("postgresUrl"), inject("migratedPostgresUrl"))),
  (url) => Postgres.layer({ url: Redacted.make(url), migrate: false })
)

/** The storage on a Postgres database of its own. */
export const postgres = Layer.unwrapScoped(migratedPostgres)

/** The storage on SQLite in memory. */
export const sqlite = Sqlite.layer({ file: ":memory:" })

/** The storages that every suite runs on; each use has a database of its own. */
export const databases: ReadonlyArray<readonly [name: string, layer: Layer.Layer<Storage | Wakeup, unknown>]> = [
  ["sqlite", sqlite],
  ["postgres", postgres]
]

/** The storages of two hosts on one database; SQLite takes one host, so that both of its are the same. */
export const sharedDatabases: ReadonlyArray<
  readonly [
    name: string,
    open: Effect.Effect<ReadonlyArray<Layer.Layer<Storage | Wakeup, unknown>>, unknown, Scope.Scope>
  ]
> = [
  ["sqlite", Effect.map(Layer.build(sqlite), (opened) => [Layer.succeedContext(opened), Layer.succeedContext(opened)])],
  ["postgres", Effect.map(migratedPostgres, (open) => [Layer.fresh(open), Layer.fresh(open)])]
]
