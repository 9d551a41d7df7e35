import { storageContract } from "@parley/testkit"
import { Effect } from "effect"
import { makeMemoryDatabase } from "../src/MemoryDatabase.js"
import { layer } from "../src/MemoryStorage.js"

storageContract(
  "memory",
  Effect.sync(() => layer(makeMemoryDatabase({ clock: () => Date.now() }))),
  { hosts: 2 }
)
