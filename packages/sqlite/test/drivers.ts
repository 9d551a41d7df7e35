import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { driverNames } from "../src/drivers/Driver.js"
import { loadDriver } from "../src/drivers/loadDriver.js"
import { loadNodeSqlite } from "../src/drivers/nodeSqlite.js"
import { openClient } from "../src/openClient.js"

/** The drivers that this Node can use. */
export const usableDrivers = driverNames.filter((name) => name !== "node:sqlite" || loadNodeSqlite() !== undefined)

/** A connection to a file by the driver that is taken by default. */
export const clientOn = (file: string) =>
  Layer.scoped(
    SqlClient,
    Effect.flatMap(loadDriver(), (driver) => openClient(driver, file))
  )
