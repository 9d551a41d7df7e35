import type { Contact, Identity } from "../../contacts/Contact.js"
import { contactKeys } from "../../contacts/contactKeys.js"
import { folded } from "../../contacts/folded.js"

/**
 * A contact with another one folded into it: what it lacks comes from the other, lists are joined, and its own values win.
 * Whoever asked not to be written to stays unwritten to.
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
    identities: [...contact.identities, ...other.identities.filter((identity) => !isAmong(identity, contact))],
    tags: [...contact.tags, ...other.tags.filter((tag) => !contact.tags.some((own) => folded(own) === folded(tag)))],
    customFields: { ...other.customFields, ...contact.customFields },
    lastActivityAt: Math.max(contact.lastActivityAt, other.lastActivityAt),
    createdAt: Math.min(contact.createdAt, other.createdAt)
  }
  return { ...withoutKeys, ...contactKeys(withoutKeys) }
}

const isAmong = ({ channel, handle }: Identity, { identities }: Contact): boolean =>
  identities.some((own) => own.channel === channel && own.handle === handle)
