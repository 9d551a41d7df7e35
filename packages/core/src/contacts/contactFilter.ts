import { Schema } from "effect"
import type { ContactFilter } from "../ports/Storage.js"
import { IdentityChannel, type Tag } from "./Contact.js"
import type { ContactListQuery } from "./ContactListQuery.js"
import { folded } from "./folded.js"

const isIdentityChannel = Schema.is(IdentityChannel)

/**
 * The contacts that `GET /contacts` asks for; null where there can be none: an unknown tag or channel (decisions.md §6).
 * `tag` is the workspace's tag of the name given.
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
    // What folds to nothing, such as an accent alone, is in every text.
    search: query.search === null ? null : folded(query.search) || null,
    lifecycleStage: query.lifecycleStage,
    tag: tag?.name ?? null,
    channel: query.channel,
    createdAfter: query.createdAfter
  }
}
