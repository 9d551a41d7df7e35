import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Connection, type Driver, layer, loadDriver } from "@parley/sqlite"
import { Effect, Layer } from "effect"

/** The bytes of the file of a migrated database. */
const imageOf = (driver: Driver) =>
  Effect.gen(function* () {
    let connection: Connection | undefined
    const keeping: Driver = {
      ...driver,
      open: (file, options) => {
        connection = driver.open(file, options)
        return connection
      }
    }
    yield* Layer.build(layer({ file: ":memory:", driver: keeping }))
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "parley-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    const file = join(folder, "migrated.db")
    connection?.prepare("VACUUM INTO ?").all([file])
    return yield* Effect.promise(() => readFile(file))
  }).pipe(Effect.scoped)

/** Made once in a process: to migrate takes about 0.1 s of CPU. */
const copied = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const driver = yield* loadDriver()
      // node:sqlite cannot open bytes.
      if (driver.name !== "better-sqlite3") return { file: ":memory:", driver }
      const image = yield* imageOf(driver)
      // better-sqlite3 takes bytes in the place of a file's name.
      const copying: Driver = { ...driver, open: (_, options) => driver.open(image as unknown as string, options) }
      return { file: ":memory:", driver: copying, migrate: false }
    })
  )
)

/** The storage on SQLite in memory, on a copy of a migrated database. */
export const migratedSqlite = Layer.unwrapEffect(Effect.map(copied, layer))
