import { Clock, Data, Duration, Effect } from "effect"
import { asked } from "../channels/asked.js"
import type { Fetch } from "../channels/Fetch.js"
import type { Decider } from "../Decider.js"
import type { AttachmentSettings } from "../EngineSettings.js"
import { day, minute } from "../Instant.js"
import type { Attachment } from "../messages/Message.js"
import type { Blobs } from "../ports/Blobs.js"
import type { FetchedFile } from "../ports/ChannelProvider.js"
import { type ReadError, readById, type Storage } from "../ports/Storage.js"
import { contentTypeOf, fileNameOf, isKeptType } from "./describeFile.js"
import { type FileWorld, recordFile } from "./recordFile.js"

/** How long a vendor is asked for a file before we do without. */
const patience = day

/** How long a file may take to come, in ms: a vendor that trickles must not hold a worker for ever. */
const longestMs = 10 * minute

/**
 * The task `fetch_file`: has the provider fetch a file that a message referred to, keeps its bytes, and says so on the message.
 * The bytes are kept before that is written down, under the attachment's own id: where a process dies in between, the next
 * try keeps them again. What is gone at the vendor, too large or of a type that is not kept is given up, and so is what a
 * vendor does not hand out for a day. Our own place for files may be away for as long as it takes.
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

    const keep = (given: FetchedFile, told: Attachment) =>
      Effect.gen(function* () {
        const contentType = given.contentType === null ? told.contentType : contentTypeOf(given.contentType)
        if (!isKeptType(types, contentType)) return yield* new NotKept({ reason: `${contentType} is not kept` })
        const fileName = fileNameOf(given.fileName) ?? told.fileName
        const size = yield* blobs.put(id, given.bytes, { contentType, limit: maxBytes })
        return { contentType, fileName, size }
      })

    const fetch = ({ file, message }: FileWorld) => {
      const told = message?.attachments.find((one) => one.id === id)
      const reference = file?.reference ?? null
      if (told === undefined || reference === null) return Effect.succeed(null)
      const brought = () =>
        provider.fetchFile === undefined
          ? Effect.succeed(null)
          : Effect.flatMap(provider.fetchFile(connection, credentials, reference), (given) => keep(given, told))
      return asked("fetchFile", Duration.millis(longestMs), brought).pipe(
        Effect.catchTags({
          FileGone: ({ reason }) => givenUp(reason),
          NotKept: ({ reason }) => givenUp(reason),
          BlobTooLarge: ({ limit }) => givenUp(`it has more than ${limit} bytes`),
          ProviderUnavailable: (error) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              now - job.createdAt < patience ? Effect.fail(error) : givenUp(error.reason)
            )
        })
      )
    }

    return Effect.gen(function* () {
      const world = yield* load
      const fetched = world.file?.status === "waiting" ? yield* fetch(world) : null
      const isKept = yield* decideAndCommit(load, (world) => recordFile(world, fetched))
      // Whoever erased the message meanwhile could not know of these.
      if (!isKept) yield* blobs.remove([id])
      return null
    }).pipe(Effect.annotateLogs("attachment_id", id))
  }

/** It is not ours to keep. */
class NotKept extends Data.TaggedError("NotKept")<{ readonly reason: string }> {}

const givenUp = (reason: string): Effect.Effect<null> =>
  Effect.as(Effect.logInfo(`a file is done without: ${reason}`), null)
