import { Effect, Either } from "effect"
import type { Contact } from "../../contacts/Contact.js"
import { folded } from "../../contacts/folded.js"
import { updateContact } from "../../contacts/updateContact.js"
import { invalid } from "../../errors/Refusal.js"
import { lookup } from "../../ports/Storage.js"
import type { ChangeTag } from "../definition/Action.js"
import { fillIn } from "../placeholders.js"
import { type Prepare, valuesOf } from "../runs/RunScope.js"
import { changedContact } from "./changedContact.js"

const longest = 100

/** Gives the contact a tag or takes one away; where it has it or has it not already, nothing happens. */
export const changeTag: Prepare<ChangeTag> = ({ storage }, first, action) => {
  const tagFor = (scope: Parameters<typeof valuesOf>[0]) => fillIn(action.tag, valuesOf(scope)).trim()
  const { workspaceId } = first.run
  const known = storage.read({ tags: lookup("tags", { workspaceId, folded: folded(tagFor(first)) }) })
  return Effect.map(known, ({ tags: spellings }) => (scope, now, ids) => {
    const tag = tagFor(scope)
    const { contact } = scope
    const has = contact.tags.some((one) => folded(one) === folded(tag))
    if (tag === "" || tag.length > longest) {
      return Either.left(invalid({ tag: [`must be 1 to ${longest} characters once it is filled in`] }))
    }
    if (has === (action.type === "add_tag")) {
      return Either.right({ parts: [], detail: `the contact ${has ? "has" : "does not have"} the tag ${tag} already` })
    }
    const tags = has ? without(contact, tag) : [...contact.tags, tag]
    const world = { ...scope, tags: spellings, addresses: [], customFields: [] }
    const updated = updateContact(world, { value: { tags }, problems: {} }, now, ids)
    return changedContact(updated, `${has ? "removed" : "added"} the tag ${tag}`)
  })
}

const without = ({ tags }: Contact, tag: string): ReadonlyArray<string> =>
  tags.filter((one) => folded(one) !== folded(tag))
