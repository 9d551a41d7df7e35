import type { Channel } from "../channels/Channel.js"
import { addIdentity } from "./addIdentity.js"
import type { ChangedContact } from "./ChangedContact.js"
import type { Address, Contact } from "./Contact.js"

/** Another handle of a customer on a channel, and who has its address now. */
export interface HandleChange {
  readonly channel: Channel
  /** Normalised. The one before, whose display name the new identity takes. */
  readonly from: string
  /** Normalised. */
  readonly to: string
  /** Of `to`, by `addressOf`; undefined: nobody has it. */
  readonly holder: Address | undefined
}

/**
 * Gives a contact the handle that a customer has now besides the one they had, so that what comes from it is theirs. Null
 * where it cannot be: another contact has it, or the channel has no identities (web chat).
 */
export const changeHandle = (contact: Contact, change: HandleChange): ChangedContact | null => {
  const { channel, from, holder, to } = change
  if (channel === "webchat" || (holder !== undefined && holder.contactId !== contact.id)) return null
  const before = contact.identities.find((has) => has.channel === channel && has.handle === from)
  return addIdentity(contact, { channel, handle: to, displayName: before?.displayName ?? null })
}
