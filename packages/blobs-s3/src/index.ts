export type { S3BlobsOptions } from "./S3Blobs.js"
export * as S3Blobs from "./S3Blobs.js"
