import { Either } from "effect"
import type { Decision } from "../Decider.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import type { Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { changes } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { ChangedContact } from "./ChangedContact.js"
import type { Contact } from "./Contact.js"
import { recordContact } from "./recordContact.js"

/** All that a change of a contact by its customer, or by what the vendor tells of them, may look at. */
export interface ChangeContactWorld {
  readonly contact: Contact | undefined
  readonly subscribers: Subscribers
}

/**
 * Changes a contact by a rule, in a commit of its own. Refuses with `not_found` where there is none, and with
 * `identity_already_claimed` where the rule says null.
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
    changes: changed.events.length === 0 ? null : changes(contact.workspaceId, parts),
    result: null
  })
}
