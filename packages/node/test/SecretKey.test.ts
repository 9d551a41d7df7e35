import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as SecretKey from "../src/SecretKey.js"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-key-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

describe("SecretKey", () => {
  it("reads 32 bytes from base64 and base64url", () => {
    const bytes = Buffer.alloc(32, 0xfb)
    for (const text of [bytes.toString("base64"), bytes.toString("base64url"), ` ${bytes.toString("base64")}\n`]) {
      expect([...Either.getOrThrow(SecretKey.parse(text, "PARLEY_SECRET_KEY"))]).toEqual([...bytes])
    }
  })

  it("reports what is wrong without the key", () => {
    const messageOf = (text: string) =>
      Either.getOrThrow(Either.flip(SecretKey.parse(text, "PARLEY_SECRET_KEY"))).message
    expect(messageOf("")).toBe("PARLEY_SECRET_KEY must be base64")
    expect(messageOf("correct horse battery")).toBe("PARLEY_SECRET_KEY must be base64")
    expect(messageOf(Buffer.alloc(16).toString("base64"))).toBe("PARLEY_SECRET_KEY must be 32 bytes in base64, not 16")
    expect(messageOf(Buffer.alloc(33).toString("base64"))).toBe("PARLEY_SECRET_KEY must be 32 bytes in base64, not 33")
  })

  it.scoped("creates a key file readable by the owner only, and reads it again", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "data", "secret.key")
      const made = yield* SecretKey.fromFile(path)
      const read = yield* SecretKey.fromFile(path)
      expect(made).toHaveLength(32)
      expect(read).toEqual(made)
      expect((yield* Effect.promise(() => stat(path))).mode & 0o777).toBe(0o600)
      expect(yield* Effect.promise(() => readdir(join(path, "..")))).toEqual(["secret.key"])
    })
  )

  it.scoped("gives concurrent creators the same key", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "secret.key")
      const keys = yield* Effect.all(
        Array.from({ length: 20 }, () => SecretKey.fromFile(path)),
        {
          concurrency: "unbounded"
        }
      )
      expect(new Set(keys.map((key) => Buffer.from(key).toString("hex"))).size).toBe(1)
    })
  )

  it.scoped("leaves a file without valid key unchanged, and names it", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "secret.key")
      yield* Effect.promise(() => writeFile(path, "short\n"))
      const error = yield* Effect.flip(SecretKey.fromFile(path))
      expect(error.message).toBe(`${path} must be 32 bytes in base64, not 3`)
      expect(yield* Effect.promise(() => readFile(path, "utf8"))).toBe("short\n")
    })
  )

  it.scoped("reports why a key file cannot be created", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "file")
      yield* Effect.promise(() => writeFile(file, ""))
      const error = yield* Effect.flip(SecretKey.fromFile(join(file, "secret.key")))
      expect(error.message).toContain("cannot be read or made (ENOTDIR)")
    })
  )
})
