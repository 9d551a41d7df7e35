import { Option, Schema } from "effect"

const readComponent = Schema.decodeUnknownOption(
  Schema.Struct({
    type: Schema.String,
    format: Schema.optional(Schema.String),
    text: Schema.optional(Schema.String),
    buttons: Schema.optional(Schema.Array(Schema.Struct({ type: Schema.String, url: Schema.optional(Schema.String) })))
  })
)
type Component = Option.Option.Value<ReturnType<typeof readComponent>>

/**
 * The text of a template's body with numbered placeholders. Null if a message requires more than variables of the body:
 * a file or variable in the header, a variable in a button, a form, a carousel, …
 */
export const sendableBody = (components: ReadonlyArray<unknown>): string | null => {
  const known = components.flatMap((component) => Option.toArray(readComponent(component)))
  const body = known.find(({ type }) => type === "BODY")?.text
  const complete = known.length === components.length && known.every(needsNothing)
  return complete && body !== undefined && body !== "" ? body : null
}

/** Whether a component needs no parameters, or only the variables of the body. */
const needsNothing = ({ buttons = [], format, text = "", type }: Component): boolean => {
  switch (type) {
    case "BODY":
    case "FOOTER":
      return true
    case "HEADER":
      return format === "TEXT" && !text.includes("{{")
    case "BUTTONS":
      return buttons.every(({ type, url = "" }) => plainButtons.has(type) && !url.includes("{{"))
    default:
      return false
  }
}

const plainButtons: ReadonlySet<string> = new Set(["QUICK_REPLY", "PHONE_NUMBER", "URL"])
