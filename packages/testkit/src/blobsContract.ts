import { it } from "@effect/vitest"
import { type Blobs, BlobTooLarge } from "@parley/core"
import { Chunk, Deferred, Effect, Fiber, Option, type Scope, Stream } from "effect"
import { describe, expect } from "vitest"

const mebibyte = 1_024 * 1_024
const options = { contentType: "image/png", limit: 32 * mebibyte }

/** Bytes without repeated parts, so that a misplaced part is detected. */
const someBytes = (size: number, seed = 1): Uint8Array => {
  const bytes = new Uint8Array(size)
  let state = seed
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}

const inChunks = (bytes: Uint8Array, size: number): Stream.Stream<Uint8Array> =>
  Stream.unfold(0, (from) =>
    from < bytes.length ? Option.some([bytes.subarray(from, from + size), from + size] as const) : Option.none()
  )

/** The bytes of a key, or null if it does not exist. */
const read = (blobs: Blobs, key: string) =>
  Effect.flatMap(
    blobs.get(key),
    Option.match({
      onNone: () => Effect.succeed(null),
      onSome: ({ bytes, size }) =>
        Effect.map(Stream.runCollect(bytes), (chunks) => {
          const all = Buffer.concat(Chunk.toReadonlyArray(chunks))
          expect(all.length).toBe(size)
          return all
        })
    })
  )

const isThere = (blobs: Blobs, key: string, bytes: Uint8Array) =>
  Effect.map(read(blobs, key), (found) => expect(found !== null && Buffer.compare(found, bytes)).toBe(0))

