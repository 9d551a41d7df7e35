import { layer } from "@parley/sqlite"
import { storageContract } from "@parley/testkit"
import { Effect } from "effect"
import { usableDrivers } from "./drivers.js"

for (const driver of usableDrivers) {
  storageContract(driver, Effect.succeed(layer({ file: ":memory:", driver })), { hosts: 1 })
}
