import { Either } from "effect"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Attachment, Message } from "../messages/Message.js"
import { changes, expect, set } from "../ports/Changes.js"
import type { AttachedFile } from "./AttachedFile.js"

/** What came of fetching a file: what is known of it now that its bytes are kept, or null where it cannot be had. */
export type FetchedAttachment = Pick<Attachment, "contentType" | "fileName" | "size"> | null

/** All that the record of a fetched file may look at. */
export interface FileWorld {
  readonly file: AttachedFile | undefined
  readonly message: Message | undefined
}

/**
 * Writes down what came of fetching a file. One that cannot be had stays with its message, as it was told of. Answers
 * whether there is somebody to keep the bytes for: not where the message was erased meanwhile. No event tells of it.
 */
export const recordFile = (
  { file, message }: FileWorld,
  fetched: FetchedAttachment
): Either.Either<Decision<boolean>, Refusal> => {
  if (file === undefined || message === undefined) return Either.right({ changes: null, result: false })
  if (file.status !== "waiting") return Either.right({ changes: null, result: file.status === "stored" })
  const { id } = file
  const key = { id: message.id }
  const attachments = message.attachments.map((one) => (one.id === id ? { ...one, ...fetched } : one))
  return Either.right({
    changes: changes(
      file.workspaceId,
      {
        expects: [expect("attachedFiles", { id }, { version: file.version })],
        sets: [set("attachedFiles", { id }, { status: fetched === null ? "failed" : "stored" })]
      },
      fetched === null
        ? {}
        : {
            expects: [expect("messages", key, { version: message.version })],
            sets: [set("messages", key, { attachments })]
          }
    ),
    result: fetched !== null
  })
}
