import { Either, Option, Schema } from "effect"
import type { Resource } from "../AdminClient.js"
import { itemsOf } from "../apiCommand.js"
import { printable } from "../printable.js"

/** A setting of a provider, from its JSON Schema. */
export interface Setting {
  /** In the wire shape: `phone_number_id`. */
  readonly name: string
  /** The displayed title; the name if the provider has none. */
  readonly title: string
  /** Empty if the provider has none. */
  readonly description: string
  readonly required: boolean
  readonly takes: Takes
}

/** The type of a setting. A group has its own settings, a choice its words. */
export type Takes =
  | { readonly kind: "text" | "number" | "true or false" | "list" | "JSON" }
  | { readonly kind: "choice"; readonly message: ReadonlyArray<string> }
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

/** The settings of an object schema, in order. */
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
  const { enum: message, properties, type = "" } = Option.getOrElse(describedIn(schema), () => nothing)
  const [kind = ""] = typeof type === "string" ? [type] : type.filter((one) => one !== "null")
  if (message?.every((word) => typeof word === "string")) return { kind: "choice", message }
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

/** The value of a text, or what it must be. The server checks whether the provider accepts it. */
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
      return takes.message.includes(text)
        ? Either.right(text)
        : Either.left(`must be one of ${takes.message.join(", ")}`)
    default:
      return Either.mapLeft(Schema.decodeUnknownEither(Schema.parseJson())(text), () => "must be JSON")
  }
}

/** Every setting that is not a group, by its path: `smtp.host`. */
export const leavesOf = (settings: ReadonlyArray<Setting>): ReadonlyArray<readonly [path: string, setting: Setting]> =>
  settings.flatMap((setting) =>
    setting.takes.kind === "group"
      ? leavesOf(setting.takes.settings).map(([path, leaf]) => {
          const required = setting.required && leaf.required
          return [`${setting.name}.${path}`, { ...leaf, required }] as const
        })
      : [[setting.name, setting] as const]
  )

/** The settings with one more value, at this path. */
export const withValueAt = (settings: Resource, path: string, value: unknown): Resource => {
  const [name = "", ...rest] = path.split(".")
  if (rest.length === 0) return { ...settings, [name]: value }
  return { ...settings, [name]: withValueAt(groupIn(settings, name), rest.join("."), value) }
}

/** The given settings of a group. */
export const groupIn = (settings: Resource, name: string): Resource => {
  const group = settings[name]
  return isObject(group) ? group : {}
}
const isObject = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
