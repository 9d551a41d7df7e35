import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Storage, Wakeup } from "@parley/core"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import Database from "better-sqlite3"
import { type Layer, Redacted } from "effect"
import Pg from "pg"

/** A database of one contender; serialisable, for other processes. */
export type Store =
  | { readonly kind: "postgres"; readonly url: string }
  | { readonly kind: "sqlite"; readonly file: string }

/** Creates the databases of a run. */
export interface Stores {
  readonly postgres: () => Promise<Store & { readonly kind: "postgres" }>
  readonly sqlite: () => Store & { readonly kind: "sqlite" }
  /** The folder of the files, to delete at the end. */
  readonly folder: string
}

/** Creates empty databases: on this server, and in a temporary folder. */
export const makeStores = (serverUrl: string): Stores => {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"))
  let made = 0
  return {
    folder,
    postgres: async () => {
      const name = `bench_${++made}`
      await query(serverUrl, `CREATE DATABASE ${name}`)
      const url = new URL(serverUrl)
      url.pathname = name
      return { kind: "postgres", url: url.href }
    },
    sqlite: () => ({ kind: "sqlite", file: join(folder, `bench-${++made}.db`) })
  }
}

/** Runs a statement on its own connection. */
export const query = async (url: string, statement: string): Promise<ReadonlyArray<any>> => {
  const client = new Pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Queries a database on its own connection. */
export const rowsOf = async (store: Store, statement: string): Promise<ReadonlyArray<any>> => {
  if (store.kind === "postgres") return query(store.url, statement)
  const database = new Database(store.file, { readonly: true })
  try {
    return database.prepare(statement).all()
  } finally {
    database.close()
  }
}

/** Parley's storage on the migrated database. */
export const storageOf = (store: Store): Layer.Layer<Storage | Wakeup, unknown> =>
  store.kind === "postgres" ? Postgres.layer({ url: Redacted.make(store.url) }) : Sqlite.layer({ file: store.file })
