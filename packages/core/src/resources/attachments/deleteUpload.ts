import { Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decider } from "../../kernel/Decider.js"
import type { Blobs, BlobsUnavailable } from "../../ports/Blobs.js"
import { changes, expect, remove } from "../../ports/Changes.js"
import { type CommitError, readById, type Storage } from "../../ports/Storage.js"
import { maySend } from "./createUpload.js"

/**
 * Deletes an expired upload that no message has, then its blob. A retry after a crash finds no row, and deletes the
 * blob. The first send with the upload changes its row, so one of the two commits conflicts; later sends have committed
 * before, since the upload stays for half an hour after its expiry.
 */
export const deleteUpload = (
  storage: Pick<Storage, "list" | "read">,
  blobs: Pick<Blobs, "remove">,
  { decideAndCommit }: Decider,
  id: string
): Effect.Effect<void, Refusal | CommitError | BlobsUnavailable> =>
  Effect.flatMap(
    decideAndCommit(loadUpload(storage, id), ({ isUsed, upload }, now) =>
      Either.right(
        upload === undefined || isUsed || maySend(upload, now)
          ? { changes: null, result: upload === undefined && !isUsed }
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

/** The row first: a send that commits before its files are read changes the row's version. */
const loadUpload = (storage: Pick<Storage, "list" | "read">, id: string) =>
  Effect.zipWith(
    readById(storage, "uploads", id),
    storage.list({ from: "attachedFiles", where: { uploadId: id }, after: null, limit: 1 }),
    (upload, files) => ({ upload, isUsed: files.length > 0 })
  )
