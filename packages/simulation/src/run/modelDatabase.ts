import { makeMemoryDatabase, memoryStorage, memoryWakeup } from "@parley/memory"
import { Effect } from "effect"
import { disturbedWakeup } from "./disturbedWakeup.js"
import type { OpenDatabase } from "./SimulatedDatabase.js"

/** The model storage. */
export const modelDatabase: OpenDatabase = (clock) =>
  Effect.sync(() => {
    const database = makeMemoryDatabase({ clock })
    return {
      connect: (disturb) => {
        const wakeup = disturbedWakeup(memoryWakeup(database), disturb)
        return { storage: memoryStorage(database, wakeup), wakeup }
      },
      powerCut: () => database.powerCut()
    }
  })
