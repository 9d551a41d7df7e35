import { randomUUID } from "node:crypto"
import type { Storage, Wakeup } from "@parley/core"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { inject } from "vitest"
import { adminQuery } from "./adminQuery.js"

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** A Postgres database of one's own while the scope lives: its URL. */
export const freshPostgres = Effect.gen(function* () {
  const url = inject("postgresUrl")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(adminQuery(url, `CREATE DATABASE ${name}`), () =>
    Effect.ignore(adminQuery(url, `DROP DATABASE ${name} WITH (FORCE)`))
  )
  const own = new URL(url)
  own.pathname = name
  return own.href
})

/** The storage on a Postgres database of its own. */
export const postgres = Layer.unwrapScoped(
  Effect.map(freshPostgres, (url) => Postgres.layer({ url: Redacted.make(url) }))
)

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
  [
    "postgres",
    Effect.map(freshPostgres, (url) => {
      const open = Postgres.layer({ url: Redacted.make(url) })
      return [Layer.fresh(open), Layer.fresh(open)]
    })
  ]
]
