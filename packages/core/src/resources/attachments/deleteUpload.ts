import { Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decider } from "../../kernel/Decider.js"
import type { Blobs, BlobsUnavailable } from "../../ports/Blobs.js"
import { changes, expect, remove } from "../../ports/Changes.js"
import { type CommitError, readById, type Storage } from "../../ports/Storage.js"

/**
 * Deletes an upload that no message has, then its blob. A retry after a crash finds no row, and deletes the blob. A send
 * that takes the upload meanwhile changes its row, so one of the two commits conflicts.
 */
export const deleteUpload = (
  storage: Pick<Storage, "read">,
  blobs: Pick<Blobs, "remove">,
  { decideAndCommit }: Decider,
  id: string
): Effect.Effect<void, Refusal | CommitError | BlobsUnavailable> =>
  Effect.flatMap(
    decideAndCommit(readById(storage, "uploads", id), (upload) =>
      Either.right(
        upload === undefined || upload.sent
          ? { changes: null, result: upload === undefined }
          : {
              changes: changes(upload.workspaceId, {
                expects: [expect("uploads", { id }, { version: upload.version })],
                deletes: [remove("uploads", { id })]
              }),
              result: true
            }
      )
    ),
    (isDeleted) => (isDeleted ? blobs.remove([id]) : Effect.void)
  )
