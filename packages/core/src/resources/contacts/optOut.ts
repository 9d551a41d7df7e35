import type { Contact } from "../../model/Contact.js"
import { type Instant, minute } from "../../model/Instant.js"
import { expect, set } from "../../ports/Changes.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import { contactEvent } from "./contactEvent.js"

/** Scope of an opt-out: all messages, or marketing only. */
export type OptOutScope = "all" | "marketing"

/** The columns of a scope: the flag, and when it was said last. */
const columns = {
  all: { flag: "optedOut", time: "optedOutAt" },
  marketing: { flag: "marketingOptedOut", time: "marketingOptedOutAt" }
} as const

/**
 * Records an opt-out or opt-in of a customer (docs/reference/contacts.md#opt-out): `value` is true for an opt-out, `at`
 * is when the customer said it. One that is older than the last changes nothing, because vendors redeliver. The two
 * scopes are independent.
 */
export const optOut = (contact: Contact, scope: OptOutScope, value: boolean, at: Instant): ChangedContact => {
  const { flag, time } = columns[scope]
  const last = contact[time]
  const isOlder = last !== null && at < last
  const isSame = contact[flag] === value
  if (isOlder || (isSame && at === last)) return unchangedContact(contact)
  const { id, version } = contact
  const changed = { ...contact, [flag]: value, [time]: at }
  return {
    contact: changed,
    parts: {
      expects: [expect("contacts", { id }, { version })],
      sets: [set("contacts", { id }, { [flag]: value, [time]: at })]
    },
    events: isSame ? [] : [contactEvent("contact.updated", changed)]
  }
}

/** How far the clocks of a vendor and of this host may differ, in ms. */
export const clockTolerance = 5 * minute

/**
 * The time of a stop word or start word that was written at `at`. A stop word is not older than the last change if
 * clocks alone may have put it before: it must not be lost.
 */
export const keywordTime = ({ optedOutAt }: Contact, stops: boolean, at: Instant): Instant =>
  stops && optedOutAt !== null && at >= optedOutAt - clockTolerance ? Math.max(at, optedOutAt) : at

/** The contact after a change by the administration, with the time of the flags that changed. */
export const withOptOutTimes = (before: Contact, after: Contact, now: Instant): Contact => ({
  ...after,
  optedOutAt: after.optedOut === before.optedOut ? before.optedOutAt : now,
  marketingOptedOutAt: after.marketingOptedOut === before.marketingOptedOut ? before.marketingOptedOutAt : now
})
