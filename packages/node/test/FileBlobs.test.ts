import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { blobsContract } from "@parley/testkit"
import { Cause, Chunk, Effect, Exit, Option, Stream, TestClock } from "effect"
import * as FileBlobs from "../src/FileBlobs.js"

const options = { contentType: "image/png", limit: 1_000_000 }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parley-blobs-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
const filesIn = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(path, name)).isFile())

blobsContract(
  "in files",
  Effect.flatMap(folder, (path) => FileBlobs.make(join(path, "made", "here")))
)

describe("FileBlobs", () => {
  it.scopedLive("stores files readable by the owner only, two folders deep", () =>
    Effect.gen(function* () {
      const root = join(yield* folder, "blobs")
      const blobs = yield* FileBlobs.make(root)
      yield* blobs.put("0190a1b2-0000-7000-8000-000000000001", new Uint8Array(3), options)
      const [file = "", ...others] = filesIn(root)
      expect(others).toEqual([])
      expect(file).toMatch(/^[0-9a-f]{2}\/[0-9a-f]{2}\/0190a1b2-0000-7000-8000-000000000001$/)
      const modeOf = (path: string) => (statSync(join(root, path)).mode & 0o777).toString(8)
      expect(modeOf(file)).toBe("600")
      for (const path of ["", file.slice(0, 2), file.slice(0, 5), "incoming"]) expect(modeOf(path)).toBe("700")
    })
  )

  it.scopedLive("reads what another process stored", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [one, other] = [yield* FileBlobs.make(path), yield* FileBlobs.make(path)]
      yield* one.put("key", new Uint8Array(3), options)
      expect(Option.getOrThrow(yield* other.get("key")).size).toBe(3)
    })
  )

  it.scopedLive("rejects keys that lead outside of the folder", () =>
    Effect.gen(function* () {
      const blobs = yield* FileBlobs.make(yield* folder)
      for (const key of ["../key", "a/b", "..", "", "A", "a\u0000b", "k".repeat(101)]) {
        for (const use of [blobs.put(key, new Uint8Array(1), options), blobs.get(key), blobs.remove([key])]) {
          const exit = yield* Effect.exit(Effect.asVoid(use))
          expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
        }
      }
    })
  )

  it.scopedLive("removes files of failed writes", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const blobs = yield* FileBlobs.make(path)
      yield* Effect.flip(blobs.put("large", new Uint8Array(11), { ...options, limit: 10 }))
      yield* Effect.flip(
        blobs.put("broken", Stream.concat(Stream.make(new Uint8Array(5)), Stream.fail("it broke")), options)
      )
      expect(filesIn(path)).toEqual([])
    })
  )

  it.scopedLive("removes leftovers older than a day, and no younger ones", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* (yield* FileBlobs.make(path)).put("key", new Uint8Array(3), options)
      const [old, young] = [join(path, "incoming", "old"), join(path, "incoming", "young")]
      writeFileSync(old, "half")
      writeFileSync(young, "half")
      const yesterday = Date.now() / 1_000 - 25 * 60 * 60
      utimesSync(old, yesterday, yesterday)
      const blobs = yield* FileBlobs.make(path)
      expect([existsSync(old), existsSync(young)]).toEqual([false, true])
      expect(Option.isSome(yield* blobs.get("key"))).toBe(true)
    })
  )

  it.scoped("removes leftovers of a later crash while it runs", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* (yield* FileBlobs.make(path)).put("key", new Uint8Array(3), options)
      const [old, young] = [join(path, "incoming", "old"), join(path, "incoming", "young")]
      writeFileSync(old, "half")
      writeFileSync(young, "half")
      utimesSync(old, 0, 0)
      utimesSync(young, 7_200, 7_200)
      // The clock is simulated, the removal is not: it has ended when the next one is awaited.
      const waiting = Effect.repeat(
        Effect.zipRight(
          Effect.promise(() => setTimeout(1)),
          TestClock.sleeps()
        ),
        { until: Chunk.isNonEmpty }
      )
      const hourLater = Effect.zipRight(TestClock.adjust("1 hour"), waiting)
      yield* waiting
      yield* Effect.repeatN(hourLater, 23)
      expect([existsSync(old), existsSync(young)]).toEqual([true, true])
      yield* hourLater
      expect([existsSync(old), existsSync(young)]).toEqual([false, true])
      yield* Effect.repeatN(hourLater, 1)
      expect(existsSync(young)).toBe(false)
    })
  )

  it.scopedLive("reports an unusable folder", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      writeFileSync(path, "not a folder")
      chmodSync(path, 0o600)
      const blobs = yield* FileBlobs.make(path)
      expect(yield* Effect.flip(blobs.put("key", new Uint8Array(1), options))).toMatchObject({
        reason: "a file cannot be written (ENOTDIR)"
      })
      expect(yield* Effect.flip(blobs.get("key"))).toMatchObject({ reason: "a file cannot be read (ENOTDIR)" })
    })
  )
})
