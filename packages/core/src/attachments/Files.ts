import { Clock, Context, Effect, Layer, Option } from "effect"
import { EngineSettings } from "../EngineSettings.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { second } from "../Instant.js"
import type { Attachment } from "../messages/Message.js"
import { type Blob, Blobs } from "../ports/Blobs.js"
import { SecretBox } from "../ports/SecretBox.js"
import { type ReadError, readById, Storage } from "../ports/Storage.js"
import { type FileLinks, fileLinks, signedText } from "./fileLink.js"

/** What a link leads to. */
export interface LinkedFile extends Blob {
  readonly contentType: Attachment["contentType"]
  readonly fileName: Attachment["fileName"]
}

/** The files of messages, as others get at them: by links that are good for a while (decisions.md §8). */
export interface Files {
  /** Links from now on; `base` is how the asker reaches what we serve, such as `https://acme.example/messaging`. */
  readonly links: (base: string) => Effect.Effect<FileLinks>
  /**
   * What a link leads to, by its parts as they came. `forbidden` where they are not as we signed them, or no longer;
   * `not_found` where the file is gone or could not be had; `service_unavailable` while it is on its way.
   */
  readonly open: (id: string, expires: string, signature: string) => Effect.Effect<LinkedFile, Refusal | ReadError>
}
export const Files = Context.GenericTag<Files>("@parley/core/Files")

const make = Effect.gen(function* () {
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
            Effect.zipRight(Effect.logWarning(`the file ${id} is not where files are kept`), refuse("not_found")),
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
        const file = yield* readById(storage, "attachedFiles", id)
        if (file?.status === "waiting") return yield* onItsWay
        if (file?.status !== "stored") return yield* refuse("not_found")
        const message = yield* readById(storage, "messages", file.messageId)
        const attachment = message?.attachments.find((one) => one.id === id)
        if (attachment === undefined) return yield* refuse("not_found")
        const { contentType, fileName } = attachment
        return { ...(yield* blobOf(id)), contentType, fileName }
      })
  })
})

const notSigned = refuse("forbidden", {}, "This is not a link that was given out here.")
const expired = refuse("forbidden", {}, "This link is no longer good. Read the message again for a new one.")
const onItsWay = refuse("service_unavailable", {}, "This file is still on its way. Try again soon.")

export const layer: Layer.Layer<Files, never, Storage | Blobs | SecretBox | EngineSettings> = Layer.effect(Files, make)
