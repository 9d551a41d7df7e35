import { Schema } from "effect"
import { searchKey } from "../../kernel/text/searchKey.js"
import { IdentityChannel, type Tag } from "../../model/Contact.js"
import type { ContactFilter } from "../../ports/Storage.js"
import type { ContactFilters } from "./ContactListQuery.js"

const isIdentityChannel = Schema.is(IdentityChannel)

/**
 * The storage filter of `GET /contacts`; null if no contact can match: unknown tag or channel
 * (docs/reference/contacts.md#listing-contacts). `tag` is the workspace's tag of the requested name.
 */
export const contactFilter = (
  workspaceId: string,
  query: ContactFilters,
  tag: Tag | undefined
): ContactFilter | null => {
  if (query.tag !== null && tag === undefined) return null
  if (query.channel !== null && !isIdentityChannel(query.channel)) return null
  return {
    workspaceId,
    // A search key may be empty, for example that of an accent alone; it matches every contact.
    search: query.search === null ? null : searchKey(query.search) || null,
    searchAlso: query.search === null ? null : phonePart(query.search),
    lifecycleStage: query.lifecycleStage,
    tag: tag?.name ?? null,
    channel: query.channel,
    createdAfter: query.createdAfter
  }
}

/** Fewer digits are numbers of other kinds too, such as versions and dates. */
const minPhoneDigits = 4

/**
 * The part of a stored phone number that a search means, such as `+49170` for `0049 (0) 170`; null if the text has
 * other characters than a phone number (docs/reference/contacts.md#searching-phone-numbers).
 */
const phonePart = (text: string): string | null => {
  if (!/^[\s+\d().\-‐-―/]*$/.test(text)) return null
  const isInternational = /^\s*(\+|00)/.test(text)
  // "(0)" is dialled within the country only.
  const digits = text.replace(isInternational ? /\(0\)|\D/g : /\D/g, "").replace(/^00/, "")
  return digits.length < minPhoneDigits ? null : `${isInternational ? "+" : ""}${digits}`
}
