import { describe, expect, it } from "@effect/vitest"
import { blobsContract } from "@parley/testkit"
import { Deferred, Effect, Fiber, Option, Stream } from "effect"
import * as S3Blobs from "../src/S3Blobs.js"
import { type FakeS3, fakeS3 } from "./fakeS3.js"

const keys = { accessKeyId: "AKIAPARLEY", secretAccessKey: "not+a/secret", region: "eu-central-1" }
const bucket = "acme-files"
const options = { contentType: "image/png", limit: 64 * 1_024 * 1_024 }

const on = ({ url }: FakeS3, more: Partial<S3Blobs.S3BlobsOptions> = {}) =>
  S3Blobs.make({ bucket, prefix: "parley/", region: keys.region, endpoint: url, credentials: keys, ...more })

blobsContract("in S3", Effect.flatMap(fakeS3(bucket, keys), on))

describe("S3Blobs", () => {
  it.scopedLive("stores blobs under the prefix with their content type", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      const blobs = yield* on(s3)
      yield* blobs.put("small", new Uint8Array([1, 2, 3]), options)
      yield* blobs.put("large", new Uint8Array(6_000_000), options)
      expect([...s3.objects].map(([key, { contentType }]) => [key, contentType])).toEqual([
        ["parley/small", "image/png"],
        ["parley/large", "image/png"]
      ])
      const bare = yield* on(s3, { prefix: "" })
      yield* bare.put("bare", new Uint8Array(1), options)
      expect(s3.objects.has("bare")).toBe(true)
    })
  )

  it.scopedLive("aborts a failed upload and leaves no parts", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      const blobs = yield* on(s3)
      const parts = Stream.make(new Uint8Array(6_000_000), new Uint8Array(6_000_000))
      yield* Effect.flip(blobs.put("broken", Stream.concat(parts, Stream.fail("it broke")), options))
      expect(s3.requests.filter((line) => line.startsWith("POST")).length).toBe(1)
      expect(s3.uploads.size).toBe(0)
      s3.failure = { status: 400, code: "EntityTooSmall", when: /partNumber=2/, times: 1 }
      expect(yield* Effect.flip(blobs.put("refused", parts, options))).toMatchObject({
        reason: "the bucket does not answer (EntityTooSmall)"
      })
      expect(s3.uploads.size).toBe(0)
      expect(s3.objects.size).toBe(0)
    })
  )

  it.scopedLive("reports the error without credentials", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      const strangers = yield* on(s3, { credentials: { ...keys, secretAccessKey: "another" } })
      const unknown = yield* on(s3, { bucket: "nobodys" })
      expect(yield* Effect.flip(strangers.put("key", new Uint8Array(1), options))).toMatchObject({
        reason: "the bucket does not answer (SignatureDoesNotMatch)"
      })
      expect(yield* Effect.flip(unknown.put("key", new Uint8Array(1), options))).toMatchObject({
        reason: "the bucket does not answer (NoSuchBucket)"
      })
      // The response to HEAD has no body with an error code.
      expect(yield* Effect.flip(strangers.get("key"))).toMatchObject({ _tag: "BlobsUnavailable" })
      expect(yield* Effect.flip(strangers.remove(["key"]))).toMatchObject({ _tag: "BlobsUnavailable" })
    })
  )

  it.scopedLive("retries transient failures", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      const blobs = yield* on(s3)
      s3.failure = { status: 503, code: "SlowDown", when: /PUT/, times: 1 }
      expect(yield* blobs.put("key", new Uint8Array(10), options)).toBe(10)
    })
  )

  it.scopedLive("fails if the bucket does not answer in time", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      const blobs = yield* on(s3, { timeout: 50 })
      s3.unanswered = /./
      const unavailable = { _tag: "BlobsUnavailable", reason: "the bucket does not answer (TimeoutError)" }
      expect(yield* Effect.flip(blobs.put("key", new Uint8Array(1), options))).toMatchObject(unavailable)
      expect(yield* Effect.flip(blobs.get("key"))).toMatchObject(unavailable)
      expect(yield* Effect.flip(blobs.remove(["key"]))).toMatchObject(unavailable)
    })
  )

  it.scopedLive("fails if there are no credentials in time", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      const blobs = yield* on(s3, { timeout: 50, credentials: () => new Promise(() => {}) })
      expect(yield* Effect.flip(blobs.get("key"))).toMatchObject({ _tag: "BlobsUnavailable" })
      const put = blobs.put("key", new Uint8Array(1), options)
      expect(yield* Effect.flip(put)).toMatchObject({ _tag: "BlobsUnavailable" })
    })
  )

  it.scopedLive("fails a download that stops in the middle, and waits for a slow reader", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      yield* (yield* on(s3)).put("key", new Uint8Array(4_000_000), options)
      const blobs = yield* on(s3, { timeout: 1_000 })
      const read = Effect.flatMap(blobs.get("key"), (found) => {
        const { bytes } = Option.getOrThrow(found)
        return Stream.runFoldEffect(bytes, 0, (size, chunk) =>
          Effect.delay(Effect.succeed(size + chunk.length), size === 0 ? 1_200 : 0)
        )
      })
      expect(yield* read).toBe(4_000_000)
      s3.halfAnswered = /GET/
      expect(yield* Effect.flip(read)).toMatchObject({
        _tag: "BlobsUnavailable",
        reason: "the bucket does not answer (TimeoutError)"
      })
    })
  )

  it.scopedLive("ends a download that stops in the middle once its reader leaves", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      const blobs = yield* on(s3)
      yield* blobs.put("key", new Uint8Array(4_000_000), options)
      s3.halfAnswered = /GET/
      const { bytes } = Option.getOrThrow(yield* blobs.get("key"))
      const half = yield* Deferred.make<void>()
      let size = 0
      const reading = yield* Effect.fork(
        Stream.runForEach(bytes, (chunk) => {
          size += chunk.length
          return size === 2_000_000 ? Deferred.succeed(half, undefined) : Effect.void
        })
      )
      yield* Deferred.await(half)
      yield* Fiber.interrupt(reading)
    })
  )

  it.scopedLive("fails a download if the object is deleted in the meantime", () =>
    Effect.gen(function* () {
      const s3 = yield* fakeS3(bucket, keys)
      const blobs = yield* on(s3)
      yield* blobs.put("key", new Uint8Array(10), options)
      const { bytes } = Option.getOrThrow(yield* blobs.get("key"))
      s3.objects.clear()
      expect(yield* Effect.flip(Stream.runDrain(bytes))).toMatchObject({
        reason: "the bucket does not answer (NoSuchKey)"
      })
    })
  )
})
