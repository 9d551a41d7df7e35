import type { CallersPool } from "@parley/postgres"
import { type DriverName, driverNames } from "@parley/sqlite/driverless"
import { Either, type Redacted } from "effect"
import type { Database, DatabaseOptions } from "./layers/Database.js"
import * as Readers from "./layers/Readers.js"
import { aBoolean, aNumber, aText, type OptionReader } from "./OptionReader.js"

/** The database of `storage`, and how to open it. */
export interface ReadStorage {
  readonly _tag: "Database"
  readonly database: Database
  readonly options: Pick<DatabaseOptions, "migrate" | "maxConnections">
}

const storageNames = ["url", "pool", "schema", "directUrl", "driver", "migrate", "maxConnections"]

const usage =
  'must be { url: "sqlite:<file>" }, { url: "postgres://…" }, { pool, schema: "…" } or, with @parley/host, a layer of a storage adapter'

/** Reads the option `storage`. Null if they name no database. */
export const readStorage = (given: unknown, reader: OptionReader): ReadStorage | null => {
  const { known, option, wrong } = reader
  const { directUrl, driver, pool, schema, url, ...options } = (
    typeof given === "object" && given !== null ? given : {}
  ) as Record<string, unknown>
  if (url === undefined && pool === undefined) {
    wrong("storage", usage)
    return null
  }
  if (url !== undefined && pool !== undefined) wrong("storage.pool", "must not be given together with storage.url")
  known("storage.", given as object, storageNames)
  option("storage.migrate", options.migrate, true, aBoolean)
  option("storage.maxConnections", options.maxConnections, 1, aNumber(1))
  const direct = option("storage.directUrl", directUrl, null, aText(Readers.postgresUrl))
  const itsDriver = option("storage.driver", driver, null, aDriver)
  const itsSchema = option("storage.schema", schema, null, aText(Readers.schema))
  const database =
    pool === undefined
      ? withUrl(option("storage.url", url, null, aText(Readers.database)), direct, itsSchema, itsDriver, reader)
      : withPool(option("storage.pool", pool, null, aPool), direct, itsSchema)
  if (pool !== undefined && driver !== undefined) wrong("storage.driver", "is for a storage.url of sqlite:<file>")
  if (pool !== undefined && schema === undefined) {
    wrong("storage.schema", 'must be given with storage.pool, such as "parley"; "public" for tables that are there')
  }
  return database === null ? null : { _tag: "Database", database, options }
}

const withUrl = (
  database: Database | null,
  directUrl: Redacted.Redacted | null,
  schema: string | null,
  driver: DriverName | null,
  { wrong }: OptionReader
): Database | null => {
  if (database?._tag === "Postgres") {
    if (driver !== null) wrong("storage.driver", "is for a storage.url of sqlite:<file>")
    return { ...database, directUrl, schema }
  }
  if (database === null) return null
  if (directUrl !== null) wrong("storage.directUrl", "is for a storage.url of postgres://…")
  if (schema !== null) wrong("storage.schema", "is for a storage.url of postgres://…")
  return driver === null || database._tag !== "Sqlite" ? database : { ...database, driver }
}

const withPool = (
  pool: CallersPool | null,
  directUrl: Redacted.Redacted | null,
  schema: string | null
): Database | null => (pool === null || schema === null ? null : { _tag: "PostgresPool", pool, directUrl, schema })

const aDriver = (given: unknown): Either.Either<DriverName, string> => {
  const known = driverNames.find((name) => name === given)
  return known === undefined ? Either.left(`must be ${driverNames.join(" or ")}`) : Either.right(known)
}

const aPool = (given: unknown): Either.Either<CallersPool, string> => {
  const pool = given as Partial<CallersPool> | null
  return typeof pool === "object" && typeof pool?.connect === "function" && typeof pool.options?.max === "number"
    ? Either.right(pool as CallersPool)
    : Either.left("must be a Pool of pg")
}
