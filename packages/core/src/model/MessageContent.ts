import { Schema } from "effect"

const text = (description: string, example: string) => Schema.String.annotations({ description, examples: [example] })
const nullableText = (description: string, example: string | null = null) =>
  Schema.NullOr(Schema.String).annotations({ description, examples: [example] })
const texts = (description: string, ...example: ReadonlyArray<string>) =>
  Schema.Array(Schema.String).annotations({ description, examples: [example] })
const number = (description: string, example: number) => Schema.Number.annotations({ description, examples: [example] })

/** A location. */
export const LocationContent = Schema.Struct({
  type: Schema.Literal("location"),
  latitude: number("In degrees, positive to the north.", 52.52),
  longitude: number("In degrees, positive to the east.", 13.405),
  name: nullableText("Name of the location.", "Corner bakery"),
  address: nullableText("Postal address of the location."),
  url: nullableText("URL of a web page about the location.")
}).annotations({ identifier: "LocationContent", description: "A location." })

/** Contacts. */
export const ContactsContent = Schema.Struct({
  type: Schema.Literal("contacts"),
  contacts: Schema.Array(
    Schema.Struct({
      name: text("Full name.", "Ada Lovelace"),
      organization: nullableText("Company of the person."),
      phones: texts("Phone numbers, as the sender's address book has them.", "+4930123456"),
      emails: texts("Email addresses.")
    })
  ).annotations({ description: "At least one." })
}).annotations({ identifier: "ContactsContent", description: "Contacts from an address book." })

/** A question with options. `body` of the message is the question. */
export const ChoicesContent = Schema.Struct({
  type: Schema.Literal("choices"),
  options: Schema.Array(
    Schema.Struct({
      id: text("Returned as `id` of the customer's choice.", "tuesday"),
      title: text("Label of the option.", "Tuesday"),
      description: nullableText("Second line of the option, if the channel shows one.")
    })
  ).annotations({ description: "At least one." }),
  button: nullableText("Label of the button that opens a list of options, if the channel has lists.")
}).annotations({ identifier: "ChoicesContent", description: "A question with options; `body` is the question." })

/** An option that the customer chose. */
export const ChoiceContent = Schema.Struct({
  type: Schema.Literal("choice"),
  id: nullableText(
    "Id of the option: the payload of a button, the id of a list row. Null if the channel has none.",
    "tuesday"
  ),
  title: text("Label of the option, or its id if the channel does not return the label.", "Tuesday"),
  timing: Schema.optionalWith(Schema.Literal("first", "late", "repeated"), { exact: true }).annotations({
    description:
      "`repeated`: the customer has chosen an option of the same question before. `late`: the business has asked another question since. Else `first`. Absent if the question is not known."
  })
}).annotations({ identifier: "ChoiceContent", description: "An option that the customer chose." })

/** A completed form. */
export const FormContent = Schema.Struct({
  type: Schema.Literal("form"),
  name: nullableText("Name of the form at the vendor."),
  answers: Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
    description: "The answers by field, as the vendor returns them.",
    examples: [{ size: "L" }]
  })
}).annotations({ identifier: "FormContent", description: "A form that the customer completed." })

/** An order from a catalogue, or a question about products. */
export const OrderContent = Schema.Struct({
  type: Schema.Literal("order"),
  catalog: nullableText("Id of the catalogue at the vendor."),
  items: Schema.Array(
    Schema.Struct({
      product: text("Id of the product: the retailer's own, as in the catalogue.", "rye-1000"),
      name: nullableText("Name of the product.", "Rye bread"),
      quantity: number("Quantity.", 2),
      price: Schema.NullOr(Schema.Number).annotations({
        description: "Price of one piece, in units of the currency.",
        examples: [4.5]
      }),
      currency: nullableText("Code of the currency.", "EUR")
    })
  )
}).annotations({ identifier: "OrderContent", description: "Products that the customer ordered or asks about." })

