import { Schema } from "effect"
import type { Channel } from "./Channel.js"
import type { Instant } from "./Instant.js"

export type TemplateStatus = "draft" | "pending" | "approved" | "rejected" | "paused"

const buttons = Schema.Array(
  Schema.Struct({
    type: Schema.Literal("reply", "url", "phone", "code", "otp", "catalog", "product", "products").annotations({
      description:
        "`code` copies a code that each send gives, `otp` the first value of the body; `catalog` opens the catalogue of the business, `products` shows those that each send gives, `product` that of its card."
    }),
    text: Schema.String.annotations({ examples: ["Track"] }),
    url: Schema.NullOr(Schema.String).annotations({ examples: ["https://shop.example/track/{{1}}"] })
  })
)

const TemplateCard = Schema.Struct({
  header: Schema.Literal("image", "video", "product").annotations({
    description: "The kind of its file, or a product of a catalogue: a value of each send."
  }),
  body: Schema.NullOr(Schema.String).annotations({
    description: "The text, with slots of its own; null without one.",
    examples: ["Rye bread, {{1}}"]
  }),
  buttons
})
export type TemplateCard = typeof TemplateCard.Type

/**
 * What a vendor's template has around its body (docs/reference/templates.md#parts). Equal in the domain, in the storage
 * and on the wire.
 */
export const TemplateParts = Schema.Struct({
  header: Schema.NullOr(
    Schema.Struct({
      type: Schema.Literal("text", "image", "video", "document").annotations({
        description: "Other than `text`: the file is a value of each send."
      }),
      text: Schema.NullOr(Schema.String).annotations({
        description: "The text, with at most one slot; null for files.",
        examples: ["Order {{1}}"]
      })
    })
  ),
  footer: Schema.NullOr(Schema.String),
  buttons,
  cards: Schema.optional(Schema.Array(TemplateCard)).annotations({
    description:
      "The cards of a carousel under the body; absent without one. With products, a send may have another number of cards."
  }),
  named: Schema.Boolean.annotations({ description: "Whether the slots of the body have names instead of numbers." })
}).annotations({
  identifier: "TemplateParts",
  description: "Header, footer, buttons and cards, as the vendor has them."
})
export type TemplateParts = typeof TemplateParts.Type

/**
 * What a template has besides its text on channels with subjects (docs/reference/templates.md#email). Both may have
 * slots.
 */
export interface MailParts {
  /** One line; null: as for a text without a subject. */
  readonly subject: string | null
  /** The text as HTML; null: text only. */
  readonly html: string | null
}

/** Parts as stored: those of a vendor's template, or `mail`. */
export type StoredParts = TemplateParts & { readonly mail?: MailParts }

/** A message text with slots `{{1}}`, `{{2}}`, …; unique by (workspace, channel, name, language, account). */
export interface Template {
  readonly id: string
  readonly workspaceId: string
  readonly channel: Channel
  readonly name: string
  readonly language: string
  /** The vendor's account that has it (docs/reference/templates.md#accounts); empty: made by hand. */
  readonly account: string
  /** Sends of category `marketing` are refused for contacts that opted out of marketing. */
  readonly category: string | null
  readonly body: string
  /** Null: the body is the whole template. */
  readonly parts: StoredParts | null
  readonly status: TemplateStatus
  /** When the vendor said the status last, by its clock if it gives a time; null: never. */
  readonly statusAt: Instant | null
  readonly createdAt: Instant
  readonly version: number
}
