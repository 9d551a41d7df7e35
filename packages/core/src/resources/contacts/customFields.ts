import { Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { isDay } from "../../kernel/input/DateOrTime.js"
import { isStorable, lengthOf } from "../../kernel/input/Fields.js"
import { keyGiven, keyLength } from "../../kernel/input/Key.js"
import { decimalNumber } from "../../kernel/text/decimalNumber.js"
import type { Contact, CustomField } from "../../model/Contact.js"

type Given = { readonly [key: string]: unknown }

/** Whether `details` may contain the key: keys that are too long are not echoed. */
const isNameable = Schema.is(keyGiven)

/**
 * Problems at `custom_fields.<key>` for unknown keys and values of the wrong type
 * (docs/reference/contacts.md#custom-fields), and at `custom_fields` for keys that no field can have. Null clears a
 * field.
 */
export const customFieldProblems = (given: Given, fields: ReadonlyArray<CustomField>): Problems =>
  Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      if (!isNameable(key))
        return [["custom_fields", [`must have keys of at most ${keyLength} characters, without U+0000`]]]
      const field = fields.find((known) => known.key === key)
      const message =
        field === undefined
          ? "is not a custom field of this workspace"
          : value === null
            ? null
            : problemOf(field, value)
      return message === null ? [] : [[`custom_fields.${key}`, [message]]]
    })
  )

const problemOf = ({ type }: CustomField, value: unknown): string | null => {
  switch (type) {
    case "text":
      return typeof value === "string" && lengthOf(value) <= 1_000 && isStorable(value)
        ? null
        : "must be text of at most 1000 characters"
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? null : "must be a number"
    case "boolean":
      return typeof value === "boolean" ? null : "must be true or false"
    case "date":
      return typeof value === "string" && isDay(value) ? null : "must be a date such as 2026-05-04"
  }
}

/** Converts text values to the types of their fields where possible. Empty text clears a field. */
export const readAsText = (given: Given, fields: ReadonlyArray<CustomField>): Given =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const type = fields.find((known) => known.key === key)?.type
      return [key, typeof value === "string" ? asType(value.trim(), value, type) : value]
    })
  )

const asType = (trimmed: string, text: string, type: CustomField["type"] | undefined): unknown => {
  if (trimmed === "") return null
  if (type === "number") return decimalNumber(trimmed) ?? text
  if (type === "boolean" && (trimmed === "true" || trimmed === "false")) return trimmed === "true"
  return type === "date" ? trimmed : text
}

/** The values to store. The input must be valid. */
export const storedCustomFields = (given: Given): Contact["customFields"] =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Contact["customFields"]
