import { Either } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Address, Contact } from "../../model/Contact.js"
import { type Lookup, lookup, lookupById } from "../../ports/Storage.js"
import { addressOf, normaliseHandle } from "../../resources/contacts/Handle.js"
import type { BusinessEventInput } from "./BusinessEventInput.js"

/** The fields by which an event names its contact (docs/reference/events.md#contact-of-a-business-event). */
export type EventContactInput = PartialDecode<Pick<BusinessEventInput, "contactId" | "identity">>

/** The rows that the fields name. */
export interface EventContacts {
  /** The contact with the `contact_id`, of any workspace. */
  readonly contact: Contact | undefined
  /** The address row of `identity`. */
  readonly address: Address | undefined
}

/** The normalised handle of `identity`, or why it is invalid; null without a readable identity. */
const givenHandle = ({ value }: EventContactInput): Either.Either<string, string> | null =>
  value.identity == null ? null : normaliseHandle(value.identity.channel, value.identity.externalId)

/** The lookups whose first rows are the {@link EventContacts}. */
export const contactLookups = (
  workspaceId: string,
  decoded: EventContactInput
): { readonly contacts: Lookup<"contacts"> | null; readonly addresses: Lookup<"addresses"> | null } => {
  const { contactId, identity } = decoded.value
  const handle = givenHandle(decoded)
  return {
    contacts: lookupById("contacts", contactId),
    addresses:
      identity == null || handle === null || Either.isLeft(handle)
        ? null
        : lookup("addresses", { workspaceId, ...addressOf(identity.channel, handle.right) })
  }
}

/**
 * Problems unless exactly one contact is named, by one field or by both in agreement. Unreadable fields have problems
 * already.
 */
export const contactProblems = (
  workspaceId: string,
  { address, contact }: EventContacts,
  decoded: EventContactInput
): Problems => {
  const { contactId, identity } = decoded.value
  const handle = givenHandle(decoded)
  if (contactId === null && identity === null) {
    return {
      contact_id: ["is required unless identity is given"],
      identity: ["is required unless contact_id is given"]
    }
  }
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  if (typeof contactId === "string" && contact?.workspaceId !== workspaceId) {
    problems.contact_id = ["must be the id of a contact of this workspace"]
  }
  if (handle !== null && Either.isLeft(handle)) problems["identity.external_id"] = [handle.left]
  else if (handle !== null && address === undefined)
    problems.identity = ["must be an identity of a contact of this workspace"]
  else if (handle !== null && typeof contactId === "string" && address?.contactId !== contactId) {
    problems.identity = ["must be an identity of the contact that contact_id names"]
  }
  return problems
}
