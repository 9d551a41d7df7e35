import { searchKey } from "../../kernel/text/searchKey.js"
import type { Contact, Identity } from "../../model/Contact.js"
import type { Instant } from "../../model/Instant.js"
import { contactKeys } from "./contactKeys.js"

/**
 * The contact after a merge: its own values win, missing values come from the other, lists are joined. An opt-out of
 * either contact remains.
 */
export const mergedContact = (contact: Contact, other: Contact): Contact => {
  const withoutKeys = {
    ...contact,
    firstName: contact.firstName ?? other.firstName,
    lastName: contact.lastName ?? other.lastName,
    company: contact.company ?? other.company,
    jobTitle: contact.jobTitle ?? other.jobTitle,
    email: contact.email ?? other.email,
    phone: contact.phone ?? other.phone,
    country: contact.country ?? other.country,
    city: contact.city ?? other.city,
    language: contact.language ?? other.language,
    timezone: contact.timezone ?? other.timezone,
    visitorName: contact.visitorName ?? other.visitorName,
    optedOut: contact.optedOut || other.optedOut,
    marketingOptedOut: contact.marketingOptedOut || other.marketingOptedOut,
    optedOutAt: latest(contact.optedOutAt, other.optedOutAt),
    marketingOptedOutAt: latest(contact.marketingOptedOutAt, other.marketingOptedOutAt),
    identities: [...contact.identities, ...other.identities.filter((identity) => !isAmong(identity, contact))],
    tags: [
      ...contact.tags,
      ...other.tags.filter((tag) => !contact.tags.some((own) => searchKey(own) === searchKey(tag)))
    ],
    customFields: { ...other.customFields, ...contact.customFields },
    lastActivityAt: Math.max(contact.lastActivityAt, other.lastActivityAt),
    createdAt: Math.min(contact.createdAt, other.createdAt)
  }
  return { ...withoutKeys, ...contactKeys(withoutKeys) }
}

const latest = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

const isAmong = ({ channel, handle }: Identity, { identities }: Contact): boolean =>
  identities.some((own) => own.channel === channel && own.handle === handle)
