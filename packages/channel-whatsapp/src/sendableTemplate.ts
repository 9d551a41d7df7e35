import type { ProviderTemplate, TemplateParts } from "@parley/core"
import { Option, Schema } from "effect"

const readComponent = Schema.decodeUnknownOption(
  Schema.Struct({
    type: Schema.String,
    format: Schema.optional(Schema.String),
    text: Schema.optional(Schema.String),
    buttons: Schema.optional(
      Schema.Array(
        Schema.Struct({
          type: Schema.String,
          text: Schema.optional(Schema.String),
          url: Schema.optional(Schema.String)
        })
      )
    )
  })
)
type Component = Option.Option.Value<ReturnType<typeof readComponent>>
type Header = NonNullable<TemplateParts["header"]>
type Button = TemplateParts["buttons"][number]

/** What Meta says of a template beside its name and language. */
export interface TemplateDescription {
  readonly category: string | undefined
  /** `NAMED` or `POSITIONAL`. */
  readonly parameterFormat: string | undefined
  readonly components: ReadonlyArray<unknown>
}

/**
 * Body and parts of a template (docs/reference/whatsapp.md#templates). Null if a message requires what Parley does not
 * fill in: a form, several products, a carousel, a place in the header, …
 */
export const sendableTemplate = ({
  category,
  components,
  parameterFormat
}: TemplateDescription): Pick<ProviderTemplate, "body" | "parts"> | null => {
  const known = components.flatMap((component) => Option.toArray(readComponent(component)))
  const of = (type: string) => known.find((component) => component.type === type)
  const body = of("BODY")?.text ?? ""
  const header = headerOf(of("HEADER"))
  const buttons = buttonsOf(of("BUTTONS"), category === "AUTHENTICATION")
  const isKnown = known.length === components.length && known.every(({ type }) => types.has(type))
  if (!isKnown || body === "" || header === undefined || buttons === undefined) return null
  const footer = of("FOOTER")?.text ?? null
  const named = parameterFormat === "NAMED"
  const isBodyOnly = header === null && footer === null && buttons.length === 0 && !named
  return { body, parts: isBodyOnly ? null : { header, footer, buttons, named } }
}

const types: ReadonlySet<string> = new Set(["BODY", "FOOTER", "HEADER", "BUTTONS"])

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
  CATALOG: "catalog"
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