/** What the parts of a template around its body were filled with. Absent for templates without such parts. */
export const TemplateContent = Schema.Struct({
  type: Schema.Literal("template"),
  header: nullableText("Value of the slot in the text of the header; null without a slot.", "1042"),
  slot: Schema.optional(text("Name of that slot; absent if it is a number.", "order")),
  buttons: Schema.Array(
    Schema.Struct({
      index: number("Place of the button in the template, from 0.", 0),
      type: Schema.Literal("url", "code"),
      value: text("Value of the slot in its URL, or the code that it copies.", "1042")
    })
  ),
  names: Schema.NullOr(Schema.Array(Schema.String)).annotations({
    description: "Names of the slots of the body, in the order of `variables`; null if they are numbers."
  }),
  cards: Schema.optional(
    Schema.Array(
      Schema.Struct({
        product: Schema.optional(
          Schema.Struct({
            catalog: text("Id of the catalogue.", "194836987003835"),
            id: text("Id of the product in the catalogue.", "rye")
          })
        ).annotations({ description: "The product that it shows; absent if it shows a file." }),
        variables: Schema.Array(Schema.String).annotations({ description: "Values of the slots in its text." }),
        names: Schema.NullOr(Schema.Array(Schema.String)).annotations({
          description: "Names of these slots, in the order of `variables`; null if they are numbers."
        }),
        buttons: Schema.Array(
          Schema.Struct({
            index: number("Place of the button in the card, from 0.", 0),
            type: Schema.Literal("url", "reply"),
            value: text("Value of the slot in its URL, or the id of the choice when it is pressed.", "rye")
          })
        )
      })
    )
  ).annotations({ description: "Values of the cards, in their order. Their files are `attachments`." }),
  products: Schema.optional(
    Schema.Struct({
      index: number("Place of the button in the template, from 0.", 0),
      thumbnail: text("Id of the product whose image heads the message.", "rye"),
      sections: Schema.Array(
        Schema.Struct({
          title: nullableText("Title; null for a single section.", "Bread"),
          items: Schema.Array(Schema.String).annotations({ description: "Ids of the products.", examples: [["rye"]] })
        })
      ).annotations({ description: "The products that the button shows; empty for the whole catalogue." })
    })
  ).annotations({ description: "The products of a button that shows products or the catalogue." })
}).annotations({
  identifier: "TemplateContent",
  description: "The values of a template's header, buttons and cards; `variables` are those of its body."
})

/** A reaction to the message in `quoted`. */
export const ReactionContent = Schema.Struct({
  type: Schema.Literal("reaction"),
  emoji: nullableText("The reaction; null: it was removed.", "👍")
}).annotations({ identifier: "ReactionContent", description: "A reaction to the message in `quoted`." })

/** A new text of the message in `quoted`. */
export const EditContent = Schema.Struct({ type: Schema.Literal("edit") }).annotations({
  identifier: "EditContent",
  description: "The message in `quoted` was edited; `body` is its new text."
})

/** The message in `quoted` was deleted. */
export const DeletionContent = Schema.Struct({ type: Schema.Literal("deletion") }).annotations({
  identifier: "DeletionContent",
  description:
    "The message in `quoted` was deleted, by its author or, where the vendor does not say by whom, by either side."
})

/** A notice of the channel about the conversation. */
export const SystemContent = Schema.Struct({
  type: Schema.Literal("system"),
  event: text("The vendor's name of the notice.", "request_welcome")
}).annotations({ identifier: "SystemContent", description: "A notice of the channel about the conversation." })

/** Content that the channel does not pass on, or that Parley does not know. */
export const UnsupportedContent = Schema.Struct({
  type: Schema.Literal("unsupported"),
  kind: text("The vendor's name of the content.", "poll")
}).annotations({
  identifier: "UnsupportedContent",
  description: "Content that the channel does not forward, or that Parley does not know."
})

/**
 * What a message carries beside its text and its files, by type (docs/reference/content.md#types). Equal in the domain,
 * in the storage and on the wire.
 */
export const MessageContent = Schema.Union(
  LocationContent,
  ContactsContent,
  ChoicesContent,
  ChoiceContent,
  FormContent,
  OrderContent,
  TemplateContent,
  ReactionContent,
  EditContent,
  DeletionContent,
  SystemContent,
  UnsupportedContent
)
export type MessageContent = typeof MessageContent.Type

/** The content of one type. */
export type ContentOf<T extends MessageContent["type"]> = Extract<MessageContent, { readonly type: T }>

/** Every type of a message (docs/reference/content.md#types). */
export const MessageType = Schema.Literal(
  "text",
  "template",
  "media",
  "location",
  "contacts",
  "choices",
  "choice",
  "form",
  "order",
  "reaction",
  "edit",
  "deletion",
  "system",
  "unsupported"
)
export type MessageType = typeof MessageType.Type

/** The types that a business can send where the channel carries them. */
export const SendType = Schema.Literal("text", "template", "media", "location", "contacts", "choices", "reaction")
export type SendType = typeof SendType.Type

/** Content in a workflow or a bot: the fields of a send's content by wire name. Texts may contain placeholders. */
export interface DefinedContent {
  readonly type: Exclude<SendType, "text" | "template" | "media">
  readonly [field: string]: unknown
}

/** A file in a workflow or a bot, fetched when it is sent. The URL may contain placeholders. */
export interface DefinedFile {
  readonly url: string
  readonly contentType: string
  readonly fileName: string | null
}

/** The values that a send gives for a card of a template (docs/reference/templates.md#parts). */
export interface CardValues {
  readonly product: { readonly catalog: string; readonly id: string } | null
  readonly variables: ReadonlyArray<string> | null
  readonly buttonVariables: ReadonlyArray<string> | null
}

/** The products that a send gives for a button of a template (docs/reference/templates.md#parts). */
export interface ProductValues {
  readonly thumbnail: string | null
  readonly sections: ReadonlyArray<{ readonly title: string | null; readonly items: ReadonlyArray<string> }> | null
}

/** Whether a type is about another message or the conversation: not a text that the customer wrote. */
export const isAnnotation = (type: MessageType): boolean =>
  type === "reaction" || type === "edit" || type === "deletion" || type === "system"
