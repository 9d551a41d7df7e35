import type { Contact, Identity } from "../../model/Contact.js"
import { expect, row, set } from "../../ports/Changes.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import { contactEvent } from "./contactEvent.js"
import { addressesOf, isSameAddress } from "./contactHandles.js"
import { contactKeys } from "./contactKeys.js"

/**
 * Adds an identity that the contact lacks, and claims its address unless another identity of the contact has that
 * address already. The commit conflicts if another contact claims the address. `handle` is normalised. `before`: an
 * identity of the contact that it precedes then, also if the contact had it. Default: a new one becomes the last one.
 */
export const addIdentity = (contact: Contact, identity: Identity, before?: Identity): ChangedContact => {
  const known = contact.identities.find((has) => has.channel === identity.channel && has.handle === identity.handle)
  const positionOf = (one: Identity) => contact.identities.indexOf(one)
  if (known !== undefined && (before === undefined || positionOf(known) <= positionOf(before))) {
    return unchangedContact(contact)
  }
  const { id, version } = contact
  const others = contact.identities.filter((one) => one !== known)
  const position = before === undefined ? others.length : others.indexOf(before)
  const identities = others.toSpliced(position, 0, known ?? identity)
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
