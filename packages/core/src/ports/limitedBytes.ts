import { Effect, Stream } from "effect"
import { BlobTooLarge } from "./Blobs.js"

/** Streams the bytes and fails with {@link BlobTooLarge} once more than `limit` bytes have arrived. */
export const limitedBytes = <E = never>(
  bytes: Uint8Array | Stream.Stream<Uint8Array, E>,
  limit: number
): Stream.Stream<Uint8Array, E | BlobTooLarge> =>
  Stream.mapAccumEffect(bytes instanceof Uint8Array ? Stream.make(bytes) : bytes, 0, (before, chunk) => {
    const size = before + chunk.length
    return size > limit ? new BlobTooLarge({ limit }) : Effect.succeed([size, chunk] as const)
  })
