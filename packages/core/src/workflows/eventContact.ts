import { Either } from "effect"
import type { Address, Contact } from "../contacts/Contact.js"
import { addressOf, normaliseHandle } from "../contacts/Handle.js"
import type { Problems } from "../errors/Refusal.js"
import type { Draft } from "../input/Draft.js"
import { type Lookup, lookup, lookupById } from "../ports/Storage.js"
import type { BusinessEventInput } from "./BusinessEventInput.js"

/** How an event names its contact (spec, POST /events; decisions.md §13). */
export type ContactGiven = Draft<Pick<BusinessEventInput, "contactId" | "identity">>

/** Whom it names, as far as they are known. */
export interface ContactNamed {
  /** Who has the `contact_id`, in whatever workspace. */
  readonly contact: Contact | undefined
  /** Whose handle the `identity` is. */
  readonly address: Address | undefined
}

/** The normalised handle of the `identity`, or why it is none; null where no identity could be read. */
const givenHandle = ({ value }: ContactGiven): Either.Either<string, string> | null =>
  value.identity == null ? null : normaliseHandle(value.identity.channel, value.identity.externalId)

/** The lookups whose first rows are the {@link ContactNamed}. */
export const contactLookups = (
  workspaceId: string,
  draft: ContactGiven
): { readonly contacts: Lookup<"contacts"> | null; readonly addresses: Lookup<"addresses"> | null } => {
  const { contactId, identity } = draft.value
  const handle = givenHandle(draft)
  return {
    contacts: lookupById("contacts", contactId),
    addresses:
      identity == null || handle === null || Either.isLeft(handle)
        ? null
        : lookup("addresses", { workspaceId, ...addressOf(identity.channel, handle.right) })
  }
}

/** Exactly one contact is named, by one way or by two that agree. What could not be read has its own problem already. */
export const contactProblems = (
  workspaceId: string,
  { address, contact }: ContactNamed,
  draft: ContactGiven
): Problems => {
  const { contactId, identity } = draft.value
  const handle = givenHandle(draft)
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
