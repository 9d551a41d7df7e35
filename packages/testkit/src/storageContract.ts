import { describe } from "vitest"
import { commitContract } from "./commitContract.js"
import { contentionContract } from "./contentionContract.js"
import type { Database } from "./contractHosts.js"
import { durabilityContract } from "./durabilityContract.js"
import { leaseContract } from "./leaseContract.js"
import { listContract } from "./listContract.js"
import { purgeContract } from "./purgeContract.js"
import { queueContract } from "./queueContract.js"
import { readContract } from "./readContract.js"
import { slotContract } from "./slotContract.js"
import { tokenContract } from "./tokenContract.js"
import { uniquenessContract } from "./uniquenessContract.js"

/**
 * The contract of every storage adapter. `database` creates a database for each suite and returns how to open it; with
 * two `hosts` it is opened twice. `inMemory`: the database ends with its layer, so it is not opened again to see that
 * it kept what was committed.
 */
export const storageContract = (
  name: string,
  database: Database,
  options: { readonly hosts: 1 | 2; readonly inMemory?: boolean }
): void => {
  describe(`storage on ${name}`, () => {
    for (const suite of [
      readContract,
      listContract,
      commitContract,
      uniquenessContract,
      contentionContract,
      purgeContract,
      queueContract,
      leaseContract,
      tokenContract,
      slotContract
    ]) {
      suite(database, options)
    }
    if (options.inMemory !== true) durabilityContract(database)
  })
}
