import { createHash } from "node:crypto"
import { Clock, Effect, Either, Stream } from "effect"
import type { AttachmentSettings } from "../../kernel/EngineSettings.js"
import type { AttachedFile } from "../../model/AttachedFile.js"
import { day, minute } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Attachment, Message } from "../../model/Message.js"
import type { Blobs } from "../../ports/Blobs.js"
import { expect, type Parts, set } from "../../ports/Changes.js"
import { ProviderUnavailable } from "../../ports/ChannelProvider.js"
import type { HttpSender } from "../../ports/HttpSender.js"
import type { Ids } from "../../ports/Ids.js"
import { lookup, type ReadError, readById, type Storage } from "../../ports/Storage.js"
import { traceOf } from "../../queue/jobTrace.js"
import {
  contentTypeOf,
  fileNameOf,
  isKeptType,
  kindOf,
  unknownContentType
} from "../../resources/attachments/describeFile.js"
import { failFiles } from "../../resources/attachments/failFiles.js"
import { contradictingType } from "../../resources/attachments/typeOfFile.js"
import { withHead } from "../../resources/attachments/withHead.js"
import { type Fetch, type FetchResult, failingSinceOf, payloadWithoutFailure } from "../../resources/channels/Fetch.js"
import { maxFileBytes } from "../../resources/channels/maxFileBytes.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { advance } from "../../resources/messages/advance.js"
import { recordProgress } from "../../resources/messages/recordProgress.js"
import { headerFileProblem } from "../../resources/messages/templateParts.js"

/** Time in ms after the first failure in a row when a message fails whose files cannot be fetched. */
export const filesTimeout = day

/** Maximum duration of one download, in ms. */
const maxWaitMs = 2 * minute

/**
 * The task `fetch_message_files`: copies the files of a message from the URLs that its sender gave into the blob store,
 * then moves the job on to the lane `sends` (docs/reference/content.md#sending-files). The message fails if a file is
 * gone, too large or of a media type that is not kept, or cannot be fetched and stored within a day. Then the stored
 * files can still be read. Repeatable: the bytes are stored under the attachment's id.
 */
