import { Option, Schema } from "effect"
import type { Event } from "../../../model/Event.js"
import type { HistoryEntry, HistoryType } from "./HistoryEntry.js"

/** The contact in an event's data, as far as a history compares it. */
const Snapshot = Schema.Struct({
  id: Schema.String,
  identities: Schema.optionalWith(Schema.Array(Schema.Struct({ channel: Schema.String, handle: Schema.String })), {
    default: () => []
  })
})
const read = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ contact: Schema.Record({ key: Schema.String, value: Schema.Unknown }) }))
)

/** An event about a contact with the state of the contact after it. */
export interface ContactSnapshot {
  readonly event: Event
  /** The contact that changed; another one than the event's subject if it was merged into that one later. */
  readonly contactId: string
  readonly identities: ReadonlyArray<string>
  readonly fields: { readonly [name: string]: unknown }
}

/** Null for data of an unknown format. */
export const contactSnapshot = (event: Event): ContactSnapshot | null =>
  Option.getOrNull(
    Option.flatMap(read(event.data), ({ contact }) =>
      Option.map(Schema.decodeUnknownOption(Snapshot)(contact), ({ id, identities }) => ({
        event,
        contactId: id,
        identities: identities.map(({ channel, handle }) => `${channel} ${handle}`),
        fields: contact
      }))
    )
  )

const isText = (value: unknown): value is string | number | boolean | null =>
  value === null || ["string", "number", "boolean"].includes(typeof value)
const text = (value: unknown): string =>
  value === null ? "none" : isText(value) ? String(value) : JSON.stringify(value)

/** Fields that are compared apart, change with every message, or follow from others. */
const ignored = new Set(["id", "name", "identities", "last_activity_at", "created_at"])
const optOuts = { opted_out: "all messages", marketing_opted_out: "marketing" } as const

/**
 * The entry of a change, from the contact's states before and after it. `before`: null if it is not stored any more.
 */
export const contactChange = (
  { contactId, event, fields, identities }: ContactSnapshot,
  before: ContactSnapshot | null,
  isMerge: boolean
): HistoryEntry => {
  const changed =
    before === null
      ? []
      : Object.keys(fields).filter((name) => !ignored.has(name) && differs(name, fields, before.fields))
  const flags = Object.keys(optOuts).filter((name) => changed.includes(name)) as ReadonlyArray<keyof typeof optOuts>
  const texts = [
    ...(isMerge ? ["another contact was merged into this one"] : []),
    ...flags.map((name) => `${fields[name] === true ? "opted out of" : "opted in to"} ${optOuts[name]}`),
    ...(before === null ? [] : identityChanges(before.identities, identities)),
    ...changed
      .filter((name) => !(name in optOuts))
      .map((name) => `${name} was ${text(before?.fields[name] ?? null)}, is ${text(fields[name] ?? null)}`)
  ]
  const none =
    before === null ? "changed; its state before is not stored any more" : "changed in fields that events do not have"
  return {
    id: event.id,
    at: event.createdAt,
    type: typeOf(
      isMerge,
      flags.map((name) => fields[name] === true)
    ),
    subjectType: "contact",
    subjectId: contactId,
    channel: null,
    status: null,
    explanation: sentence(texts.length === 0 ? none : texts.join("; "))
  }
}

const differs = (name: string, after: ContactSnapshot["fields"], before: ContactSnapshot["fields"]): boolean =>
  JSON.stringify(after[name] ?? null) !== JSON.stringify(before[name] ?? null)

const identityChanges = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...after.filter((one) => !before.includes(one)).map((one) => `added ${one}`),
  ...before.filter((one) => !after.includes(one)).map((one) => `removed ${one}`)
]

/** `flags`: for each changed opt-out, whether it is one now. */
const typeOf = (isMerge: boolean, flags: ReadonlyArray<boolean>): HistoryType =>
  isMerge ? "contact_merged" : flags.includes(true) ? "opt_out" : flags.length > 0 ? "opt_in" : "contact_changed"

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
