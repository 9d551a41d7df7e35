import type { Problems } from "../../errors/Refusal.js"
import type { Contact, Identity } from "../../model/Contact.js"
import type { ContactPatch } from "./ContactInput.js"
import { distinctIdentities, type GivenHandle, identityOf } from "./contactHandles.js"

type HandlePatch = Partial<Pick<ContactPatch, "email" | "phone" | "identities">>

const emailAndPhone = ["email", "phone"] as const

/**
 * The identities of a contact after a patch (docs/reference/contacts.md#changing-a-contact): the given ones, else the
 * existing ones without the previous email and phone; in both cases with the present email and phone. `handles` are the
 * valid handles of the patch.
 */
export const patchedIdentities = (
  contact: Contact,
  patch: HandlePatch,
  handles: ReadonlyArray<GivenHandle>
): ReadonlyArray<Identity> => {
  const { identities: present } = contact
  const isUnchanged = emailAndPhone.every(
    (field) => patch[field] === undefined && (contact[field] === null || identityAt(contact, field) !== undefined)
  )
  if (isUnchanged && patch.identities === undefined) return present
  const givenBy = (isField: (field: string) => boolean) =>
    handles.filter(({ field }) => isField(field)).map((handle) => identityOf(handle, present))
  const isFormer = ({ channel, handle }: Identity) =>
    emailAndPhone.some((field) => patch[field] !== undefined && channel === field && handle === contact[field])
  const kept =
    patch.identities === undefined
      ? present.filter((identity) => !isFormer(identity))
      : givenBy((field) => field.startsWith("identities."))
  const unchanged = emailAndPhone.flatMap((field) => {
    const handle = patch[field] === undefined ? contact[field] : null
    return handle === null ? [] : [identityAt(contact, field) ?? { channel: field, handle, displayName: null }]
  })
  const all = distinctIdentities([...kept, ...unchanged, ...givenBy((field) => field === "email" || field === "phone")])
  // Keep the order of existing identities, so that a patch with an unchanged email or phone changes nothing.
  return patch.identities === undefined
    ? [
        ...present.filter((identity) => all.includes(identity)),
        ...all.filter((identity) => !present.includes(identity))
      ]
    : all
}

/** The identity of the contact's present email or phone. */
const identityAt = (contact: Contact, field: (typeof emailAndPhone)[number]): Identity | undefined =>
  contact.identities.find(({ channel, handle }) => channel === field && handle === contact[field])

/**
 * Problems of a patch that would remove the last handle of a contact, at the fields that remove it. A web chat visitor
 * may have no handle.
 */
export const lastHandleProblems = (
  contact: Contact,
  patch: HandlePatch,
  identities: ReadonlyArray<Identity>
): Problems =>
  identities.length > 0 || contact.identities.length === 0
    ? {}
    : Object.fromEntries(
        ([...emailAndPhone, "identities"] as const)
          .filter((field) => patch[field] !== undefined)
          .map((field) => [field, ["must leave the contact at least one of email, phone and identities"]])
      )
