import type { Contact } from "../contacts/Contact.js"
import { encodeAdminContact } from "../contacts/ContactResource.js"

/** What placeholders stand for. Whatever is not there is empty text. */
export interface PlaceholderValues {
  /** Its fields in wire shape: `{{contact.first_name}}`, `{{contact.custom_fields.plan}}`, `{{contact_id}}`. */
  readonly contact: Contact
  /** The event's name: `{{event}}`. */
  readonly event?: string | null
  /** Of the event: `{{data.order.lines.0.title}}`. */
  readonly data?: { readonly [key: string]: unknown } | null
  /** Whose event it was: `{{application_id}}`. */
  readonly applicationId?: string | null
  /** What a bot was answered, by the keys of its steps: `{{answers.size}}`. */
  readonly answers?: { readonly [key: string]: unknown } | null
}

/** Whether a text in a JSON value, or the text itself, has something to be filled in. */
export const hasPlaceholder = (value: unknown): boolean => JSON.stringify(value)?.includes("{{") ?? false

/** The most characters that filling a text or a JSON value makes of it; what is beyond is cut off. */
export const mostFilled = 1_048_576

// A name has no braces and no white space, so that no character is looked at from two placeholders: linear time.
const placeholder = /\{\{\s*([^\s{}]{1,1000})\s*\}\}/g

/**
 * The text with its placeholders replaced by what they stand for: text, a number, true or false; all else, and what is
 * not there, by nothing. What was filled in is not looked at again, and nothing is evaluated. `escaped` is applied to what is
 * filled in, and not to the text around it.
 */
export const fillIn = (
  text: string,
  values: PlaceholderValues,
  escaped: (value: string) => string = (value) => value
): string => fill(text, standsFor(values), escaped, mostFilled)

/** A JSON value with every text in it filled in by {@link fillIn}; the names of fields stay as they are. */
export const fillInJson = (value: unknown, values: PlaceholderValues): unknown => {
  const meaning = standsFor(values)
  let room = mostFilled
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

/** Text as it stands in HTML, in elements and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/**
 * What is at a path such as `order.lines.0.title` of a value; undefined where nothing is. Only what an object itself has
 * is reached, and of a list only its items.
 */
export const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((holder, name) => {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) return undefined
    if (Array.isArray(holder)) return /^\d+$/.test(name) ? holder[Number(name)] : undefined
    return Reflect.get(holder, name)
  }, value)

/** Contacts in wire shape: what is filled in anew for each text of a run is encoded once. */
const encodedContacts = new WeakMap<Contact, unknown>()

const encoded = (contact: Contact): unknown => {
  const known = encodedContacts.get(contact) ?? encodeAdminContact(contact)
  encodedContacts.set(contact, known)
  return known
}

/** Looks up what a name stands for, as text. */
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
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : ""
  }
}

const fill = (
  text: string,
  meaning: (name: string) => string,
  escaped: (value: string) => string,
  room: number
): string => {
  const parts: Array<string> = []
  let [length, end] = [0, 0]
  const add = (part: string): void => {
    parts.push(part.slice(0, room - length))
    length = Math.min(room, length + part.length)
  }
  for (const match of text.matchAll(placeholder)) {
    if (length === room) break
    add(text.slice(end, match.index))
    add(escaped(meaning(match[1] ?? "")))
    end = match.index + match[0].length
  }
  add(text.slice(end))
  // A character of two halves is kept whole, or it could not be stored.
  return length === room ? parts.join("").replace(/[\uD800-\uDBFF]$/, "") : parts.join("")
}
