import type { Address, Contact, IdentityChannel } from "../../model/Contact.js"
import { addIdentity } from "./addIdentity.js"
import type { ChangedContact } from "./ChangedContact.js"
import { addressOf } from "./Handle.js"

/** A customer's change of handle on a channel. */
export interface HandleChange {
  /** The kind of identity that the handles are; null: none. */
  readonly identity: IdentityChannel | null
  /** Normalised previous handle. Its display name is copied to the new identity. */
  readonly from: string
  /** Normalised new handle. */
  readonly to: string
  /** Claim on the address of `to`; undefined if no contact claims it. */
  readonly holder: Address | undefined
}

/**
 * Adds the new handle to the contact and keeps the previous one, so that messages from the new handle reach the same
 * contact. It precedes the previous one, which may be another person's by now: sends that choose a handle take the
 * first. A business-scoped id does not precede a number. Null if another contact claims the address, or the handles are
 * no identities.
 */
export const changeHandle = (contact: Contact, change: HandleChange): ChangedContact | null => {
  const { from, holder, identity, to } = change
  if (identity === null || (holder !== undefined && holder.contactId !== contact.id)) return null
  const before = contact.identities.find((has) => has.channel === identity && has.handle === from)
  const replaces = addressOf(identity, from).space === addressOf(identity, to).space
  const added = { channel: identity, handle: to, displayName: before?.displayName ?? null }
  return addIdentity(contact, added, replaces ? before : undefined)
}
