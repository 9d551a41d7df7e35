import type { AttachedFile } from "../../model/AttachedFile.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Attachment, Message } from "../../model/Message.js"
import { type RowOf, row } from "../../ports/Changes.js"
import { fetchJob } from "../channels/fetchJob.js"

/** A file of an inbound message: its description and where its bytes are. */
export interface InboundFile extends Pick<AttachedFile, "status" | "reference"> {
  readonly attachment: Attachment
}

/** The rows of a file: its state, and the job that fetches its bytes if the vendor still has them. */
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
    uploadId: null,
    createdAt: now,
    version: 1
  })
  const job = fetchJob(connection, { id, task: "fetch_file", reference: id, runAt: now }, now)
  return status === "waiting" ? [file, row("jobs", job)] : [file]
}
