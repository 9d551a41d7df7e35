import { Either } from "effect"
import { invalid, type Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { AttachmentSettings } from "../../kernel/EngineSettings.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import { hour, type Instant } from "../../model/Instant.js"
import { type Job, newJob } from "../../model/Job.js"
import type { Upload } from "../../model/Upload.js"
import { changes, expect, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import { lookUpIdempotency, storeIdempotency } from "../access/idempotency.js"
import { encodeUpload } from "./UploadResource.js"

/** Maximum number of an application's unsent uploads. */
export const maxUnsent = 1_000

/** What the rules of `POST /attachments` may read. */
export interface UploadWorld {
  readonly caller: Caller
  readonly record: IdempotencyRecord | undefined
  /** The version of the application, read before {@link unsent}. */
  readonly applicationVersion: number
  /** The unsent uploads of the application, {@link maxUnsent} at most. */
  readonly unsent: ReadonlyArray<Upload>
}

/** A file whose bytes are in the blob store, under its id. */
export type StoredUpload = Pick<Upload, "id" | "contentType" | "fileName" | "size">

/**
 * The rules of `POST /attachments` once the bytes are stored (docs/reference/content.md#uploads). Its record, its row
 * and the job that deletes it if it is never sent are one commit. It raises the version of the application, so that no
 * concurrent upload is missing in the sum. The blob of a replay or of a refusal is not needed.
 */
export const createUpload = (
  { applicationVersion, caller, record, unsent }: UploadWorld,
  stored: StoredUpload,
  idempotency: Idempotency,
  { unsentBytes, uploadLifetime }: Pick<AttachmentSettings, "unsentBytes" | "uploadLifetime">,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const replay = yield* lookUpIdempotency(record, idempotency, now)
    if (replay !== null) return { changes: null, result: replay.answer }
    yield* permitUpload(unsent, stored.size, unsentBytes)
    const workspaceId = caller.workspace.id
    const application = { id: caller.application.id }
    const upload: Upload = {
      ...stored,
      workspaceId,
      applicationId: application.id,
      sent: false,
      expiresAt: now + uploadLifetime,
      createdAt: now,
      version: 1
    }
    const answer = { status: 201, body: JSON.stringify({ data: encodeUpload(upload) }) }
    return {
      changes: changes(workspaceId, storeIdempotency(record, caller, idempotency, answer, now), {
        expects: [expect("applications", application, { version: applicationVersion })],
        sets: [set("applications", application, {})],
        inserts: [
          row("uploads", upload),
          row("jobs", deletionJob(upload, ids.next(now), upload.expiresAt + uploadGrace, now))
        ]
      }),
      result: { ...answer, replayed: false }
    }
  })

/** Refuses a file of `size` bytes if the unsent uploads of the application leave no room for it. */
export const permitUpload = (
  unsent: ReadonlyArray<Upload>,
  size: number,
  unsentBytes: number
): Either.Either<void, Refusal> => {
  const held = unsent.reduce((sum, upload) => sum + upload.size, 0)
  return held + size <= unsentBytes && unsent.length < maxUnsent
    ? Either.void
    : Either.left(
        invalid({
          file: [
            `leaves this application with more than ${unsentBytes} bytes or ${maxUnsent} files that it has not sent; send them, or wait until they expire`
          ]
        })
      )
}

/** Time in ms after its expiry when the job deletes an upload. */
const uploadGrace = hour

/**
 * Time in ms after its expiry in which an upload stays: a send that found it usable has committed by then. Less than
 * {@link uploadGrace}, because the clock of the process that runs the job may be behind.
 */
const sendGrace = hour / 2

/** Whether an upload may be sent, also by a send that began before its expiry. */
export const maySend = ({ expiresAt }: Pick<Upload, "expiresAt">, now: Instant): boolean => now < expiresAt + sendGrace

/** The job that deletes an upload unless it may be sent or a message has it. */
export const deletionJob = (
  { id: uploadId, workspaceId }: Pick<Upload, "id" | "workspaceId">,
  id: string,
  runAt: Instant,
  now: Instant
): Job =>
  newJob({
    ...{ id, workspaceId, lane: "housekeeping", subject: uploadId, reference: uploadId, runAt, createdAt: now },
    payload: { task: "delete_upload" }
  })
