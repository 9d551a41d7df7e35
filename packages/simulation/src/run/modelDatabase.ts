import { makeMemoryDatabase, memoryStorage, memoryWakeup } from "@parley/memory"
import { Effect } from "effect"
import { lossyWakeup } from "./lossyWakeup.js"
import type { OpenDatabase } from "./SimulatedDatabase.js"

/** The model storage. */
export const modelDatabase: OpenDatabase = (clock) =>
  Effect.sync(() => {
    const database = makeMemoryDatabase({ clock })
    return {
      connect: (passes) => {
        const wakeup = lossyWakeup(memoryWakeup(database), passes)
        return { storage: memoryStorage(database, wakeup), wakeup }
      },
      powerCut: () => database.powerCut()
    }
  })
