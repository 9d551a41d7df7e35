import { S3Blobs, type S3BlobsOptions } from "@parley/blobs-s3"
import type { BlobStore } from "./BlobStore.js"

/** The options of {@link s3}. */
export type S3Options = S3BlobsOptions

/**
 * Keeps files in a bucket of S3 or a compatible service, for the option `blobs`. Needs the packages
 * `@aws-sdk/client-s3` and `@aws-sdk/lib-storage`. Permissions: [attachments](docs/attachments.md).
 */
export const s3 = (options: S3Options): BlobStore => S3Blobs.layer(options) as unknown as BlobStore
