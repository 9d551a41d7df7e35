import { Context, Data, type Effect, type Option, type Stream } from "effect"

/** More bytes came than are taken; none of them is kept. `limit` in bytes. */
export class BlobTooLarge extends Data.TaggedError("BlobTooLarge")<{ readonly limit: number }> {}

/** The place where blobs are kept does not answer, or has no room. What was asked for may be asked for again. */
export class BlobsUnavailable extends Data.TaggedError("BlobsUnavailable")<{ readonly reason: string }> {}

/** A kept blob. The bytes are read as they are asked for; a blob that is removed meanwhile ends in an error. */
export interface Blob {
  /** In bytes. */
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, BlobsUnavailable>
}

/** What to know of bytes besides them. */
export interface BlobOptions {
  /** A media type, for places that keep one beside the bytes. */
  readonly contentType: string
  /** The most that is taken, in bytes. */
  readonly limit: number
}

/**
 * Where the bytes of attachments are, by a key of lower-case letters, digits and dashes, at most 100. Every host of a database needs the
 * same place.
 */
export interface Blobs {
  /**
   * Keeps bytes, instead of what the key had before, and answers their size. Durable when it answers; until then, and when
   * it fails, there is what was there before. Fails with an error of the stream's own too.
   */
  readonly put: <E = never>(
    key: string,
    bytes: Uint8Array | Stream.Stream<Uint8Array, E>,
    options: BlobOptions
  ) => Effect.Effect<number, E | BlobTooLarge | BlobsUnavailable>
  readonly get: (key: string) => Effect.Effect<Option.Option<Blob>, BlobsUnavailable>
  /** Lets go of these, as far as they are there. */
  readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, BlobsUnavailable>
}
export const Blobs = Context.GenericTag<Blobs>("@parley/core/Blobs")
