import { Effect } from "effect"
import { makeModelDatabase, modelStorage, modelWakeup } from "../model/index.js"
import { lossyWakeup } from "./lossyWakeup.js"
import type { OpenDatabase } from "./SimulatedDatabase.js"

/** The model storage. */
export const modelDatabase: OpenDatabase = (clock) =>
  Effect.sync(() => {
    const database = makeModelDatabase({ clock })
    return {
      connect: (passes) => {
        const wakeup = lossyWakeup(modelWakeup(database), passes)
        return { storage: modelStorage(database, wakeup), wakeup }
      },
      powerCut: () => database.powerCut()
    }
  })
