import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { ChangesRejected, changes, lookup, row, Storage, StorageUnavailable } from "@parley/core"
import { Database, Dialect, InProcessWakeup, SchemaMismatch, SqlStorage, tables } from "@parley/sql"
import { DatabaseInUse, layer, migrate } from "@parley/sqlite"
import * as Rows from "@parley/testkit/rows"
import { makeTestIds } from "@parley/testkit/rows"
import { Context, Effect, Layer } from "effect"
import { dialect } from "../src/dialect.js"
import { loadDriver } from "../src/drivers/loadDriver.js"
import { openClient } from "../src/openClient.js"
import { foreignConnection, usableDrivers } from "./drivers.js"

const ids = makeTestIds(99)

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-sqlite-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)
describe.each(usableDrivers)("a file by %s", (driver) => {
  const open = (file: string) => Effect.map(Layer.build(Layer.fresh(layer({ file, driver }))), Context.get(Storage))
  const aWorkspace = (id = ids.next(1)) => changes(id, { inserts: [row("workspaces", Rows.aWorkspace({ id }))] })

  /** A second connection, of the same copy of SQLite. */
  const foreign = (file: string) => foreignConnection(file, driver)

  it.scopedLive("keeps committed rows", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "parley.db")
      const id = ids.next(1)
      yield* Effect.scoped(Effect.flatMap(open(file), (storage) => storage.commit(aWorkspace(id))))
      const { found } = yield* (yield* open(file)).read({ found: lookup("workspaces", { id }) })
      expect(found).toEqual([Rows.aWorkspace({ id })])
    })
  )

  it.scopedLive("makes the file readable by its owner only", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const storage = yield* open(join(path, "parley.db"))
      yield* storage.commit(aWorkspace())
      const files = yield* Effect.promise(() => readdir(path))
      const kept = files.filter((name) => !name.includes(".lock"))
      expect(kept.sort()).toEqual(["parley.db", "parley.db-shm", "parley.db-wal"])
      for (const name of kept) {
        const { mode } = yield* Effect.promise(() => stat(join(path, name)))
        expect([name, mode & 0o077]).toEqual([name, 0])
      }
    })
  )

  it.scopedLive("refuses a second host on its file until the first one ends", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "parley.db")
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open(file)
          expect(yield* Effect.flip(open(file))).toMatchObject({
            message: expect.stringMatching(
              /parley\.db is open in this process already, since \d{4}-.*: use that engine/
            )
          })
        })
      )
      yield* open(file)
    })
  )

  it.scopedLive("releases the file when its process was killed", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [file, script] = [join(path, "parley.db"), join(path, "holder.mjs")]
      const module = driver === "node:sqlite" ? driver : createRequire(import.meta.url).resolve(driver)
      yield* Effect.promise(() =>
        writeFile(
          script,
          `const { DatabaseSync, default: Database = DatabaseSync } = await import(${JSON.stringify(module)})
const lock = new (DatabaseSync ?? Database)(${JSON.stringify(`${file}.lock`)})
lock.exec("BEGIN EXCLUSIVE")
process.send("held")
setInterval(() => lock.open, 1000)`
        )
      )
      const holder = fork(script, { execArgv: [] })
      yield* Effect.promise(() => once(holder, "message"))
      expect(yield* Effect.flip(open(file))).toEqual(new DatabaseInUse({ file, openedBy: null }))
      const exit = once(holder, "exit")
      holder.kill("SIGKILL")
      yield* Effect.promise(() => exit)
      yield* open(file)
    })
  )

  // Without the lock, older versions of SQLite in another process delete the log to which the storage writes.
  it.scopedLive.skipIf(process.platform !== "linux")(
    "keeps the lock of a handle that the application has already",
    () =>
      Effect.gen(function* () {
        const file = join(yield* folder, "parley.db")
        yield* Effect.scoped(open(file))
        const own = yield* foreign(file)
        own.exec("CREATE TABLE orders (id text)")
        const { ino } = yield* Effect.promise(() => stat(file))
        const locks = Effect.map(
          Effect.promise(() => readFile("/proc/locks", "utf8")),
          (text) => text.split("\n").filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
        )
        const before = yield* locks
        expect(before).not.toEqual([])
        yield* open(file)
        expect(yield* locks).toHaveLength(before.length)
      })
  )

  it.scopedLive("waits outside the event loop while another connection writes", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "parley.db")
      const storage = yield* open(file)
      const other = yield* foreign(file)
      other.exec("BEGIN IMMEDIATE")
      const commit = yield* Effect.fork(storage.commit(aWorkspace()))
      const ticks = yield* Effect.repeatN(
        Effect.async<void>((resume) => {
          setImmediate(() => resume(Effect.void))
        }),
        50
      ).pipe(Effect.as(commit.unsafePoll()))
      expect(ticks).toBeNull()
      other.exec("COMMIT")
      expect(yield* commit).toMatchObject({ _tag: "Committed" })
    })
  )

  /** The storage on a client whose settings a test may change. */
  const openWithClient = Effect.gen(function* () {
    const file = join(yield* folder, "parley.db")
    yield* migrate({ file, driver })
    const { database, sql } = yield* openClient(yield* loadDriver(driver), file)
    const layer = SqlStorage.layer.pipe(
      Layer.provide([Layer.succeed(Database, database), Layer.succeed(Dialect, dialect), InProcessWakeup.layer])
    )
    const storage = Context.get(yield* Layer.build(layer), Storage)
    return { storage, run: (statement: string) => sql.unsafe(statement) }
  })

  const big = (id: string, count = 80) =>
    changes(id, {
      claims: [row("idempotency", Rows.anIdempotencyRecord({ workspaceId: id, applicationId: id }))],
      inserts: Array.from({ length: count }, () =>
        row(
          "messages",
          Rows.aMessage({ id: ids.next(1), workspaceId: id, conversationId: id, body: "x".repeat(10_000) })
        )
      )
    })
  const storedRows = (storage: Storage, id: string) =>
    storage.read({
      claims: lookup("idempotency", { applicationId: id, key: "order-1" }),
      messages: lookup("messages", { conversationId: id })
    })

  it.scopedLive("writes nothing of a commit while the disk is full, and continues afterwards", () =>
    Effect.gen(function* () {
      const { run, storage } = yield* openWithClient
      const id = ids.next(1)
      const [{ page_count: pages }] = (yield* run("PRAGMA page_count")) as [{ page_count: number }]
      yield* run(`PRAGMA max_page_count = ${pages + 50}`)
      expect(yield* Effect.flip(storage.commit(big(id)))).toBeInstanceOf(StorageUnavailable)
      expect(yield* storedRows(storage, id)).toEqual({ claims: [], messages: [] })
      yield* run("PRAGMA max_page_count = 1000000")
      expect(yield* storage.commit(big(id))).toMatchObject({ _tag: "Committed" })
    })
  )

  it.scopedLive("writes nothing while the database is read-only, and continues afterwards", () =>
    Effect.gen(function* () {
      const { run, storage } = yield* openWithClient
      const id = ids.next(1)
      yield* run("PRAGMA query_only = ON")
      expect(yield* Effect.flip(storage.commit(big(id, 1)))).toBeInstanceOf(StorageUnavailable)
      expect(yield* storedRows(storage, id)).toEqual({ claims: [], messages: [] })
      yield* run("PRAGMA query_only = OFF")
      expect(yield* storage.commit(big(id, 1))).toMatchObject({ _tag: "Committed" })
    })
  )

  it.scopedLive("writes all or nothing of a commit with many statements", () =>
    Effect.gen(function* () {
      const { run, storage } = yield* openWithClient
      const id = ids.next(1)
      yield* run(
        "CREATE TRIGGER full BEFORE INSERT ON messages WHEN new.body = 'full' BEGIN SELECT RAISE(ABORT, 'full'); END"
      )
      const messages = (last: string) => {
        const all = Array.from({ length: 1_500 }, (_, n) =>
          Rows.aMessage({ id: ids.next(1), workspaceId: id, conversationId: id, body: n === 1_499 ? last : "small" })
        )
        const claims = [row("idempotency", Rows.anIdempotencyRecord({ workspaceId: id, applicationId: id }))]
        return changes(id, { claims, inserts: all.map((message) => row("messages", message)) })
      }
      expect(yield* Effect.flip(storage.commit(messages("full")))).toBeInstanceOf(ChangesRejected)
      expect(yield* storedRows(storage, id)).toEqual({ claims: [], messages: [] })
      expect(yield* storage.commit(messages("small"))).toMatchObject({ _tag: "Committed" })
      expect((yield* storedRows(storage, id)).messages).toHaveLength(1_500)
    })
  )

  it.scopedLive("rolls back a commit whose COMMIT fails, and continues", () =>
    Effect.gen(function* () {
      const { run, storage } = yield* openWithClient
      const id = ids.next(1)
      // A foreign key that is checked at COMMIT, and a row that violates it.
      yield* run("PRAGMA foreign_keys = ON")
      yield* run("CREATE TABLE broken (of TEXT REFERENCES workspaces (id) DEFERRABLE INITIALLY DEFERRED)")
      yield* run("CREATE TRIGGER breaks AFTER INSERT ON messages BEGIN INSERT INTO broken VALUES ('none'); END")
      expect(yield* Effect.flip(storage.commit(big(id, 1)))).toBeInstanceOf(ChangesRejected)
      expect(yield* storedRows(storage, id)).toEqual({ claims: [], messages: [] })
      yield* run("DROP TRIGGER breaks")
      expect(yield* storage.commit(big(id, 1))).toMatchObject({ _tag: "Committed" })
    })
  )

  it.scopedLive("has the columns that the code reads and writes", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "parley.db")
      yield* migrate({ file, driver })
      const database = yield* foreign(file)
      for (const table of tables) {
        const found = database.column(`SELECT name FROM pragma_table_info('${table.sql}')`)
        expect([table.sql, found.sort()]).toEqual([table.sql, table.columns.map(({ sql }) => sql).sort()])
      }
    })
  )

  it.scopedLive("refuses a database of another version, and one that lacks migrations if `migrate` is false", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "parley.db")
      const only = Effect.scoped(Layer.build(Layer.fresh(layer({ file, driver, migrate: false }))))
      expect(yield* Effect.flip(only)).toEqual(new SchemaMismatch({ found: 0, wanted: dialect.schemaVersion }))
      yield* migrate({ file, driver })
      yield* only
      const database = yield* foreign(file)
      database.exec("INSERT INTO parley_migrations (migration_id, name) VALUES (99, 'later')")
      expect(yield* Effect.flip(Effect.scoped(open(file)))).toEqual(
        new SchemaMismatch({ found: 99, wanted: dialect.schemaVersion })
      )
    })
  )

  it.scopedLive("reports why a file cannot be opened", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(open(join(yield* folder, "no such folder", "parley.db")))
      expect(error._tag).toBe("SqlError")
    })
  )
})
