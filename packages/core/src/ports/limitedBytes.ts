import { Effect, Stream } from "effect"
import { BlobTooLarge } from "./Blobs.js"

/** The bytes as a stream that ends in `BlobTooLarge` where more than `limit` of them come. */
export const limitedBytes = <E = never>(
  bytes: Uint8Array | Stream.Stream<Uint8Array, E>,
  limit: number
): Stream.Stream<Uint8Array, E | BlobTooLarge> =>
  Stream.mapAccumEffect(bytes instanceof Uint8Array ? Stream.make(bytes) : bytes, 0, (before, chunk) => {
    const size = before + chunk.length
    return size > limit ? new BlobTooLarge({ limit }) : Effect.succeed([size, chunk] as const)
  })
