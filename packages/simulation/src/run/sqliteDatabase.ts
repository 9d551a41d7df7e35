import { Storage, Wakeup } from "@parley/core"
import * as Sqlite from "@parley/sqlite"
import { Context, Effect, Layer } from "effect"
import { disturbedWakeup } from "./disturbedWakeup.js"
import type { OpenDatabase } from "./SimulatedDatabase.js"

// Before a simulation, which has no files and no modules to load.
const driver = await Effect.runPromise(Sqlite.loadDriver())

/** SQLite in memory. Its processes share one connection, and a power cut makes it forget nothing. */
export const sqliteDatabase: OpenDatabase = (clock) =>
  Effect.map(Layer.build(Sqlite.layer({ file: ":memory:", driver })), (context) => {
    const storage = { ...Context.get(context, Storage), check: Effect.sync(() => ({ clock: clock() })) }
    const wakeup = Context.get(context, Wakeup)
    return { connect: (disturb) => ({ storage, wakeup: disturbedWakeup(wakeup, disturb) }), powerCut: () => {} }
  })
