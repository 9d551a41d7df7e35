import { Blobs, limitedBytes } from "@parley/core"
import { Chunk, Effect, Layer, Option, Stream } from "effect"

/** Stores blobs in memory: for tests and in-memory databases. */
export const make = (): Blobs => {
  const kept = new Map<string, Uint8Array>()
  return {
    put: (key, bytes, { limit }) =>
      Effect.map(Stream.runCollect(limitedBytes(bytes, limit)), (chunks) => {
        const whole = Buffer.concat(Chunk.toReadonlyArray(chunks))
        kept.set(key, whole)
        return whole.length
      }),
    get: (key) =>
      Effect.sync(() =>
        Option.map(Option.fromNullable(kept.get(key)), (bytes) => ({
          size: bytes.length,
          bytes: Stream.make(bytes),
          slice: (start: number, end: number) => Stream.make(bytes.subarray(start, end))
        }))
      ),
    remove: (keys) =>
      Effect.sync(() => {
        for (const key of keys) kept.delete(key)
      })
  }
}

/** {@link make} as a layer. */
export const layer: Layer.Layer<Blobs> = Layer.sync(Blobs, make)
