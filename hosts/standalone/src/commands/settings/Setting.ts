import { Either, Option, Schema } from "effect"
import type { Resource } from "../AdminClient.js"
import { itemsOf } from "../leaf.js"
import { printable } from "../printable.js"

/** Something that a provider wants to know of a connection, as its JSON Schema says. */
export interface Setting {
  /** In wire shape: `phone_number_id`. */
  readonly name: string
  /** For people; its name where the provider gave it none. */
  readonly title: string
  /** Empty where the provider wrote none. */
  readonly description: string
  readonly required: boolean
  readonly takes: Takes
}

/** What is entered for a setting. A group has settings of its own, a choice the words to choose from. */
export type Takes =
  | { readonly kind: "text" | "number" | "true or false" | "list" | "JSON" }
  | { readonly kind: "choice"; readonly words: ReadonlyArray<string> }
  | { readonly kind: "group"; readonly settings: ReadonlyArray<Setting> }

const Described = Schema.Struct({
  title: Schema.optional(Schema.String),
  description: Schema.optional(Schema.String),
  type: Schema.optional(Schema.Union(Schema.String, Schema.Array(Schema.String))),
  enum: Schema.optional(Schema.Array(Schema.Unknown)),
  required: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  properties: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
})
type Described = typeof Described.Type
const describedIn = Schema.decodeUnknownOption(Described)

/** The settings of an object that JSON Schema describes, in its order. */
export const settingsIn = (schema: unknown): ReadonlyArray<Setting> =>
  Option.match(describedIn(schema), {
    onNone: () => [],
    onSome: ({ properties = {}, required }) =>
      Object.entries(properties).map(([name, property]) => {
        const { description = "", title = name } = Option.getOrElse(describedIn(property), () => nothing)
        return {
          name,
          title: printable(title),
          description,
          required: required.includes(name),
          takes: takesOf(property)
        }
      })
  })

const nothing: Partial<Described> = {}

const takesOf = (schema: unknown): Takes => {
  const { enum: words, properties, type = "" } = Option.getOrElse(describedIn(schema), () => nothing)
  const [kind = ""] = typeof type === "string" ? [type] : type.filter((one) => one !== "null")
  if (words?.every((word) => typeof word === "string")) return { kind: "choice", words }
  if (kind === "object" && properties !== undefined) return { kind: "group", settings: settingsIn(schema) }
  return { kind: kinds[kind] ?? "JSON" }
}

const kinds: { readonly [type: string]: "text" | "number" | "true or false" | "list" | undefined } = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "true or false",
  array: "list"
}

/** The value that a person wrote as text, or what it must be. Whether the provider takes it, the server says. */
export const readValue = (takes: Takes, text: string): Either.Either<unknown, string> => {
  switch (takes.kind) {
    case "text":
      return Either.right(text)
    case "list":
      return Either.right(itemsOf(text))
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text) ? Either.right(Number(text)) : Either.left("must be a number")
    case "true or false":
      return text === "true" || text === "false" ? Either.right(text === "true") : Either.left("must be true or false")
    case "choice":
      return takes.words.includes(text) ? Either.right(text) : Either.left(`must be one of ${takes.words.join(", ")}`)
    default:
      return Either.mapLeft(Schema.decodeUnknownEither(Schema.parseJson())(text), () => "must be JSON")
  }
}

/** Every setting that is no group, by its path: `smtp.host`. */
export const leavesOf = (settings: ReadonlyArray<Setting>): ReadonlyArray<readonly [path: string, setting: Setting]> =>
  settings.flatMap((setting) =>
    setting.takes.kind === "group"
      ? leavesOf(setting.takes.settings).map(([path, leaf]) => {
          const required = setting.required && leaf.required
          return [`${setting.name}.${path}`, { ...leaf, required }] as const
        })
      : [[setting.name, setting] as const]
  )

/** Settings with one more, at such a path. */
export const withValueAt = (settings: Resource, path: string, value: unknown): Resource => {
  const [name = "", ...rest] = path.split(".")
  if (rest.length === 0) return { ...settings, [name]: value }
  return { ...settings, [name]: withValueAt(groupIn(settings, name), rest.join("."), value) }
}

/** The settings of a group, as far as they are given. */
export const groupIn = (settings: Resource, name: string): Resource => {
  const group = settings[name]
  return isObject(group) ? group : {}
}
const isObject = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
