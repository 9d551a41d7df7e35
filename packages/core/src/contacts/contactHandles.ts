import { Either } from "effect"
import type { Problems } from "../errors/Refusal.js"
import type { Address, Contact, Identity } from "./Contact.js"
import type { ContactInput } from "./ContactInput.js"
import { address, normaliseHandle } from "./Handle.js"

/** A handle of an input: where it stands, and what it normalises to, or why it does not. */
export interface GivenHandle {
  /** Its field on the wire, such as `identities.0.handle`. */
  readonly field: string
  readonly channel: Identity["channel"]
  readonly handle: Either.Either<string, string>
}

/** Where an input may name handles. */
export type HandleFields = Partial<Pick<ContactInput, "identities" | "email" | "phone">>

/** Every handle that an input gives, the identities first: `email` and `phone` are identities too (decisions.md §6). */
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

/** What is wrong with the handles themselves, whoever has them. */
export const handleProblems = (handles: ReadonlyArray<GivenHandle>): Problems =>
  Object.fromEntries(
    handles.flatMap(({ field, handle }) => (Either.isLeft(handle) ? [[field, [handle.left]] as const] : []))
  )

/** The identity that a given handle is, in place of the one that stands for it already. */
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

/** Each identity once, where it stands first. */
export const distinctIdentities = (identities: ReadonlyArray<Identity>): ReadonlyArray<Identity> =>
  identities.filter(
    ({ channel, handle }, index) =>
      index === identities.findIndex((other) => other.channel === channel && other.handle === handle)
  )

/** The unique claims of a contact: one where two identities are one address. */
export const addressesOf = (contact: Pick<Contact, "id" | "workspaceId" | "identities">): ReadonlyArray<Address> => {
  const claims = contact.identities.map(({ channel, handle }) =>
    address(contact.workspaceId, channel, handle, contact.id)
  )
  return [...new Map(claims.map((claim) => [textOf(claim), claim])).values()]
}

/** Whether two claims are about one address. */
export const isSameAddress = (one: Address, other: Address): boolean => textOf(one) === textOf(other)

const textOf = ({ space, handle }: Address): string => `${space} ${handle}`

/** A given handle and the contact that has it already. */
export interface ClaimedHandle {
  readonly field: string
  readonly contactId: string
}

/** Those of the given handles that belong to somebody, by the addresses that exist. */
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

/** That these handles belong to other contacts, at their fields. */
export const claimedProblems = (claimed: ReadonlyArray<ClaimedHandle>): Problems =>
  Object.fromEntries(claimed.map(({ field }) => [field, ["belongs to another contact"]]))
