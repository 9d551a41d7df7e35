import type { Connection } from "../channels/Connection.js"
import { fetchJob } from "../channels/fetchJob.js"
import type { Instant } from "../Instant.js"
import type { Attachment, Message } from "../messages/Message.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { AttachedFile } from "./AttachedFile.js"

/** A file of a customer's message: what is told of it, and where its bytes are. */
export interface InboundFile extends Pick<AttachedFile, "status" | "reference"> {
  readonly attachment: Attachment
}

/** The rows of a file: where its bytes are, and the job that fetches them where they are still at the vendor. */
export const attachFile = (
  connection: Connection,
  { id: messageId, workspaceId }: Message,
  { attachment: { id }, reference, status }: InboundFile,
  now: Instant
): ReadonlyArray<RowOf<"attachedFiles" | "jobs">> => {
  const connectionId = connection.id
  const file = row("attachedFiles", {
    id,
    workspaceId,
    connectionId,
    messageId,
    status,
    reference,
    createdAt: now,
    version: 1
  })
  const job = fetchJob(connection, { id, task: "fetch_file", reference: id, runAt: now }, now)
  return status === "waiting" ? [file, row("jobs", job)] : [file]
}
