import { Clock, Context, Effect, Option } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { second } from "../../model/Instant.js"
import { type Attachment, blobKeyOf } from "../../model/Message.js"
import { type Blob, Blobs } from "../../ports/Blobs.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { type FileLinks, fileLinks, signedText } from "./fileLink.js"

/** The file behind a link. */
export interface LinkedFile extends Blob {
  readonly contentType: Attachment["contentType"]
  readonly fileName: Attachment["fileName"]
}

/**
 * Access to the files of messages, and by an agent's id to its avatar, by signed links that expire
 * (docs/reference/messages.md#attachment-links).
 */
export interface Files {
  /**
   * Creates links that are valid from now on. `base` is the URL at which the reader reaches this service, such as
   * `https://acme.example/messaging`.
   */
  readonly links: (base: string) => Effect.Effect<FileLinks>
  /**
   * Opens the file of a link; the arguments are the unverified parts of its URL. Fails with `forbidden` if the
   * signature is wrong or the link has expired, `not_found` if the file is deleted or could not be fetched, and
   * `service_unavailable` while it is being fetched or the blob store is unavailable.
   */
  readonly open: (id: string, expires: string, signature: string) => Effect.Effect<LinkedFile, Refusal | ReadError>
}
export const Files = Context.GenericTag<Files>("@parley/core/Files")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const blobs = yield* Blobs
  const secretBox = yield* SecretBox
  const { attachments } = yield* EngineSettings

  const blobOf = (id: string): Effect.Effect<Blob, Refusal> =>
    blobs.get(id).pipe(
      Effect.catchAll(({ reason }) =>
        Effect.zipRight(Effect.logWarning(`a file cannot be read: ${reason}`), refuse("service_unavailable"))
      ),
      Effect.flatMap(
        Option.match({
          onNone: () =>
            Effect.zipRight(Effect.logWarning(`the file ${id} is missing in the blob store`), refuse("not_found")),
          onSome: Effect.succeed
        })
      )
    )

  return Files.of({
    links: (base) => Effect.map(Clock.currentTimeMillis, (now) => fileLinks(secretBox, attachments, base, now)),
    open: (id, expires, signature) =>
      Effect.gen(function* () {
        const until = /^\d{1,12}$/.test(expires) ? Number(expires) : null
        if (until === null || !secretBox.verifies(signedText(id, until), signature)) return yield* notSigned
        if ((yield* Clock.currentTimeMillis) >= until * second) return yield* expired
        const { agents, files } = yield* storage.read({
          files: lookup("attachedFiles", { id }),
          agents: lookup("agents", { id })
        })
        const avatar = agents[0]?.avatar ?? null
        if (avatar !== null) {
          return { ...(yield* blobOf(avatar.key)), contentType: avatar.contentType, fileName: null }
        }
        const file = files[0]
        if (file?.status === "waiting") return yield* onItsWay
        if (file?.status !== "stored") return yield* refuse("not_found")
        const message = yield* readById(storage, "messages", file.messageId)
        const attachment = message?.attachments.find((one) => one.id === id)
        if (attachment === undefined) return yield* refuse("not_found")
        const { contentType, fileName } = attachment
        return { ...(yield* blobOf(blobKeyOf(attachment))), contentType, fileName }
      })
  })
})

const notSigned = refuse("forbidden", {}, "This is not a link that was given out here.")
const expired = refuse("forbidden", {}, "This link is no longer good. Read the message again for a new one.")
const onItsWay = refuse("service_unavailable", {}, "This file is still on its way. Try again soon.")
