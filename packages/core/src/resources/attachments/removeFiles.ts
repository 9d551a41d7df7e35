import { Clock, Effect } from "effect"
import type { Message } from "../../model/Message.js"
import type { Blobs, BlobsUnavailable } from "../../ports/Blobs.js"
import { expect, type Parts, remove, row } from "../../ports/Changes.js"
import { lookup, type ReadError, type Storage } from "../../ports/Storage.js"
import { deletionJob } from "./createUpload.js"

/**
 * Removes the bytes of the files of messages from the blob store, and returns the changes that delete their rows. The
 * bytes of an upload are removed by a job, because other messages may have them. Commit them together with the deletion
 * of the messages, because a retry finds the files by the messages. A concurrent fetch conflicts with the changed
 * message or finds no row.
 */
export const removeFiles = (
  storage: Pick<Storage, "read">,
  blobs: Pick<Blobs, "remove">,
  messages: ReadonlyArray<Message>
): Effect.Effect<Parts, ReadError | BlobsUnavailable> =>
  Effect.gen(function* () {
    const attachments = messages.flatMap((message) => message.attachments)
    if (attachments.length === 0) return {}
    const ids = attachments.map(({ id }) => id)
    yield* blobs.remove(attachments.filter(({ uploadId }) => uploadId === undefined).map(({ id }) => id))
    const found = yield* storage.read(Object.fromEntries(ids.map((id) => [id, lookup("attachedFiles", { id })])))
    const files = Object.values(found).flat()
    const now = yield* Clock.currentTimeMillis
    return {
      inserts: files.flatMap(({ id, uploadId, workspaceId }) =>
        // No other job has the id of a file that is an upload.
        uploadId === null ? [] : [row("jobs", deletionJob({ id: uploadId, workspaceId }, id, now, now))]
      ),
      expects: files.map(({ id }) => expect("attachedFiles", { id })),
      deletes: files.map(({ id }) => remove("attachedFiles", { id }))
    }
  })
