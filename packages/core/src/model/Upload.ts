import type { Instant } from "./Instant.js"

/**
 * A file that was uploaded to send it (docs/reference/content.md#uploads), by an application or by an administrator
 * (docs/reference/content.md#uploads-of-administrators). Its id is the key of its blob, to which the files of all
 * messages refer that it is sent in.
 */
export interface Upload {
  readonly id: string
  readonly workspaceId: string
  /** Who may send it: an application or, with the id of the workspace, the workspace's administrators. */
  readonly applicationId: string
  readonly contentType: string
  readonly fileName: string | null
  /** In bytes. */
  readonly size: number
  /** Whether a message refers to it. Its blob is kept as long. */
  readonly sent: boolean
  /** From then on it cannot be sent. */
  readonly expiresAt: Instant
  readonly createdAt: Instant
  readonly version: number
}

/** Whether an owner, see `Upload.applicationId`, may send an upload at this time. */
export const isUsable = (upload: Upload, ownerId: string, now: Instant): boolean =>
  upload.applicationId === ownerId && now < upload.expiresAt
