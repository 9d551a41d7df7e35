import { Storage, Wakeup } from "@parley/core"
import * as Sqlite from "@parley/sqlite"
import { Context, Effect, Layer } from "effect"
import type { OpenDatabase } from "./runHistory.js"

/** SQLite in memory. A power cut makes it forget nothing. */
export const sqliteDatabase: OpenDatabase = (clock) =>
  Effect.map(Layer.build(Sqlite.layer({ file: ":memory:" })), (context) => ({
    storage: { ...Context.get(context, Storage), check: Effect.sync(() => ({ clock: clock() })) },
    wakeup: Context.get(context, Wakeup),
    powerCut: () => {}
  }))