export const fetchMessageFiles =
  (
    storage: Pick<Storage, "read">,
    blobs: Blobs,
    sender: Pick<HttpSender, "get">,
    ids: Ids,
    { maxBytes, types }: AttachmentSettings
  ): Fetch =>
  (job, { connection, provider }) => {
    const { files: limits, headerFiles } = provider.capabilities(connection)

    /** Fails, to be retried; after a day of failures, why the message cannot be sent. */
    const failure = (reason: string, problem: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - (failingSinceOf(job) ?? now) < filesTimeout
          ? new ProviderUnavailable({ reason })
          : Effect.succeed(Either.left(problem))
      )

    /** Stores one file. Left: why the message cannot be sent. */
    const store = (
      { id, reference }: AttachedFile,
      described: Attachment,
      { templateName }: Message
    ): Effect.Effect<Either.Either<Attachment, string>, ProviderUnavailable> => {
      // Hosts of earlier versions stored every file of unknown type as a document.
      const isUnknown = described.contentType === unknownContentType && described.type === "document"
      const kind = templateName === null || isUnknown ? null : headerKindOf(described)
      const ofHeader = kind === null ? undefined : headerFiles?.[kind]
      return Effect.gen(function* () {
        if (sender.get === undefined) return yield* new ProviderUnavailable({ reason: "this host cannot fetch files" })
        const given = yield* sender.get(reference ?? "", maxWaitMs)
        const isDescribed = described.contentType !== unknownContentType
        const declared = isDescribed ? described.contentType : contentTypeOf(given.contentType)
        const { head, bytes } = yield* withHead(given.bytes)
        if (head.length === 0) return Either.left("it is empty")
        const actual = contradictingType(head, declared)
        if (isDescribed && actual !== null && kindOf(actual) !== kindOf(declared)) {
          return Either.left(`it is declared as ${declared}, but its bytes are ${actual}`)
        }
        const contentType = actual ?? declared
        if (!isKeptType(types, contentType) || !isKeptType(limits?.types ?? null, contentType)) {
          return Either.left(`its type ${contentType} is not accepted`)
        }
        const type = kindOf(contentType)
        const misfit = kind === null ? null : headerFileProblem(kind, { contentType, type }, headerFiles)
        if (misfit !== null) return Either.left(`it is ${contentType} and ${misfit}`)
        const ofChannel = limits == null ? maxBytes : maxFileBytes(limits, type)
        const limit = Math.min(maxBytes, ofChannel, ofHeader?.bytes ?? maxBytes)
        const hash = createHash("sha256")
        const hashed = Stream.tap(bytes, (part) => Effect.sync(() => hash.update(part)))
        const size = yield* Effect.catchTag(blobs.put(id, hashed, { contentType, limit }), "BlobTooLarge", () =>
          Effect.succeed(null)
        )
        if (size === null) return Either.left(`it has more than ${limit} bytes`)
        const fileName = described.fileName ?? fileNameOf(given.fileName)
        return Either.right({ ...described, type, contentType, fileName, size, hash: hash.digest("base64url") })
      }).pipe(
        Effect.scoped,
        Effect.catchTags({
          FileGone: ({ reason }) => Effect.succeed(Either.left(reason)),
          ProviderUnavailable: ({ reason }) => failure(reason, reason),
          // The sender is not told of the blob store.
          BlobsUnavailable: ({ reason }) => failure(`it cannot be stored: ${reason}`, "it cannot be stored")
        })
      )
    }

    const failed = (
      message: Message,
      reason: string,
      stored: ReadonlyArray<AttachedFile>,
      missing: ReadonlyArray<AttachedFile>
    ): Effect.Effect<FetchResult, ReadError> =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const subscribers = yield* storage.read(subscriberLookups(message.workspaceId))
        const error = { code: "validation_failed" as const, message: `A file could not be fetched: ${reason}.` }
        const reached = advance(message, { status: "failed", at: now, error })
        const { attachments } = message
        return {
          again: null,
          parts: [
            recordProgress(subscribers, { message, reached, more: { attachments } }, now, ids),
            storeFiles(stored),
            failFiles(missing)
          ]
        }
      })

    /** The process that took the job over may have removed the bytes of an erased message before this one put them. */
    const removeErased = Effect.flatMap(readById(storage, "messages", job.reference), (message) =>
      message === undefined ? blobs.remove(fileIdsOf(job)) : Effect.void
    )

    return Effect.gen(function* () {
      const message = yield* readById(storage, "messages", job.reference)
      if (message === undefined || message.status !== "queued") {
        // An erasure during the download could not remove these bytes.
        yield* blobs.remove(fileIdsOf(job))
        return null
      }
      const found = yield* storage.read(
        Object.fromEntries(message.attachments.map(({ id }) => [id, lookup("attachedFiles", { id })]))
      )
      const waiting = message.attachments.flatMap(({ id }) => found[id] ?? []).filter(isWaiting)
      const stored: Array<AttachedFile> = []
      let attachments = message.attachments
      for (const file of waiting) {
        const described = attachments.find(({ id }) => id === file.id) as Attachment
        const result = yield* Effect.either(store(file, described, message))
        if (Either.isLeft(result)) {
          if (stored.length === 0) return yield* result.left
          yield* Effect.logWarning(`a fetch failed: ${result.left.reason}`)
          // Keeps the files that are stored, so that the next try does not fetch them.
          return {
            again: { inMs: 0, payload: payloadWithoutFailure(job) },
            parts: storedFiles(message, stored, attachments)
          }
        }
        if (Either.isLeft(result.right)) {
          const missing = waiting.slice(stored.length)
          return yield* failed({ ...message, attachments }, result.right.left, stored, missing)
        }
        const kept = result.right.right
        stored.push(file)
        attachments = attachments.map((one) => (one.id === file.id ? kept : one))
      }
      return {
        // The claims so far called no provider, so that the first claim as a send is not taken for a later one.
        again: {
          inMs: 0,
          payload: { to: job.payload?.to, settled: job.attempts, ...traceOf(job) },
          lane: "sends" as const,
          subject: message.connectionId
        },
        parts: storedFiles(message, stored, attachments)
      }
    }).pipe(
      Effect.map((result) => result && { ...result, onFenced: removeErased }),
      Effect.annotateLogs("message_id", job.reference)
    )
  }

/** The ids in the payload of the job, as {@link fetchMessageFiles} needs them after the message was erased. */
const fileIdsOf = ({ payload }: Job): ReadonlyArray<string> =>
  Array.isArray(payload?.files) ? payload.files.filter((id) => typeof id === "string") : []

/** The kind of header that the file of a template is for; null for a file that fits none. */
const headerKindOf = ({ type }: Pick<Attachment, "type">) =>
  type === "image" || type === "video" || type === "document" ? type : null

const isWaiting = ({ status }: AttachedFile): boolean => status === "waiting"

const storedFiles = (
  { id, version }: Message,
  files: ReadonlyArray<AttachedFile>,
  attachments: ReadonlyArray<Attachment>
): ReadonlyArray<Parts> => [
  { expects: [expect("messages", { id }, { version })], sets: [set("messages", { id }, { attachments })] },
  storeFiles(files)
]

/** The URLs of stored files are forgotten: they may contain secrets of the sender. */
const storeFiles = (files: ReadonlyArray<AttachedFile>): Parts => ({
  expects: files.map(({ id, version }) => expect("attachedFiles", { id }, { version })),
  sets: files.map(({ id }) => set("attachedFiles", { id }, { status: "stored", reference: null }))
})
