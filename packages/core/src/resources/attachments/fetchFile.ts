import { Clock, Data, Effect } from "effect"
import type { Decider } from "../../kernel/Decider.js"
import type { AttachmentSettings } from "../../kernel/EngineSettings.js"
import { day } from "../../model/Instant.js"
import type { Attachment } from "../../model/Message.js"
import type { Blobs } from "../../ports/Blobs.js"
import type { FetchedFile } from "../../ports/ChannelProvider.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"
import { asEffect } from "../channels/asEffect.js"
import { withinTimeout } from "../channels/callProviderSafely.js"
import { type Fetch, failingSinceOf } from "../channels/Fetch.js"
import { contentTypeOf, fileNameOf, isKeptType } from "./describeFile.js"
import { type FileWorld, recordFile } from "./recordFile.js"

/** Time in ms after the first failure in a row when retries for a file stop. */
const timeout = day

/**
 * The task `fetch_file`: the provider fetches a file that a message refers to, and its bytes and description are
 * stored. The bytes are stored under the attachment's id before the commit, so that a retry after a crash stores them
 * again under the same id. A file is given up if the vendor deleted it, it is too large, its media type is not kept, or
 * the vendor did not deliver it within a day. Retries while the blob store is unavailable do not stop.
 */
export const fetchFile =
  (
    storage: Pick<Storage, "read">,
    blobs: Blobs,
    { decideAndCommit }: Decider,
    { maxBytes, types }: AttachmentSettings
  ): Fetch =>
  (job, { connection, credentials, provider }) => {
    const id = job.reference

    const load: Effect.Effect<FileWorld, ReadError> = Effect.flatMap(readById(storage, "attachedFiles", id), (file) =>
      Effect.map(readById(storage, "messages", file?.messageId), (message) => ({ file, message }))
    )

    const keep = (given: FetchedFile, described: Attachment) =>
      Effect.gen(function* () {
        const contentType = given.contentType === null ? described.contentType : contentTypeOf(given.contentType)
        if (!isKeptType(types, contentType)) return yield* new NotKept({ reason: `${contentType} is not kept` })
        const fileName = fileNameOf(given.fileName) ?? described.fileName
        const size = yield* blobs.put(id, given.bytes, { contentType, limit: maxBytes })
        return { contentType, fileName, size }
      })

    const fetch = ({ file, message }: FileWorld) => {
      const described = message?.attachments.find((one) => one.id === id)
      const reference = file?.reference ?? null
      if (described === undefined || reference === null) return Effect.succeed(null)
      const { fetchFile } = provider
      if (fetchFile === undefined) return Effect.succeed(null)
      const fetchAndKeep = Effect.suspend(() =>
        Effect.flatMap(asEffect("fetchFile", fetchFile.call(provider, connection, credentials, reference)), (given) =>
          keep(given, described)
        )
      )
      return withinTimeout("fetchFile", fetchAndKeep).pipe(
        Effect.catchTags({
          FileGone: ({ reason }) => giveUp(reason),
          NotKept: ({ reason }) => giveUp(reason),
          BlobTooLarge: ({ limit }) => giveUp(`it has more than ${limit} bytes`),
          ProviderUnavailable: (error) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              now - (failingSinceOf(job) ?? now) < timeout ? Effect.fail(error) : giveUp(error.reason)
            )
        })
      )
    }

    return Effect.gen(function* () {
      const world = yield* load
      const fetched = world.file?.status === "waiting" ? yield* fetch(world) : null
      const isKept = yield* decideAndCommit(load, (world) => recordFile(world, fetched))
      // A concurrent erasure of the message could not remove these bytes.
      if (!isKept) yield* blobs.remove([id])
      return null
    }).pipe(Effect.annotateLogs("attachment_id", id))
  }

/** The media type is not kept. */
class NotKept extends Data.TaggedError("NotKept")<{ readonly reason: string }> {}

const giveUp = (reason: string): Effect.Effect<null> => Effect.as(Effect.logInfo(`a file is given up: ${reason}`), null)
