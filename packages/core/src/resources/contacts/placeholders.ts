import { exactNumbersOf } from "../../kernel/input/exactNumbers.js"
import type { Contact } from "../../model/Contact.js"
import { encodeAdminContact } from "./ContactResource.js"

/** The values of placeholders. A missing value becomes empty text. */
export interface PlaceholderValues {
  /** Fields in wire shape: `{{contact.first_name}}`, `{{contact.custom_fields.plan}}`, `{{contact_id}}`. */
  readonly contact: Contact
  /** Name of the event: `{{event}}`. */
  readonly event?: string | null
  /** Data of the event: `{{data.order.lines.0.title}}`. */
  readonly data?: { readonly [key: string]: unknown } | null
  /** Application that sent the event: `{{application_id}}`. */
  readonly applicationId?: string | null
  /** Answers of a bot session, by step key: `{{answers.size}}`. */
  readonly answers?: { readonly [key: string]: unknown } | null
}

/** Whether a text or any text in a JSON value contains `{{`. */
export const hasPlaceholder = (value: unknown): boolean => JSON.stringify(value)?.includes("{{") ?? false

/** Maximum length of a filled text, or of all texts of a filled JSON value, in UTF-16 units. The rest is cut off. */
export const maxFilledLength = 1_048_576

// A name contains no braces, so two matches never overlap: linear time. Keys of data may contain spaces.
const placeholder = /\{\{(?!\s*\})([^{}]{1,1000})\}\}/g

/**
 * Replaces the placeholders of a text. Strings, numbers and booleans are inserted; any other or missing value becomes
 * empty text. Inserted text is not filled again, and nothing is evaluated. `escaped` is applied to the inserted values,
 * not to the text around them.
 */
export const fillIn = (
  text: string,
  values: PlaceholderValues,
  escaped: (value: string) => string = (value) => value
): string => fill(text, standsFor(values), escaped, maxFilledLength)

/** Applies {@link fillIn} to every text in a JSON value. Field names stay unchanged. */
export const fillInJson = (value: unknown, values: PlaceholderValues): unknown => {
  const meaning = standsFor(values)
  let room = maxFilledLength
  const filled = (inner: unknown): unknown => {
    if (typeof inner === "string") {
      const text = fill(inner, meaning, (value) => value, room)
      room -= text.length
      return text
    }
    if (Array.isArray(inner)) return inner.map(filled)
    if (typeof inner !== "object" || inner === null) return inner
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, filled(one)]))
  }
  return filled(value)
}

/** Escapes text for HTML elements and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/**
 * Fills the placeholders of a URL: a single one is the URL, values within one are percent-encoded, so that they add no
 * host, path or parameter.
 */
export const fillInUrl = (url: string, values: PlaceholderValues): string =>
  /^\s*\{\{[^{}]*\}\}\s*$/.test(url) ? fillIn(url, values).trim() : fillIn(url, values, percentEncoded)

// A lone surrogate cannot be encoded.
const percentEncoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ""))

/**
 * The value at a path such as `order.lines.0.title`; undefined if absent. Reads own properties of objects and
 * items of arrays only.
 */
export const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((holder, name) => {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) return undefined
    if (Array.isArray(holder)) return /^\d+$/.test(name) ? holder[Number(name)] : undefined
    return Reflect.get(holder, name)
  }, value)

/** The number at a path with all its digits; undefined if a double holds it, or if it is no number. */
export const exactNumberAt = (root: unknown, path: ReadonlyArray<string>): string | undefined =>
  exactNumbersOf(valueAt(root, path.slice(0, -1))).get(path.at(-1) ?? "")

/** Cache of contacts in wire shape: a run that fills many texts encodes its contact once. */
const encodedContacts = new WeakMap<Contact, unknown>()

const encoded = (contact: Contact): unknown => {
  let known = encodedContacts.get(contact)
  if (known === undefined) {
    known = encodeAdminContact(contact)
    encodedContacts.set(contact, known)
  }
  return known
}

/** Resolves a name to text. */
const standsFor = ({ answers, applicationId, contact, data, event }: PlaceholderValues): ((name: string) => string) => {
  const rootOf = (name: string | undefined): unknown => {
    switch (name) {
      case "event":
        return event
      case "contact_id":
        return contact.id
      case "application_id":
        return applicationId
      case "data":
        return data
      case "answers":
        return answers
      case "contact":
        return encoded(contact)
    }
  }
  return (name) => {
    const [root, ...path] = name.split(".")
    const value = valueAt(rootOf(root), path)
    if (typeof value === "number") return exactNumberAt(rootOf(root), path) ?? String(value)
    return typeof value === "string" || typeof value === "boolean" ? String(value) : ""
  }
}

const fill = (
  text: string,
  meaning: (name: string) => string,
  escaped: (value: string) => string,
  room: number
): string => {
  let filled = ""
  let end = 0
  const isFull = () => filled.length >= room
  for (let start = text.indexOf("{{"); start !== -1 && !isFull(); start = text.indexOf("{{", end)) {
    placeholder.lastIndex = start
    const match = placeholder.exec(text)
    if (match === null) break
    filled += text.slice(end, match.index) + escaped(meaning((match[1] ?? "").trim()))
    end = match.index + match[0].length
  }
  filled += text.slice(end)
  // Drop a trailing high surrogate: an incomplete surrogate pair cannot be stored.
  return isFull() ? filled.slice(0, room).replace(/[\uD800-\uDBFF]$/, "") : filled
}
