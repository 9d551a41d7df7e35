import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { AttachedFile } from "../../model/AttachedFile.js"
import type { Attachment, Message } from "../../model/Message.js"
import { changes, expect, set } from "../../ports/Changes.js"

/** Description of a fetched file whose bytes are stored; null if it was given up. */
export type FetchedAttachment = Pick<Attachment, "contentType" | "fileName" | "size"> | null

/** What the commit after a fetch may read. */
export interface FileWorld {
  readonly file: AttachedFile | undefined
  readonly message: Message | undefined
}

/**
 * Records the result of a fetch. A file that was given up stays in its message unchanged. Returns whether the bytes
 * must be kept: false if the message was erased in the meantime. Emits no event.
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
