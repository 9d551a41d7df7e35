import type { Contact, Identity } from "../../model/Contact.js"
import { expect, row, set } from "../../ports/Changes.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import { contactEvent } from "./contactEvent.js"
import { addressesOf, isSameAddress } from "./contactHandles.js"
import { contactKeys } from "./contactKeys.js"

/**
 * Adds an identity that the contact lacks, and claims its address unless another identity of the contact has that
 * address already. The commit conflicts if another contact claims the address. `handle` is normalised.
 */
export const addIdentity = (contact: Contact, identity: Identity): ChangedContact => {
  if (contact.identities.some((has) => has.channel === identity.channel && has.handle === identity.handle)) {
    return unchangedContact(contact)
  }
  const { id, version } = contact
  const identities = [...contact.identities, identity]
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
