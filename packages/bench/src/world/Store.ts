import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Storage, Wakeup } from "@parley/core"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import Database from "better-sqlite3"
import { type Layer, Redacted } from "effect"
import Pg from "pg"

/** A database for one contender, named so that it can be handed to another process. */
export type Store =
  | { readonly kind: "postgres"; readonly url: string }
  | { readonly kind: "sqlite"; readonly file: string }

/** Where the databases of a run are made. */
export interface Stores {
  readonly postgres: () => Promise<Store & { readonly kind: "postgres" }>
  readonly sqlite: () => Store & { readonly kind: "sqlite" }
  /** The folder that the files are in, for whoever cleans up. */
  readonly folder: string
}

/** Makes empty databases: on this server, and in a temporary folder. */
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

/** Runs a statement on a connection of its own. */
export const query = async (url: string, statement: string): Promise<ReadonlyArray<any>> => {
  const client = new Pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Asks a database, beside whoever works on it. */
export const rowsOf = async (store: Store, statement: string): Promise<ReadonlyArray<any>> => {
  if (store.kind === "postgres") return query(store.url, statement)
  const database = new Database(store.file, { readonly: true })
  try {
    return database.prepare(statement).all()
  } finally {
    database.close()
  }
}

/** Parley's own storage on it, brought up to date. */
export const storageOf = (store: Store): Layer.Layer<Storage | Wakeup, unknown> =>
  store.kind === "postgres" ? Postgres.layer({ url: Redacted.make(store.url) }) : Sqlite.layer({ file: store.file })
