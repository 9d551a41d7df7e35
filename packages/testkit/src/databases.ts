import type { Storage, Wakeup } from "@parley/core"
import * as Postgres from "@parley/postgres"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { inject } from "vitest"
import { migratedSqlite } from "./migratedSqlite.js"
import { postgresDatabase } from "./postgresDatabase.js"

export * from "./adminQuery.js"
export * from "./dumpedDatabases.js"

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the server. */
    postgresUrl: string
    /** The URL of a migrated database on it, the template for copies. */
    migratedPostgresUrl: string
  }
}

/** Creates an empty Postgres database that exists as long as the scope. Returns its URL. */
export const freshPostgres: Effect.Effect<string, never, Scope.Scope> = Effect.suspend(() =>
  postgresDatabase(inject("postgresUrl"))
)

/** The storage on a copy of the migrated database: many times faster than migrating. */
const migratedPostgres = Effect.map(
  Effect.suspend(() => postgresDatabase(inject("postgresUrl"), inject("migratedPostgresUrl"))),
  (url) => Postgres.layer({ url: Redacted.make(url), migrate: false })
)

/** The storage on a new Postgres database. */
export const postgres = Layer.unwrapScoped(migratedPostgres)

/** The storage on SQLite in memory. */
export const sqlite = migratedSqlite

/** The storages that every suite runs on; each use has a new database. */
export const databases: ReadonlyArray<readonly [name: string, layer: Layer.Layer<Storage | Wakeup, unknown>]> = [
  ["sqlite", sqlite],
  ["postgres", postgres]
]

/** The storages of two hosts on one database. SQLite supports one host, so that both are the same. */
export const sharedDatabases: ReadonlyArray<
  readonly [
    name: string,
    open: Effect.Effect<ReadonlyArray<Layer.Layer<Storage | Wakeup, unknown>>, unknown, Scope.Scope>
  ]
> = [
  ["sqlite", Effect.map(Layer.build(sqlite), (opened) => [Layer.succeedContext(opened), Layer.succeedContext(opened)])],
  ["postgres", Effect.map(migratedPostgres, (open) => [Layer.fresh(open), Layer.fresh(open)])]
]
