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

/**
 * Claims the tags that neither the workspace nor the contact had. If another commit creates one of them first, this one
 * is decided again with that spelling.
 */
export const newTags = (
  { tags, workspaceId }: Pick<Contact, "tags" | "workspaceId">,
  known: ReadonlyArray<Tag>,
  had: ReadonlyArray<string> = []
): Parts => {
  const existing = new Set([...known.map(({ folded }) => folded), ...had.map(searchKey)])
  const claimed = tags.map((name) => ({ workspaceId, folded: searchKey(name), name }))
  return { claims: claimed.filter(({ folded }) => !existing.has(folded)).map((tag) => row("tags", tag)) }
}
