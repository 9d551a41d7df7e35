import { Clock, Data, Effect, Option } from "effect"
import type { EngineSettings } from "../../kernel/EngineSettings.js"
import { day } from "../../model/Instant.js"
import { blobKeyOf, type Message } from "../../model/Message.js"
import type { Blobs, BlobsUnavailable } from "../../ports/Blobs.js"
import type { OutboundFile } from "../../ports/ChannelProvider.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { fileLinks } from "../../resources/attachments/fileLink.js"

/** Services that the files of a message need. */
export interface OutboundFileServices {
  readonly blobs: Pick<Blobs, "get">
  readonly secretBox: Pick<SecretBox, "sign">
  readonly settings: Pick<EngineSettings, "publicUrl">
}

/** A file that was stored is missing in the blob store. */
class FileMissing extends Data.TaggedError("FileMissing")<{ readonly reason: string }> {}

/** Lifetime of the URLs for vendors, in ms: a vendor may fetch a file late. */
const urlLifetime = day

/** The files of a message for its provider. Vendors get URLs only if this service has a public https URL. */
export const outboundFiles = (
  { blobs, secretBox, settings: { publicUrl } }: OutboundFileServices,
  { attachments }: Message
): Effect.Effect<ReadonlyArray<OutboundFile>, BlobsUnavailable | FileMissing> =>
  Effect.gen(function* () {
    const links = fileLinks(secretBox, { urlLifetime }, httpsUrl(publicUrl), yield* Clock.currentTimeMillis)
    return yield* Effect.forEach(attachments, (attachment) => {
      const { hash, id, uploadId: _, ...described } = attachment
      const blobKey = blobKeyOf(attachment)
      return Effect.flatMap(
        blobs.get(blobKey),
        Option.match({
          onNone: () => new FileMissing({ reason: `The file ${id} is missing in the blob store.` }),
          onSome: ({ bytes }) =>
            Effect.succeed({ ...described, url: links(id).url, contentKey: hash ?? blobKey, bytes })
        })
      )
    })
  })

/** The public URL for vendors and mail programs, which call https only; null without one. */
export const httpsUrl = (publicUrl: string | null): string | null =>
  publicUrl !== null && /^https:/i.test(publicUrl) ? publicUrl : null
