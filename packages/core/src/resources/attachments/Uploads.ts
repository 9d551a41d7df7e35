import { createHash } from "node:crypto"
import { Clock, Context, Effect, type Scope, Stream } from "effect"
import { invalid, type Refusal, refuse } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { isUsable, type Upload } from "../../model/Upload.js"
import { Blobs } from "../../ports/Blobs.js"
import { Ids } from "../../ports/Ids.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { Answer, Idempotency } from "../access/Answer.js"
import { administratorKeysOwner } from "../access/administratorKeysOwner.js"
import type { Caller } from "../access/Caller.js"
import { fingerprint } from "../access/fingerprint.js"
import {
  createUpload,
  maxUnsent,
  permitOwner,
  permitUpload,
  type StoredUpload,
  type UploadOwner,
  type UploadWorld
} from "./createUpload.js"
import { contentTypeOf, fileNameOf, isKeptType, unknownContentType } from "./describeFile.js"
import { typeOfFile } from "./typeOfFile.js"
import { withHead } from "./withHead.js"

/** Who uploads a file: an application, or an administrator for the agents of a workspace. */
export type Uploader =
  | { readonly _tag: "Application"; readonly caller: Caller }
  /** `actor` as in the audit log. */
  | { readonly _tag: "Administrator"; readonly actor: string; readonly workspaceId: string }

/** A file that is being uploaded. */
export interface UploadedFile<E> {
  /** Its bytes, read once. */
  readonly bytes: Stream.Stream<Uint8Array, E>
  /** What its sender says of it; called once the first bytes have arrived. */
  readonly describe: () => { readonly contentType: string | null; readonly fileName: string | null }
  /** The key, and the fingerprint of the request without its bytes. Null without a key. */
  readonly idempotency: Idempotency | null
}

/**
 * The files that applications (docs/reference/content.md#uploads) and administrators
 * (docs/reference/content.md#uploads-of-administrators) upload to send them.
 */
export interface Uploads {
  /**
   * `POST /attachments`: streams a file into the blob store. Fails with `payload_too_large`, with `validation_failed`
   * if it is empty, is not of the declared type, is of a type that is not kept, exceeds what the uploader may leave
   * unsent or is for an unknown workspace, with `service_unavailable` while the blob store is unavailable, and with the
   * error of the bytes. In a workspace that takes no changes, it fails as `takesChanges` says.
   */
  readonly create: <E>(uploader: Uploader, file: UploadedFile<E>) => Effect.Effect<Answer, E | Refusal | CommitError>
  /**
   * `GET /attachments/{id}`. Fails with `not_found` if it is another application's, or has expired. `applicationId`:
   * null for administrators, who read those of all administrators.
   */
  readonly get: (applicationId: string | null, id: string) => Effect.Effect<Upload, Refusal | ReadError>
}
export const Uploads = Context.GenericTag<Uploads>("@parley/core/Uploads")

