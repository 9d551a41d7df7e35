import { Effect } from "effect"
import type { Message } from "../messages/Message.js"
import type { Blobs, BlobsUnavailable } from "../ports/Blobs.js"
import { expect, type Parts, remove } from "../ports/Changes.js"
import { lookup, type ReadError, type Storage } from "../ports/Storage.js"

/**
 * Removes the bytes of files that messages have, and answers how the rows of these go: with the messages, which are what
 * the files are found by if all this has to be done again. Who fetches one meanwhile changes its message, or finds no row.
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
