import type { Channel } from "../../model/Channel.js"
import type { Address, Contact } from "../../model/Contact.js"
import { addIdentity } from "./addIdentity.js"
import type { ChangedContact } from "./ChangedContact.js"

/** A customer's change of handle on a channel. */
export interface HandleChange {
  readonly channel: Channel
  /** Normalised previous handle. Its display name is copied to the new identity. */
  readonly from: string
  /** Normalised new handle. */
  readonly to: string
  /** Claim on the address of `to`; undefined if no contact claims it. */
  readonly holder: Address | undefined
}

/**
 * Adds the new handle to the contact and keeps the previous one, so that messages from the new handle reach the same
 * contact. Null if another contact claims the address, or the channel has no identities (web chat).
 */
export const changeHandle = (contact: Contact, change: HandleChange): ChangedContact | null => {
  const { channel, from, holder, to } = change
  if (channel === "webchat" || (holder !== undefined && holder.contactId !== contact.id)) return null
  const before = contact.identities.find((has) => has.channel === channel && has.handle === from)
  return addIdentity(contact, { channel, handle: to, displayName: before?.displayName ?? null })
}
