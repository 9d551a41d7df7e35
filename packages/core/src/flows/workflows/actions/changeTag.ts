import { Effect, Either } from "effect"
import { invalid } from "../../../errors/Refusal.js"
import { lengthOf } from "../../../kernel/input/Fields.js"
import { searchKey } from "../../../kernel/text/searchKey.js"
import type { ChangeTag } from "../../../model/Action.js"
import type { Contact } from "../../../model/Contact.js"
import { lookup } from "../../../ports/Storage.js"
import { maxItems } from "../../../resources/contacts/ContactInput.js"
import { listsOverLimit } from "../../../resources/contacts/listsOverLimit.js"
import { fillIn } from "../../../resources/contacts/placeholders.js"
import { updateContact } from "../../../resources/contacts/updateContact.js"
import { type Prepare, type RunScope, valuesOf } from "../runs/RunScope.js"
import { changedContact } from "./changedContact.js"

const maxLength = 100

/**
 * Adds or removes a tag of the contact. Does nothing if there is nothing to change. Fails beyond the limit of tags
 * (docs/reference/contacts.md#tags).
 */
export const changeTag: Prepare<ChangeTag> = ({ storage }, first, action) =>
  Effect.map(storage.read(tagLookups(first, action)), ({ tags: variants }) => (scope, now, ids) => {
    const { contact } = scope
    const tag = tagFor(scope, action)
    const folded = searchKey(tag)
    const has = contact.tags.some((one) => searchKey(one) === folded)
    if (tag === "" || lengthOf(tag) > maxLength) {
      return Either.left(invalid({ tag: [`must be 1 to ${maxLength} characters once it is filled in`] }))
    }
    if (has === (action.type === "add_tag")) {
      return Either.right({ parts: [], detail: `the contact ${has ? "has" : "does not have"} the tag ${tag} already` })
    }
    const tags = has ? without(contact, tag) : [...contact.tags, tag]
    if (listsOverLimit(contact, { ...contact, tags }).length > 0) {
      return Either.left(invalid({ tag: [`must leave the contact with at most ${maxItems.tags} tags`] }))
    }
    const world = { ...scope, tags: variants, addresses: [], customFields: [] }
    const updated = updateContact(world, { value: { tags }, problems: {} }, now, ids)
    return changedContact(updated, `${has ? "removed" : "added"} the tag ${tag}`)
  })

const tagFor = (scope: Pick<RunScope, "contact" | "run">, { tag }: ChangeTag): string =>
  fillIn(tag, valuesOf(scope)).trim()

/** The spelling of the tag in the workspace. */
export const tagLookups = (scope: Pick<RunScope, "contact" | "run">, action: ChangeTag) => ({
  tags: lookup("tags", { workspaceId: scope.run.workspaceId, folded: searchKey(tagFor(scope, action)) })
})

const without = ({ tags }: Contact, tag: string): ReadonlyArray<string> =>
  tags.filter((one) => searchKey(one) !== searchKey(tag))
