import { decimalNumber, IdentityChannel } from "@parley/core"
import type { Resource } from "../AdminClient.js"
import { didYouMean } from "../didYouMean.js"
import { cellOf, joined, separated, textOf } from "./cells.js"

/** A custom field of the workspace: its key and its type. */
export interface CustomField {
  readonly key: string
  readonly type: string
}

const texts = [
  "first_name",
  "last_name",
  "company",
  "job_title",
  "email",
  "phone",
  "country",
  "city",
  "language",
  "timezone",
  "lifecycle_stage"
]
const flags = ["opted_out", "marketing_opted_out"]

/** The columns of a file of rejected rows, which an import ignores. */
export const errorColumns = ["import_row", "import_error"]
const ignored = ["id", "name", "workspace_id", "last_activity_at", "created_at", ...errorColumns]

/** The columns of an export. */
export const exportColumns = (customFields: ReadonlyArray<CustomField>): ReadonlyArray<string> => [
  "id",
  ...texts,
  ...flags,
  "tags",
  ...IdentityChannel.literals.map((channel) => `identities.${channel}`),
  ...customFields.map(({ key }) => `custom_fields.${key}`),
  "last_activity_at",
  "created_at"
]

/** Whether a column is that of a custom field. */
export const namesCustomField = (name: string): boolean => name.startsWith("custom_fields.")

/** The problem of a file's header; null if it is valid. */
export const headerProblem = (
  header: ReadonlyArray<string>,
  customFields: ReadonlyArray<CustomField>
): string | null => {
  const known = [...exportColumns(customFields), ...ignored]
  const unknown = header.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const hint = namesCustomField(unknown)
      ? "The workspace has no such custom field: see parley custom-field list."
      : didYouMean(unknown, known)
    return `Unknown column ${JSON.stringify(unknown)}: the first row must contain the names of the fields.${hint}`
  }
  const twice = header.find((name, index) => header.indexOf(name) !== index)
  return twice === undefined ? null : `The column ${twice} occurs twice.`
}

/** The contact of a row, in the API's shape; empty cells are left out. */
export const contactOf = (
  header: ReadonlyArray<string>,
  cells: ReadonlyArray<string>,
  customFields: ReadonlyArray<CustomField>
): Resource => {
  const contact: { [field: string]: unknown } = {}
  const identities: Array<{ readonly channel: string; readonly handle: string }> = []
  const custom: { [key: string]: unknown } = {}
  header.forEach((name, index) => {
    const text = textOf((cells[index] ?? "").trim())
    if (text === "" || ignored.includes(name)) return
    const [group, key] = splitName(name)
    if (group === "identities") for (const handle of separated(text)) identities.push({ channel: key, handle })
    else if (group === "custom_fields")
      custom[key] = customValue(
        text,
        customFields.find((field) => field.key === key)
      )
    else if (name === "tags") contact.tags = separated(text)
    else contact[name] = flags.includes(name) ? flag(text) : text
  })
  return {
    ...contact,
    ...(identities.length === 0 ? {} : { identities }),
    ...(Object.keys(custom).length === 0 ? {} : { custom_fields: custom })
  }
}

/** The cells of a contact in the API's shape. */
export const cellsOf = (contact: Resource, columns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const identities = (contact.identities ?? []) as ReadonlyArray<{ readonly channel: string; readonly handle: string }>
  const custom = (contact.custom_fields ?? {}) as Resource
  return columns.map((name) => {
    const [group, key] = splitName(name)
    if (group === "custom_fields") return cellOf(Object.hasOwn(custom, key) ? custom[key] : undefined)
    if (name === "tags") return cellOf(joined((contact.tags ?? []) as ReadonlyArray<string>))
    if (group !== "identities") return cellOf(contact[name])
    // Without the handles that `email` and `phone` contain.
    const handles = identities.filter(({ channel, handle }) => channel === key && contact[key] !== handle)
    return cellOf(joined(handles.map(({ handle }) => handle)))
  })
}

const splitName = (name: string): readonly [group: string, key: string] => {
  const dot = name.indexOf(".")
  return dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)]
}

/** An invalid value stays text, so that the API's refusal names it. */
const flag = (text: string): boolean | string => {
  const lower = text.toLowerCase()
  return lower === "true" || (lower === "false" ? false : text)
}

const customValue = (text: string, field: CustomField | undefined): unknown => {
  if (field?.type === "boolean") return flag(text)
  return field?.type === "number" ? (decimalNumber(text) ?? text) : text
}
