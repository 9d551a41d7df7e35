import { Context, Data, type Effect, type Option, type Stream } from "effect"

/** The bytes exceed the limit of the call (`limit`, in bytes). Nothing was stored. */
export class BlobTooLarge extends Data.TaggedError("BlobTooLarge")<{ readonly limit: number }> {}

/** The blob store is unreachable or full. The call can be retried. */
export class BlobsUnavailable extends Data.TaggedError("BlobsUnavailable")<{ readonly reason: string }> {}

/** A stored blob. The bytes are read lazily; the stream fails if the blob is removed while it is read. */
export interface Blob {
  /** In bytes. */
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, BlobsUnavailable>
  /**
   * The bytes from `start` to `end`, exclusive, within the size. Does not read those before. Default: {@link bytes} is
   * read from its beginning, so that the last byte of a large file costs all of it.
   */
  readonly slice?: (start: number, end: number) => Stream.Stream<Uint8Array, BlobsUnavailable>
}

/** Options of {@link Blobs.put}. */
export interface BlobOptions {
  /** The media type, for stores that keep one as metadata. */
  readonly contentType: string
  /** Maximum size in bytes. */
  readonly limit: number
}

/**
 * Object store for the bytes of attachments (docs/reference/storage.md#blobs).
 *
 * Invariants:
 * - A key has 1 to 100 lower-case letters, digits and dashes.
 * - All hosts of one database use the same store.
 * - A put is durable when it succeeds. Until then, and after a failure, the key has its previous content.
 */
export interface Blobs {
  /**
   * Stores bytes under a key, replacing its previous content. Returns their size in bytes. Fails with
   * {@link BlobTooLarge}, {@link BlobsUnavailable} or the error of the given stream.
   */
  readonly put: <E = never>(
    key: string,
    bytes: Uint8Array | Stream.Stream<Uint8Array, E>,
    options: BlobOptions
  ) => Effect.Effect<number, E | BlobTooLarge | BlobsUnavailable>
  /** Returns the blob of a key; none if the key has no blob. */
  readonly get: (key: string) => Effect.Effect<Option.Option<Blob>, BlobsUnavailable>
  /** Deletes blobs. Keys without a blob are ignored. */
  readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, BlobsUnavailable>
}
export const Blobs = Context.GenericTag<Blobs>("@parley/core/Blobs")
