import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Contact } from "../../model/Contact.js"
import type { Instant } from "../../model/Instant.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Subscribers } from "../events/Outbox.js"
import type { ChangedContact } from "./ChangedContact.js"
import { recordContact } from "./recordContact.js"

/** What a change of a contact by its customer or by a vendor's report may read. */
export interface ChangeContactWorld {
  readonly contact: Contact | undefined
  readonly subscribers: Subscribers
}

/**
 * Applies a rule to a contact in a commit of its own. Fails with `not_found` without a contact, and with
 * `identity_already_claimed` if the rule returns null.
 */
export const changeContact = (
  { contact, subscribers }: ChangeContactWorld,
  rule: (contact: Contact) => ChangedContact | null,
  now: Instant,
  ids: Ids
): Either.Either<Decision<null>, Refusal> => {
  if (contact === undefined) return Either.left(refuse("not_found", {}, "No contact has this handle."))
  const changed = rule(contact)
  if (changed === null) return Either.left(refuse("identity_already_claimed"))
  const parts = recordContact(changed, subscribers, now, ids)
  return Either.right({
    changes: Object.keys(changed.parts).length === 0 ? null : changes(contact.workspaceId, parts),
    result: null
  })
}
