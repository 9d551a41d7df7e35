import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Storage } from "@parley/core"
import { SchemaMismatch } from "@parley/sql"
import { DatabaseInUse, layer, recountContacts } from "@parley/sqlite"
import { recountContract } from "@parley/testkit"
import { Context, Effect, Layer } from "effect"
import { foreignConnection } from "./drivers.js"

const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "parley-sqlite-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "parley.db")
)

recountContract(
  "sqlite",
  Effect.map(temporaryFile, (file) => ({
    open: Effect.map(Layer.build(Layer.fresh(layer({ file }))), Context.get(Storage)),
    run: (statement) =>
      Effect.scoped(Effect.map(foreignConnection(file), (database) => database.exec(statement))).pipe(Effect.orDie),
    recount: recountContacts({ file })
  }))
)

it.scopedLive("refuses a recount beside a running host and on a schema of another version", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    expect(yield* Effect.flip(recountContacts({ file }))).toBeInstanceOf(SchemaMismatch)
    yield* Layer.build(layer({ file }))
    expect(yield* Effect.flip(recountContacts({ file }))).toBeInstanceOf(DatabaseInUse)
  })
)
