import { SqlClient } from "@effect/sql/SqlClient"
import { Database } from "@parley/sql"
import { Context, Effect, Layer } from "effect"
import { type DriverName, driverNames } from "../src/drivers/Driver.js"
import { loadDriver } from "../src/drivers/loadDriver.js"
import { loadNodeSqlite } from "../src/drivers/nodeSqlite.js"
import { openClient } from "../src/openClient.js"

/** `better-sqlite3`; undefined where it is not installed, as in the tests on the newest Node. */
export const betterSqlite3Package = await import("better-sqlite3").then(
  (module) => module.default,
  () => undefined
)

/** The drivers that can be used here. */
export const usableDrivers = driverNames.filter((name) =>
  name === "node:sqlite" ? loadNodeSqlite() !== undefined : betterSqlite3Package !== undefined
)

/** A connection to a file by the driver that is taken by default. */
export const clientOn = (file: string) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { database, sql } = yield* openClient(yield* loadDriver(), file)
      return Context.make(Database, database).pipe(Context.add(SqlClient, sql))
    })
  )

/** Another connection to a file, past Parley; by the driver that is taken by default, unless it is named. */
export const foreignConnection = (file: string, name?: DriverName) =>
  Effect.acquireRelease(
    Effect.map(loadDriver(name), (driver) => driver.open(file, { lockTimeoutMs: 5_000 })),
    (connection) => Effect.sync(() => connection.close())
  ).pipe(
    Effect.map((connection) => ({
      exec: (statement: string) => void connection.prepare(statement).all([]),
      /** The first column of a query. */
      column: (query: string) =>
        connection
          .prepare(query)
          .values([])
          .map(([first]) => first)
    }))
  )
