import type { ProviderTemplate, TemplateParts } from "@parley/core"
import { Option, Schema } from "effect"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })
const optionalText = optional(Schema.String)
const button = Schema.Struct({ type: Schema.String, text: optionalText, url: optionalText })
const readComponent = Schema.decodeUnknownOption(
  Schema.Struct({
    type: Schema.String,
    format: optionalText,
    text: optionalText,
    buttons: optional(Schema.Array(button)),
    cards: optional(Schema.Array(Schema.Unknown))
  })
)
type Component = Option.Option.Value<ReturnType<typeof readComponent>>
const readCard = Schema.decodeUnknownOption(Schema.Struct({ components: Schema.Array(Schema.Unknown) }))
type Header = NonNullable<TemplateParts["header"]>
type Button = TemplateParts["buttons"][number]
type Card = NonNullable<TemplateParts["cards"]>[number]

/** What Meta says of a template beside its name and language. */
export interface TemplateDescription {
  readonly category: string | undefined
  /** `NAMED` or `POSITIONAL`. */
  readonly parameterFormat: string | undefined
  readonly components: ReadonlyArray<unknown>
}

/**
 * Body and parts of a template (docs/reference/whatsapp.md#templates). Null if a message requires what Parley does not
 * fill in: a form, a product or a place in the header, …
 */
export const sendableTemplate = ({
  category,
  components,
  parameterFormat
}: TemplateDescription): Pick<ProviderTemplate, "body" | "parts"> | null => {
  const of = componentsOf(components, ["BODY", "FOOTER", "HEADER", "BUTTONS", "CAROUSEL"])
  if (of === null) return null
  const body = of("BODY")?.text ?? ""
  const header = headerOf(of("HEADER"))
  const buttons = buttonsOf(of("BUTTONS"), category === "AUTHENTICATION")
  const showsProduct = buttons?.some(({ type }) => type === "product") === true
  const cards = cardsOf(of("CAROUSEL"))
  if (body === "" || header === undefined || buttons === undefined || cards === undefined || showsProduct) {
    return null
  }
  const footer = of("FOOTER")?.text ?? null
  const named = parameterFormat === "NAMED"
  const isBodyOnly = header === null && footer === null && buttons.length === 0 && cards === null && !named
  const parts = { header, footer, buttons, ...(cards === null ? {} : { cards }), named }
  return { body, parts: isBodyOnly ? null : parts }
}

/** Finds components by type; null if there is one that cannot be read or of another type. */
const componentsOf = (components: ReadonlyArray<unknown>, types: ReadonlyArray<string>) => {
  const known = components.flatMap((component) => Option.toArray(readComponent(component)))
  const isKnown = known.length === components.length && known.every(({ type }) => types.includes(type))
  return isKnown ? (type: string) => known.find((component) => component.type === type) : null
}

/** Null: no carousel. Undefined: not sendable. */
const cardsOf = (carousel: Component | undefined): ReadonlyArray<Card> | null | undefined => {
  if (carousel === undefined) return null
  const cards: Array<Card> = []
  for (const value of carousel.cards ?? []) {
    const of = Option.flatMap(readCard(value), ({ components }) =>
      Option.fromNullable(componentsOf(components, ["BODY", "HEADER", "BUTTONS"]))
    ).pipe(Option.getOrNull)
    const format = of?.("HEADER")?.format ?? ""
    const header = format === "PRODUCT" ? "product" : fileHeaders[format]
    const buttons = of === null ? undefined : buttonsOf(of("BUTTONS"), false)
    const isSendable = buttons?.every(({ type }) => (type === "product" ? header === "product" : cardButtons.has(type)))
    if (of === null || header === undefined || header === "document" || buttons === undefined || isSendable !== true) {
      return undefined
    }
    cards.push({ header, body: of("BODY")?.text ?? null, buttons })
  }
  return cards.length === 0 ? undefined : cards
}

const cardButtons: ReadonlySet<Button["type"]> = new Set(["reply", "url", "phone"])

const fileHeaders: { readonly [format: string]: "image" | "video" | "document" } = {
  IMAGE: "image",
  VIDEO: "video",
  DOCUMENT: "document"
}

/** Undefined: not sendable. */
const headerOf = (component: Component | undefined): Header | null | undefined => {
  if (component === undefined) return null
  const { format = "", text } = component
  if (format === "TEXT") return text === undefined ? undefined : { type: "text", text }
  const type = fileHeaders[format]
  return type === undefined ? undefined : { type, text: null }
}

const buttonTypes: { readonly [type: string]: Button["type"] } = {
  QUICK_REPLY: "reply",
  PHONE_NUMBER: "phone",
  URL: "url",
  COPY_CODE: "code",
  OTP: "otp",
  CATALOG: "catalog",
  SPM: "product",
  MPM: "products"
}

/** Undefined: not sendable. Meta lists the button of a one-time password as one with a URL, too. */
const buttonsOf = (component: Component | undefined, isOneTimePassword: boolean): ReadonlyArray<Button> | undefined => {
  const buttons: Array<Button> = []
  for (const { text = "", type, url = null } of component?.buttons ?? []) {
    const known = buttonTypes[type]
    if (known === undefined) return undefined
    buttons.push({ type: known === "url" && isOneTimePassword ? "otp" : known, text, url })
  }
  return buttons
}
