declare const blobStore: unique symbol

/** A storage of customers' files, from `@parley/embed/s3`. */
export interface BlobStore {
  readonly [blobStore]: true
}
