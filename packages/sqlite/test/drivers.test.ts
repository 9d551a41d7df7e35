import { copyFile, mkdtemp, realpath, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import type BetterSqlite3 from "better-sqlite3"
import { Effect } from "effect"
import { betterSqlite3 } from "../src/drivers/betterSqlite3.js"
import { DriverMissing, loadDriver } from "../src/drivers/loadDriver.js"
import { loadNodeSqlite } from "../src/drivers/nodeSqlite.js"
import { holdFileLock } from "../src/FileLock.js"
import { openClient } from "../src/openClient.js"
import * as OpenFiles from "../src/openFiles.js"
import { betterSqlite3Package } from "./drivers.js"

const folder = Effect.acquireRelease(
  Effect.promise(async () => realpath(await mkdtemp(join(tmpdir(), "parley-sqlite-")))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** `better-sqlite3` with a copy of its binary, which has an SQLite of its own. */
const anotherCopy = (path: string, Database: typeof BetterSqlite3) =>
  Effect.promise(async () => {
    const installed = dirname(createRequire(import.meta.url).resolve("better-sqlite3/package.json"))
    const nativeBinding = join(path, "copy.node")
    await copyFile(join(installed, "build/Release/better_sqlite3.node"), nativeBinding)
    class Copy extends Database {
      constructor(file?: string | Buffer, options?: BetterSqlite3.Options) {
        super(file, { ...options, nativeBinding })
      }
    }
    return betterSqlite3(Copy as typeof Database)
  })

describe("the driver", () => {
  it.effect("is better-sqlite3 where it is installed, else node:sqlite", () =>
    Effect.gen(function* () {
      const isInstalled = betterSqlite3Package !== undefined
      expect((yield* loadDriver()).name).toBe(isInstalled ? "better-sqlite3" : "node:sqlite")
      expect(yield* Effect.either(loadDriver("better-sqlite3"))).toMatchObject(
        isInstalled ? { right: { name: "better-sqlite3" } } : { left: new DriverMissing({ driver: "better-sqlite3" }) }
      )
    })
  )

  it.effect("is node:sqlite by its name, where Node has it", () =>
    Effect.gen(function* () {
      const loaded = yield* Effect.either(loadDriver("node:sqlite"))
      expect(loaded).toMatchObject(
        loadNodeSqlite() === undefined
          ? { left: new DriverMissing({ driver: "node:sqlite" }) }
          : { right: { name: "node:sqlite" } }
      )
    })
  )
})

describe("a connection", () => {
  it.scoped("hides the values of limits from the planner, which would prepare a statement again for each run", () =>
    Effect.gen(function* () {
      const driver = yield* loadDriver()
      const texts: Array<string> = []
      const { database } = yield* openClient(
        {
          ...driver,
          open: (file, options) => {
            const opened = driver.open(file, options)
            return {
              ...opened,
              prepare: (text) => {
                texts.push(text)
                return opened.prepare(text)
              }
            }
          }
        },
        ":memory:"
      )
      const limited = { text: "SELECT value FROM json_each(?) LIMIT ?", parameters: ["[1, 2, 3]", 2] }
      expect(yield* database.withSession((session) => session.run([limited]))).toEqual([[{ value: 1 }, { value: 2 }]])
      expect(texts.at(-1)).toBe("SELECT value FROM json_each(?) LIMIT (? + 0)")
    })
  )
})

describe("a file that is open in this process", () => {
  it.scopedLive("is refused to another copy of SQLite, which does not see the lock", ({ skip }) =>
    Effect.gen(function* () {
      if (betterSqlite3Package === undefined) return skip("better-sqlite3 is not installed")
      const path = yield* folder
      const file = join(path, "parley.db")
      const copy = yield* anotherCopy(path, betterSqlite3Package)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* holdFileLock(yield* loadDriver(), file, "at shop.ts:1:1")
          // Two copies of SQLite in one process: the second one gets a lock that the first one holds.
          const lock = copy.open(`${file}.lock`, { lockTimeoutMs: 0 })
          lock.prepare("BEGIN EXCLUSIVE").all([])
          expect(yield* Effect.flip(Effect.scoped(holdFileLock(copy, file, "at other.ts:1:1")))).toMatchObject({
            message: expect.stringContaining("parley.db is open in this process already, at shop.ts:1:1")
          })
          lock.close()
        })
      )
      yield* holdFileLock(copy, file, "at other.ts:1:1")
    })
  )

  it.scopedLive("is known to another copy of Parley, and by its other names", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "parley.db")
      const driver = yield* loadDriver()
      const copy = "../src/openFiles.js?copy"
      const other: typeof OpenFiles = yield* Effect.promise(() => import(copy))
      expect(other.pathOf).not.toBe(OpenFiles.pathOf)
      yield* Effect.promise(() => symlink(path, join(path, "link")))
      yield* holdFileLock(driver, file, "at shop.ts:1:1")
      for (const name of [file, join(path, "link", "parley.db")]) {
        expect(other.openFiles.get(other.pathOf(name))).toEqual({ openedBy: "at shop.ts:1:1", driver: driver.name })
        expect(yield* Effect.flip(holdFileLock(driver, name, "at other.ts:1:1"))).toMatchObject({
          openedBy: "at shop.ts:1:1"
        })
      }
    })
  )
})
