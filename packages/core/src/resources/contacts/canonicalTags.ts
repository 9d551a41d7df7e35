import { searchKey } from "../../kernel/text/searchKey.js"
import type { Contact, Tag } from "../../model/Contact.js"
import { type Parts, row } from "../../ports/Changes.js"

/**
 * Replaces tags by their canonical spelling: tags are compared by search key, and the first spelling in the workspace
 * is kept (docs/reference/contacts.md#tags).
 */
export const canonicalTags = (given: ReadonlyArray<string>, known: ReadonlyArray<Tag>): ReadonlyArray<string> => {
  const canonical = new Map(known.map((tag) => [tag.folded, tag.name]))
  const seen = new Map<string, string>()
  for (const name of given) {
    const key = searchKey(name)
    if (!seen.has(key)) seen.set(key, canonical.get(key) ?? name)
  }
  return [...seen.values()]
}

/** The rows that store the canonical spelling of a contact's tags. */
export const tagRows = ({ tags, workspaceId }: Pick<Contact, "tags" | "workspaceId">): Parts => ({
  ensures: tags.map((name) => row("tags", { workspaceId, folded: searchKey(name), name }))
})
