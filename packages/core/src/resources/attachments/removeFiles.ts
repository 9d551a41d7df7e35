import { Effect } from "effect"
import type { Message } from "../../model/Message.js"
import type { Blobs, BlobsUnavailable } from "../../ports/Blobs.js"
import { expect, type Parts, remove } from "../../ports/Changes.js"
import { lookup, type ReadError, type Storage } from "../../ports/Storage.js"

/**
 * Removes the bytes of the files of messages from the blob store, and returns the changes that delete their rows.
 * Commit them together with the deletion of the messages, because a retry finds the files by the messages. A concurrent
 * fetch conflicts with the changed message or finds no row.
 */
export const removeFiles = (
  storage: Pick<Storage, "read">,
  blobs: Pick<Blobs, "remove">,
  messages: ReadonlyArray<Message>
): Effect.Effect<Parts, ReadError | BlobsUnavailable> =>
  Effect.gen(function* () {
    const ids = messages.flatMap(({ attachments }) => attachments.map(({ id }) => id))
    if (ids.length === 0) return {}
    yield* blobs.remove(ids)
    const found = yield* storage.read(Object.fromEntries(ids.map((id) => [id, lookup("attachedFiles", { id })])))
    const files = Object.values(found).flat()
    return {
      expects: files.map(({ id }) => expect("attachedFiles", { id })),
      deletes: files.map(({ id }) => remove("attachedFiles", { id }))
    }
  })
