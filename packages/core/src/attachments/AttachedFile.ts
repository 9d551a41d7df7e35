import type { Instant } from "../Instant.js"

/** Where the bytes of an attachment are: its id is that of the {@link Attachment}, and the name of the blob. */
export interface AttachedFile {
  readonly id: string
  readonly workspaceId: string
  readonly connectionId: string
  readonly messageId: string
  readonly status: "waiting" | "stored" | "failed"
  /** What the provider finds it by; null where the message brought the bytes. */
  readonly reference: string | null
  readonly createdAt: Instant
  readonly version: number
}