/** The owner of what is uploaded, as far as it is known without a read. */
const ownerOf = (uploader: Uploader): Omit<UploadOwner, "version"> => {
  if (uploader._tag === "Administrator") {
    const { actor, workspaceId } = uploader
    const keysOwnerId = administratorKeysOwner(actor)
    return { table: "workspaces", id: workspaceId, workspaceId, workspace: undefined, keysOwnerId }
  }
  const { application, workspace } = uploader.caller
  const { id } = application
  return { table: "applications", id, workspaceId: workspace.id, workspace, keysOwnerId: id }
}

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const blobs = yield* Blobs
  const ids = yield* Ids
  const { decideAndCommit } = yield* Decider
  const { attachments: settings } = yield* EngineSettings

  const load = (uploader: Uploader, key: string | undefined): Effect.Effect<UploadWorld, ReadError> => {
    const { id, keysOwnerId, table, ...owner } = ownerOf(uploader)
    return Effect.zipWith(
      storage.read({
        records: key === undefined ? null : lookup("idempotency", { applicationId: keysOwnerId, key }),
        applications: table === "applications" ? lookupById(table, id) : null,
        workspaces: table === "workspaces" ? lookupById(table, id) : null
      }),
      storage.list({ from: "uploads", where: { applicationId: id, sent: false }, after: null, limit: maxUnsent }),
      ({ applications: [application], records: [record], workspaces: [found] }, unsent) => {
        const workspace = owner.workspace ?? found
        const version = (application ?? found)?.version ?? 0
        return { owner: { ...owner, id, keysOwnerId, table, version, workspace }, record, unsent }
      }
    )
  }

  /** Stores the bytes under a fresh id. */
  const store = <E>(
    file: UploadedFile<E>
  ): Effect.Effect<StoredUpload & { readonly hash: string }, E | Refusal, Scope.Scope> =>
    Effect.gen(function* () {
      const { head, bytes } = yield* withHead(file.bytes)
      if (head.length === 0) return yield* invalid({ file: ["must not be empty"] })
      const described = file.describe()
      const contentType = yield* checkedType(head, described.contentType)
      if (!isKeptType(settings.types, contentType)) {
        return yield* invalid({ file: [`is ${contentType}, which is not accepted`] })
      }
      const id = ids.next(yield* Clock.currentTimeMillis)
      const hash = createHash("sha256")
      const hashed = Stream.tap(bytes, (chunk) => Effect.sync(() => hash.update(chunk)))
      const { maxBytes: limit } = settings
      const size = yield* blobs
        .put(
          id,
          Stream.mapError(hashed, (cause) => ({ _tag: "Broken" as const, cause })),
          {
            contentType,
            limit
          }
        )
        .pipe(
          Effect.catchTags({
            Broken: ({ cause }) => Effect.fail(cause),
            BlobTooLarge: () => refuse("payload_too_large", {}, `The file must be at most ${limit} bytes.`),
            BlobsUnavailable: ({ reason }) =>
              Effect.zipRight(
                Effect.logWarning(`a file cannot be stored: ${reason}`),
                refuse("service_unavailable", {}, "Files cannot be stored now. Try again soon.")
              )
          })
        )
      return { id, contentType, fileName: fileNameOf(described.fileName), size, hash: hash.digest("hex") }
    })

  const create: Uploads["create"] = (uploader, file) =>
    Effect.scoped(
      Effect.gen(function* () {
        const key = file.idempotency?.key
        const before = yield* load(uploader, key)
        // Before the bytes are read; the sum not if they may be those of a repeated request.
        yield* permitOwner(before.owner)
        if (before.record === undefined) yield* permitUpload(before, 0, settings.unsentBytes)
        const { hash, ...stored } = yield* store(file)
        const idempotency = file.idempotency && {
          key: file.idempotency.key,
          fingerprint: fingerprint("POST", file.idempotency.fingerprint, {
            hash,
            contentType: stored.contentType,
            fileName: stored.fileName,
            ...(uploader._tag === "Application" ? {} : { workspaceId: uploader.workspaceId })
          })
        }
        const discard = Effect.ignoreLogged(blobs.remove([stored.id]))
        return yield* decideAndCommit(load(uploader, key), (world, now, ids) =>
          createUpload(world, stored, idempotency, settings, now, ids)
        ).pipe(
          Effect.tap(({ replayed }) => (replayed ? discard : Effect.void)),
          // After another failure of the storage the commit may have been written, so the blob stays.
          Effect.tapError(({ _tag }) => (_tag === "Refusal" || _tag === "StorageBusy" ? discard : Effect.void)),
          Effect.uninterruptible
        )
      })
    )

  return Uploads.of({
    create,
    get: (applicationId, id) =>
      Effect.gen(function* () {
        const upload = yield* readById(storage, "uploads", id.toLowerCase())
        const now = yield* Clock.currentTimeMillis
        return upload !== undefined && isUsable(upload, applicationId ?? upload.workspaceId, now)
          ? upload
          : yield* refuse("not_found")
      })
  })
})

/** The type of a file by its first bytes. Fails with `validation_failed` if another one is declared. */
const checkedType = (head: Uint8Array, declared: string | null): Effect.Effect<string, Refusal> => {
  const found = typeOfFile(head, declared)
  const type = contentTypeOf(declared)
  return type === unknownContentType || type === found
    ? Effect.succeed(found)
    : Effect.fail(invalid({ file: [`is declared as ${type}, but its bytes are ${found}`] }))
}