/** The contract of every blob storage. `open` opens an empty storage; each test uses its own keys. */
export const blobsContract = (name: string, open: Effect.Effect<Blobs, unknown, Scope.Scope>): void => {
  const test = (what: string, body: (blobs: Blobs, key: string) => Effect.Effect<unknown, unknown>): void =>
    it.live(what, () =>
      Effect.scoped(
        Effect.flatMap(open, (blobs) => body(blobs, `0190a1b2-${what.length}-${what.replace(/[^a-z]+/g, "-")}`))
      )
    )

  describe(`blobs ${name}`, () => {
    test("reads back stored bytes", (blobs, key) =>
      Effect.gen(function* () {
        const bytes = someBytes(70_000)
        expect(yield* blobs.put(key, bytes, options)).toBe(70_000)
        yield* isThere(blobs, key, bytes)
        yield* isThere(blobs, key, bytes)
      }))

    test("stores a stream of many parts", (blobs, key) =>
      Effect.gen(function* () {
        const bytes = someBytes(12 * mebibyte + 17)
        expect(yield* blobs.put(key, inChunks(bytes, 100_000), options)).toBe(bytes.length)
        yield* isThere(blobs, key, bytes)
      }))

    test("stores empty files", (blobs, key) =>
      Effect.gen(function* () {
        expect(yield* blobs.put(key, new Uint8Array(), options)).toBe(0)
        expect(yield* blobs.put(`${key}-stream`, Stream.empty, options)).toBe(0)
        yield* isThere(blobs, key, new Uint8Array())
        yield* isThere(blobs, `${key}-stream`, new Uint8Array())
      }))

    test("returns nothing for an unknown key", (blobs, key) =>
      Effect.map(blobs.get(key), (found) => expect(Option.isNone(found)).toBe(true)))

    test("replaces stored bytes", (blobs, key) =>
      Effect.gen(function* () {
        yield* blobs.put(key, someBytes(3_000, 1), options)
        expect(yield* blobs.put(key, someBytes(2_000, 2), options)).toBe(2_000)
        yield* isThere(blobs, key, someBytes(2_000, 2))
      }))

    test("stores all or nothing at the size limit", (blobs, key) =>
      Effect.gen(function* () {
        const limit = 6 * mebibyte
        expect(yield* blobs.put(key, someBytes(limit), { ...options, limit })).toBe(limit)
        const [more, lots] = [someBytes(limit + 1), inChunks(someBytes(2 * limit), 50_000)]
        const before = someBytes(limit)
        for (const bytes of [more, lots]) {
          expect(yield* Effect.flip(blobs.put(key, bytes, { ...options, limit }))).toEqual(new BlobTooLarge({ limit }))
          yield* isThere(blobs, key, before)
          expect(yield* Effect.flip(blobs.put(`${key}-new`, bytes, { ...options, limit }))).toBeInstanceOf(BlobTooLarge)
          expect(yield* read(blobs, `${key}-new`)).toBeNull()
        }
      }))

    test("keeps the former bytes if the stream fails", (blobs, key) =>
      Effect.gen(function* () {
        yield* blobs.put(key, someBytes(1_000), options)
        for (const size of [10_000, 11 * mebibyte]) {
          const broken = Stream.concat(inChunks(someBytes(size), 500_000), Stream.fail("it broke"))
          expect(yield* Effect.flip(blobs.put(key, broken, options))).toBe("it broke")
          yield* isThere(blobs, key, someBytes(1_000))
          expect(yield* Effect.flip(blobs.put(`${key}-new`, broken, options))).toBe("it broke")
          expect(yield* read(blobs, `${key}-new`)).toBeNull()
        }
      }))

    test("shows bytes only after all of them are stored", (blobs, key) =>
      Effect.gen(function* () {
        const [begun, rest] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const halting = Stream.concat(
          Stream.make(someBytes(6 * mebibyte)),
          Stream.fromEffect(
            Deferred.succeed(begun, undefined).pipe(Effect.zipRight(Deferred.await(rest)), Effect.as(someBytes(10)))
          )
        )
        const putting = yield* Effect.fork(blobs.put(key, halting, options))
        yield* Deferred.await(begun)
        expect(yield* read(blobs, key)).toBeNull()
        yield* Deferred.succeed(rest, undefined)
        expect(yield* Fiber.join(putting)).toBe(6 * mebibyte + 10)
        expect((yield* read(blobs, key))?.length).toBe(6 * mebibyte + 10)
      }))

    test("stores nothing if the caller is interrupted", (blobs, key) =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const halting = Stream.concat(
          Stream.make(someBytes(100)),
          Stream.fromEffect(Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
        )
        const putting = yield* Effect.fork(blobs.put(key, halting, options))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(putting)
        expect(yield* read(blobs, key)).toBeNull()
      }))

    test("stores concurrently", (blobs, key) =>
      Effect.gen(function* () {
        const puts = Array.from({ length: 8 }, () => blobs.put(key, inChunks(someBytes(300_000), 10_000), options))
        expect(yield* Effect.all(puts, { concurrency: "unbounded" })).toEqual(Array(8).fill(300_000))
        yield* isThere(blobs, key, someBytes(300_000))
      }))

    test("removes existing keys and ignores unknown ones", (blobs, key) =>
      Effect.gen(function* () {
        yield* blobs.put(key, someBytes(10), options)
        yield* blobs.put(`${key}-other`, someBytes(20), options)
        yield* blobs.remove([key, `${key}-never`])
        yield* blobs.remove([key])
        yield* blobs.remove([])
        expect(yield* read(blobs, key)).toBeNull()
        yield* isThere(blobs, `${key}-other`, someBytes(20))
      }))

    test("reads a part, if it can without the rest", (blobs, key) =>
      Effect.gen(function* () {
        yield* blobs.put(key, someBytes(200_000), options)
        const { slice } = Option.getOrThrow(yield* blobs.get(key))
        if (slice === undefined) return
        for (const [start, end] of [
          [0, 1],
          [70_000, 140_001],
          [199_999, 200_000]
        ] as const) {
          const chunks = yield* Stream.runCollect(slice(start, end))
          expect(Buffer.concat([...chunks]).equals(someBytes(200_000).subarray(start, end))).toBe(true)
        }
      }))

    test("reads as slowly as the consumer", (blobs, key) =>
      Effect.gen(function* () {
        yield* blobs.put(key, someBytes(9 * mebibyte), options)
        const blob = Option.getOrThrow(yield* blobs.get(key))
        const first = yield* Stream.runHead(blob.bytes)
        expect(Option.getOrThrow(first)[0]).toBe(someBytes(1)[0])
      }))
  })
}
