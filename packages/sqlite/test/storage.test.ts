import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer } from "@parley/sqlite"
import { durabilityContract, storageContract } from "@parley/testkit"
import { Effect } from "effect"
import { describe } from "vitest"
import { usableDrivers } from "./drivers.js"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-sqlite-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

for (const driver of usableDrivers) {
  storageContract(driver, Effect.succeed(layer({ file: ":memory:", driver })), { hosts: 1, inMemory: true })
  describe(`a file by ${driver}`, () =>
    durabilityContract(Effect.map(folder, (path) => layer({ file: join(path, "parley.db"), driver }))))
}
