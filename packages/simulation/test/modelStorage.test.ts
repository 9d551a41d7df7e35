import { storageContract } from "@parley/testkit"
import { Effect } from "effect"
import { makeModelDatabase } from "../src/model/ModelDatabase.js"
import { layer } from "../src/model/modelStorage.js"

storageContract(
  "the model",
  Effect.sync(() => layer(makeModelDatabase({ clock: () => Date.now() }))),
  { hosts: 2 }
)
