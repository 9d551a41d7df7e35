import type { Instant } from "./Instant.js"

/**
 * Download state of an attachment. Its id is the id of the `Attachment` of `Message.ts` and, unless it is an upload,
 * the key of the blob.
 */
export interface AttachedFile {
  readonly id: string
  readonly workspaceId: string
  readonly connectionId: string
  readonly messageId: string
  readonly status: "waiting" | "stored" | "failed"
  /** The provider's reference for the download; null if the bytes came with the message. */
  readonly reference: string | null
  /** The upload whose blob it shares; null if it has its own. */
  readonly uploadId: string | null
  readonly createdAt: Instant
  readonly version: number
}
