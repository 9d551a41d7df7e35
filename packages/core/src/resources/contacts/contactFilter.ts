import { Schema } from "effect"
import { searchKey } from "../../kernel/text/searchKey.js"
import { IdentityChannel, type Tag } from "../../model/Contact.js"
import type { ContactFilter } from "../../ports/Storage.js"
import type { ContactListQuery } from "./ContactListQuery.js"

const isIdentityChannel = Schema.is(IdentityChannel)

/**
 * The storage filter of `GET /contacts`; null if no contact can match: unknown tag or channel
 * (docs/reference/contacts.md#listing-contacts). `tag` is the workspace's tag of the requested name.
 */
export const contactFilter = (
  workspaceId: string,
  query: ContactListQuery,
  tag: Tag | undefined
): ContactFilter | null => {
  if (query.tag !== null && tag === undefined) return null
  if (query.channel !== null && !isIdentityChannel(query.channel)) return null
  return {
    workspaceId,
    // A search key may be empty, for example that of an accent alone; it matches every contact.
    search: query.search === null ? null : searchKey(query.search) || null,
    lifecycleStage: query.lifecycleStage,
    tag: tag?.name ?? null,
    channel: query.channel,
    createdAfter: query.createdAfter
  }
}
