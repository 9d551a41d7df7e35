import type { InboundAttachment } from "@parley/core"
import { Option, Schema } from "effect"

/** The content of a customer's message. */
export interface Content {
  readonly body: string
  readonly attachments: ReadonlyArray<InboundAttachment>
}

/** The content of this message; none if it has no content of a known type. */
export const contentOf = (message: unknown): Option.Option<Content> =>
  Option.firstSomeOf(readers.map((read) => read(message)))

type Reader = (message: unknown) => Option.Option<Content>

const reader = <A, I>(schema: Schema.Schema<A, I>, content: (message: A) => Content): Reader => {
  const read = Schema.decodeUnknownOption(schema)
  return (message) => Option.map(read(message), content)
}

const text = (...lines: ReadonlyArray<string | undefined>): Content => ({
  body: lines.filter((line) => line !== undefined && line !== "").join("\n"),
  attachments: []
})

const fileFields = {
  file_id: Schema.NonEmptyString,
  mime_type: Schema.optional(Schema.String),
  file_name: Schema.optional(Schema.String)
}
const File = Schema.Struct(fileFields)
const caption = Schema.optional(Schema.String)

/**
 * A message with a file, which is fetched later by its `file_id`. `contentType`: the type if the message does not have
 * it.
 */
const attached = (
  body: string | undefined,
  type: InboundAttachment["type"],
  { file_id, file_name, mime_type }: typeof File.Type,
  contentType: string | null = null
): Content => ({
  body: body ?? "",
  attachments: [
    {
      type,
      contentType: mime_type ?? contentType,
      fileName: file_name ?? null,
      content: { reference: file_id }
    }
  ]
})

const file = (field: string, type: InboundAttachment["type"], contentType?: string): Reader =>
  reader(
    Schema.Struct({ caption, file: Schema.propertySignature(File).pipe(Schema.fromKey(field)) }),
    ({ caption, file }) => attached(caption, type, file, contentType)
  )

const PhotoSize = Schema.Struct({ ...fileFields, width: Schema.Number, height: Schema.Number })

/** A photo in several sizes. The largest is kept. */
const photo: Reader = reader(
  Schema.Struct({ caption, photo: Schema.NonEmptyArray(PhotoSize) }),
  ({ caption, photo: [first, ...others] }) => {
    const largest = others.reduce(
      (best, size) => (size.width * size.height > best.width * best.height ? size : best),
      first
    )
    return attached(caption, "image", largest, "image/jpeg")
  }
)

const Sticker = Schema.Struct({
  ...fileFields,
  is_animated: Schema.optional(Schema.Boolean),
  is_video: Schema.optional(Schema.Boolean)
})

const sticker: Reader = reader(Schema.Struct({ sticker: Sticker }), ({ sticker }) =>
  attached(
    "",
    "sticker",
    sticker,
    sticker.is_animated ? "application/x-tgsticker" : sticker.is_video ? "video/webm" : "image/webp"
  )
)

const Location = Schema.Struct({ latitude: Schema.Number, longitude: Schema.Number })
const coordinates = ({ latitude, longitude }: typeof Location.Type): string => `${latitude}, ${longitude}`

/**
 * The first match applies: an animation also has `document`, and a venue has `location`. Other types become unknown
 * events: polls, dice, games, service messages, …
 */
const readers: ReadonlyArray<Reader> = [
  reader(Schema.Struct({ text: Schema.String }), (message) => text(message.text)),
  photo,
  file("animation", "video"),
  file("video", "video"),
  file("video_note", "video", "video/mp4"),
  file("voice", "audio"),
  file("audio", "audio"),
  file("document", "document"),
  sticker,
  reader(
    Schema.Struct({ venue: Schema.Struct({ location: Location, title: Schema.String, address: Schema.String }) }),
    ({ venue }) => text(venue.title, venue.address, coordinates(venue.location))
  ),
  reader(Schema.Struct({ location: Location }), ({ location }) => text(coordinates(location))),
  reader(
    Schema.Struct({
      contact: Schema.Struct({
        phone_number: Schema.String,
        first_name: Schema.String,
        last_name: Schema.optional(Schema.String)
      })
    }),
    ({ contact: { first_name, last_name, phone_number } }) =>
      text([first_name, last_name].filter((name) => name !== undefined).join(" "), phone_number)
  )
]
