import type { Contact, Identity } from "../../model/Contact.js"
import { expect, row, set } from "../../ports/Changes.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import { contactEvent } from "./contactEvent.js"
import { addressesOf, isSameAddress } from "./contactHandles.js"
import { contactKeys } from "./contactKeys.js"

/**
 * Adds an identity that the contact lacks, and claims its address unless another identity of the contact has that
 * address already. The commit conflicts if another contact claims the address. `handle` is normalised. `before`: an
 * identity of the contact that the new one precedes. Default: it becomes the last one.
 */
export const addIdentity = (contact: Contact, identity: Identity, before?: Identity): ChangedContact => {
  if (contact.identities.some((has) => has.channel === identity.channel && has.handle === identity.handle)) {
    return unchangedContact(contact)
  }
  const { id, version } = contact
  const position = before === undefined ? contact.identities.length : contact.identities.indexOf(before)
  const identities = contact.identities.toSpliced(position, 0, identity)
  const { nameKey, searchKey } = contactKeys({ ...contact, identities })
  const changed = { ...contact, identities, nameKey, searchKey }
  const had = addressesOf(contact)
  return {
    contact: changed,
    parts: {
      claims: addressesOf(changed)
        .filter((claim) => !had.some((one) => isSameAddress(one, claim)))
        .map((claim) => row("addresses", claim)),
      expects: [expect("contacts", { id }, { version })],
      sets: [set("contacts", { id }, { identities, nameKey, searchKey })]
    },
    events: [contactEvent("contact.updated", changed)]
  }
}
