import type { InboundAttachment } from "@parley/core"
import { Option, Schema } from "effect"

/** The content of a customer's message. */
export interface Content {
  readonly body: string
  readonly attachments: ReadonlyArray<InboundAttachment>
}

/** The content of this message; none for an unknown type or an unexpected shape. */
export const contentOf = (type: string, message: unknown): Option.Option<Content> =>
  Option.flatMap(Option.fromNullable(readers.get(type)), (read) => read(message))

type Reader = (message: unknown) => Option.Option<Content>

const reader =
  <A, I>(schema: Schema.Schema<A, I>, content: (message: A) => Content): Reader =>
  (message) =>
    Option.map(Schema.decodeUnknownOption(schema)(message), content)

const text = (body: string): Content => ({ body, attachments: [] })

const File = Schema.Struct({
  id: Schema.NonEmptyString,
  mime_type: Schema.optional(Schema.String),
  caption: Schema.optional(Schema.String),
  filename: Schema.optional(Schema.String)
})

/** A file, which is fetched later by its media id. */
const file = (type: InboundAttachment["type"]): Reader =>
  reader(Schema.Struct({ file: Schema.propertySignature(File).pipe(Schema.fromKey(type)) }), ({ file }) => ({
    body: file.caption ?? "",
    attachments: [
      {
        type,
        contentType: file.mime_type ?? null,
        fileName: file.filename ?? null,
        content: { reference: file.id }
      }
    ]
  }))

const Reply = Schema.Struct({ title: Schema.String })

const Coordinate = Schema.Union(Schema.Number, Schema.String)

/** Readers by `type`. Other types become unknown events: reactions, shared contacts, orders, forms, … */
const readers: ReadonlyMap<string, Reader> = new Map([
  ["text", reader(Schema.Struct({ text: Schema.Struct({ body: Schema.String }) }), ({ text: { body } }) => text(body))],
  ["image", file("image")],
  ["video", file("video")],
  ["audio", file("audio")],
  ["document", file("document")],
  ["sticker", file("sticker")],
  [
    "button",
    reader(Schema.Struct({ button: Schema.Struct({ text: Schema.String }) }), ({ button }) => text(button.text))
  ],
  [
    "interactive",
    reader(
      Schema.Struct({
        interactive: Schema.Union(Schema.Struct({ button_reply: Reply }), Schema.Struct({ list_reply: Reply }))
      }),
      ({ interactive }) =>
        text(("button_reply" in interactive ? interactive.button_reply : interactive.list_reply).title)
    )
  ],
  [
    "location",
    reader(
      Schema.Struct({
        location: Schema.Struct({
          latitude: Coordinate,
          longitude: Coordinate,
          name: Schema.optional(Schema.String),
          address: Schema.optional(Schema.String)
        })
      }),
      ({ location: { address, latitude, longitude, name } }) =>
        text(
          [name, address, `${latitude}, ${longitude}`].filter((line) => line !== undefined && line !== "").join("\n")
        )
    )
  ]
])
