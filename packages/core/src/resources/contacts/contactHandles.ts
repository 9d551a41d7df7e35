import { Either } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import type { Address, Contact, Identity } from "../../model/Contact.js"
import type { ContactInput } from "./ContactInput.js"
import { address, normaliseHandle } from "./Handle.js"

/** A handle of an input: its field, and its normalised form or validation message. */
export interface GivenHandle {
  /** Field in wire names, such as `identities.0.handle`. */
  readonly field: string
  readonly channel: Identity["channel"]
  readonly handle: Either.Either<string, string>
}

/** The fields of an input that contain handles. */
export type HandleFields = Partial<Pick<ContactInput, "identities" | "email" | "phone">>

/**
 * All handles of an input, `identities` first: `email` and `phone` are identities too
 * (docs/reference/contacts.md#identities).
 */
export const givenHandles = (value: HandleFields): ReadonlyArray<GivenHandle> => [
  ...(value.identities ?? []).map(({ channel, handle }, index) => ({
    field: `identities.${index}.handle`,
    channel,
    handle: normaliseHandle(channel, handle)
  })),
  ...(["email", "phone"] as const).flatMap((channel) => {
    const handle = value[channel]
    return handle == null ? [] : [{ field: channel, channel, handle: normaliseHandle(channel, handle) }]
  })
]

/** Validation messages of malformed handles, whether or not they are claimed. */
export const handleProblems = (handles: ReadonlyArray<GivenHandle>): Problems =>
  Object.fromEntries(
    handles.flatMap(({ field, handle }) => (Either.isLeft(handle) ? [[field, [handle.left]] as const] : []))
  )

/** The identity of a given handle; the existing identity if there is one. The handle must be valid. */
export const identityOf = ({ channel, handle }: GivenHandle, present: ReadonlyArray<Identity> = []): Identity => {
  const normalised = Either.getOrThrow(handle)
  return (
    present.find((identity) => identity.channel === channel && identity.handle === normalised) ?? {
      channel,
      handle: normalised,
      displayName: null
    }
  )
}

/** Removes duplicate identities; keeps the first. */
export const distinctIdentities = (identities: ReadonlyArray<Identity>): ReadonlyArray<Identity> =>
  identities.filter(
    ({ channel, handle }, index) =>
      index === identities.findIndex((other) => other.channel === channel && other.handle === handle)
  )

/** The address claims of a contact: one claim for two identities with the same address. */
export const addressesOf = (contact: Pick<Contact, "id" | "workspaceId" | "identities">): ReadonlyArray<Address> => {
  const claims = contact.identities.map(({ channel, handle }) =>
    address(contact.workspaceId, channel, handle, contact.id)
  )
  return [...new Map(claims.map((claim) => [textOf(claim), claim])).values()]
}

/** Whether two claims have the same address. */
export const isSameAddress = (one: Address, other: Address): boolean => textOf(one) === textOf(other)

const textOf = ({ space, handle }: Address): string => `${space} ${handle}`

/** A given handle and the contact that claims it. */
export interface ClaimedHandle {
  readonly field: string
  readonly contactId: string
}

/** The given handles that a contact claims, according to the existing addresses. */
export const claimedHandles = (
  workspaceId: string,
  handles: ReadonlyArray<GivenHandle>,
  addresses: ReadonlyArray<Address>
): ReadonlyArray<ClaimedHandle> =>
  handles.flatMap(({ field, channel, handle }) => {
    if (Either.isLeft(handle)) return []
    const wanted = address(workspaceId, channel, handle.right, "")
    const known = addresses.find((one) => isSameAddress(one, wanted))
    return known === undefined ? [] : [{ field, contactId: known.contactId }]
  })

/** Problems at the fields of handles that belong to other contacts. */
export const claimedProblems = (claimed: ReadonlyArray<ClaimedHandle>): Problems =>
  Object.fromEntries(claimed.map(({ field }) => [field, ["belongs to another contact"]]))
