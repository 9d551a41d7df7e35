import type { Storage, Wakeup } from "@parley/core"
import type { Effect, Layer, Scope } from "effect"
import { describe } from "vitest"
import { commitContract } from "./commitContract.js"
import { contentionContract } from "./contentionContract.js"
import { queueContract } from "./queueContract.js"
import { readContract } from "./readContract.js"
import { tokenContract } from "./tokenContract.js"

/** A storage that opens on one database. */
export type StorageLayer = Layer.Layer<Storage | Wakeup, unknown>

/** What a suite gets: the storages of two hosts on one database, or the same one twice where a database has one host. */
export interface Hosts {
  readonly one: Storage
  readonly other: Storage
  readonly wakeup: Wakeup
}

/**
 * What every storage adapter must do. `database` makes a database of its own for each suite, and answers how it is opened;
 * with two `hosts`, it is opened twice.
 */
export const storageContract = (
  name: string,
  database: Effect.Effect<StorageLayer, unknown, Scope.Scope>,
  options: { readonly hosts: 1 | 2 }
): void => {
  describe(`storage on ${name}`, () => {
    for (const suite of [readContract, commitContract, contentionContract, queueContract, tokenContract]) {
      suite(database, options)
    }
  })
}
