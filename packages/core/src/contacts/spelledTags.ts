import { type Parts, row } from "../ports/Changes.js"
import type { Contact, Tag } from "./Contact.js"
import { folded } from "./folded.js"

/** Tags compare by their folded name; the first spelling in the workspace is kept (decisions.md §6). */
export const spelledTags = (given: ReadonlyArray<string>, known: ReadonlyArray<Tag>): ReadonlyArray<string> => {
  const spellings = new Map(known.map((tag) => [tag.folded, tag.name]))
  const chosen = new Map<string, string>()
  for (const name of given) {
    const key = folded(name)
    if (!chosen.has(key)) chosen.set(key, spellings.get(key) ?? name)
  }
  return [...chosen.values()]
}

/** The rows that keep the spelling of a contact's tags. */
export const ensuredTags = ({ tags, workspaceId }: Pick<Contact, "tags" | "workspaceId">): Parts => ({
  ensures: tags.map((name) => row("tags", { workspaceId, folded: folded(name), name }))
})
