import type { PlainOptions, StorageOptions } from "@parley/host"
import type { BlobStore } from "./BlobStore.js"
import type { Channel } from "./Channel.js"

/** Options of `createParley`. Only `storage` and `channels` are required. */
export interface ParleyOptions extends PlainOptions {
  /**
   * URL of the database, or your pool. Postgres needs the package `pg`; SQLite the package `better-sqlite3`, or Node
   * 22.13.
   */
  readonly storage: StorageOptions
  /** For example `sandbox()` of `@parley/embed/sandbox`. */
  readonly channels: ReadonlyArray<Channel>
  /**
   * Storage of customers' files: a folder, created if missing, or `s3({ … })` of `@parley/embed/s3`. Processes that
   * share a database need the same location. Default with a SQLite file: the folder `<file>.blobs`. Required with any
   * other storage if a channel receives files.
   */
  readonly blobs?: { readonly folder: string } | BlobStore | undefined
}
