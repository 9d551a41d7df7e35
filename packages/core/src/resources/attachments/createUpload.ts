import { Either } from "effect"
import { invalid, type Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { AttachmentSettings } from "../../kernel/EngineSettings.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import { hour, type Instant } from "../../model/Instant.js"
import { housekeepingJob, type Job } from "../../model/Job.js"
import type { Upload } from "../../model/Upload.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Answer, Idempotency } from "../access/Answer.js"
import { lookUpIdempotency, storeIdempotency } from "../access/idempotency.js"
import { takesChanges } from "../access/takesChanges.js"
import { encodeUpload } from "./UploadResource.js"

/** Maximum number of an owner's unsent uploads. */
export const maxUnsent = 1_000

/** Who may send an upload: an application or, as the workspace, its administrators. */
export interface UploadOwner {
  readonly table: "applications" | "workspaces"
  /** Of its row; `Upload.applicationId`. */
  readonly id: string
  readonly workspaceId: string
  /** Undefined: there is no workspace of this id. */
  readonly workspace: Workspace | undefined
  /** The version of its row, read before {@link UploadWorld.unsent}. */
  readonly version: number
  /** Owner of the idempotency keys. */
  readonly keysOwnerId: string
}

/** What the rules of `POST /attachments` may read. */
export interface UploadWorld {
  readonly owner: UploadOwner
  readonly record: IdempotencyRecord | undefined
  /** The unsent uploads of the owner, {@link maxUnsent} at most. */
  readonly unsent: ReadonlyArray<Upload>
}

/** A file whose bytes are in the blob store, under its id. */
export type StoredUpload = Pick<Upload, "id" | "contentType" | "fileName" | "size">

/**
 * The rules of `POST /attachments` once the bytes are stored (docs/reference/content.md#uploads). Its record, its row
 * and the job that deletes it if it is never sent are one commit. It raises the version of the owner's row, so that no
 * concurrent upload is missing in the sum. The blob of a replay or of a refusal is not needed. `idempotency`: null
 * without a key.
 */
export const createUpload = (
  { owner, record, unsent }: UploadWorld,
  stored: StoredUpload,
  idempotency: Idempotency | null,
  { unsentBytes, uploadLifetime }: Pick<AttachmentSettings, "unsentBytes" | "uploadLifetime">,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    yield* permitOwner(owner)
    const replay = idempotency === null ? null : yield* lookUpIdempotency(record, idempotency, now)
    if (replay !== null) return { changes: null, result: replay.answer }
    yield* permitUpload({ owner, unsent }, stored.size, unsentBytes)
    const { id: ownerId, keysOwnerId, table, version, workspaceId } = owner
    const keys = { workspace: { id: workspaceId }, application: { id: keysOwnerId } }
    const upload: Upload = {
      ...stored,
      workspaceId,
      applicationId: ownerId,
      sent: false,
      expiresAt: now + uploadLifetime,
      createdAt: now,
      version: 1
    }
    const answer = { status: 201, body: JSON.stringify({ data: encodeUpload(upload) }) }
    return {
      changes: changes(
        workspaceId,
        idempotency === null ? {} : storeIdempotency(record, keys, idempotency, answer, now),
        {
          expects: [expect(table, { id: ownerId }, { version })],
          sets: [set(table, { id: ownerId }, {})],
          inserts: [
            row("uploads", upload),
            row("jobs", deletionJob(upload, ids.next(now), upload.expiresAt + uploadGrace, now))
          ]
        }
      ),
      result: { ...answer, replayed: false }
    }
  })

/** Refuses uploads for an unknown workspace, and for one that takes no changes. */
export const permitOwner = ({
  workspace,
  workspaceId
}: Pick<UploadOwner, "workspace" | "workspaceId">): Either.Either<null, Refusal> =>
  workspace === undefined ? Either.left(invalid(workspaceProblems(workspaceId, workspace))) : takesChanges(workspace)

/** Refuses a file of `size` bytes if the unsent uploads of the owner leave no room for it. */
export const permitUpload = (
  { owner, unsent }: Pick<UploadWorld, "owner" | "unsent">,
  size: number,
  unsentBytes: number
): Either.Either<void, Refusal> => {
  const held = unsent.reduce((sum, upload) => sum + upload.size, 0)
  return held + size <= unsentBytes && unsent.length < maxUnsent
    ? Either.void
    : Either.left(
        invalid({
          file: [
            `leaves this ${owner.table === "applications" ? "application" : "workspace"} with more than ${unsentBytes} bytes or ${maxUnsent} files that it has not sent; send them, or wait until they expire`
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
  upload: Pick<Upload, "id" | "workspaceId">,
  id: string,
  runAt: Instant,
  now: Instant
): Job => housekeepingJob(id, upload, { task: "delete_upload" }, now, runAt)
