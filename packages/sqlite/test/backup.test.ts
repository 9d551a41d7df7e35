import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlError } from "@effect/sql/SqlError"
import { expect, it } from "@effect/vitest"
import { backup, migrate } from "@parley/sqlite"
import { Effect } from "effect"
import { foreignConnection } from "./drivers.js"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-sqlite-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

it.scopedLive("copies what is committed, beside an open write", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const [file, copy] = [join(path, "parley.db"), join(path, "copy.db")]
    yield* migrate({ file })
    const writer = yield* foreignConnection(file)
    writer.exec("CREATE TABLE notes (n)")
    writer.exec("INSERT INTO notes VALUES (1)")
    writer.exec("BEGIN IMMEDIATE")
    writer.exec("INSERT INTO notes VALUES (2)")
    yield* backup({ file, copy })
    writer.exec("COMMIT")
    expect((yield* foreignConnection(copy)).column("SELECT n FROM notes")).toEqual([1])
  })
)

it.scopedLive("reports a file that is no database, and leaves no copy", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const [file, copy] = [join(path, "parley.db"), join(path, "copy.db")]
    yield* Effect.promise(() => writeFile(file, "x".repeat(9_000)))
    expect(yield* Effect.flip(backup({ file, copy }))).toBeInstanceOf(SqlError)
    expect(yield* Effect.promise(() => readdir(path))).toEqual(["parley.db"])
  })
)
