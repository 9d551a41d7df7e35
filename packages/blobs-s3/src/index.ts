export * as S3Blobs from "./S3Blobs.js"
