import { Either } from "effect"
import { parseUrl } from "../../kernel/input/parseUrl.js"
import type { ChannelDefinition } from "../../model/Channel.js"
import type { Address, IdentityChannel } from "../../model/Contact.js"

/**
 * What a handle is: an identity, or the name of a channel without identities. Decides its normal form and the address
 * space that it is unique in.
 */
export type HandleKind = IdentityChannel | (string & {})

/** The kind of the handles of a channel's customers. */
export const handleKind = ({ identity, name }: ChannelDefinition): HandleKind => identity ?? name

/**
 * Normalises a handle (docs/reference/contacts.md#handle-normalisation); left: the validation message. A WhatsApp
 * handle is a number or a business-scoped user id (docs/reference/whatsapp.md#handles).
 */
export const normaliseHandle = (kind: HandleKind, text: string): Either.Either<string, string> => {
  switch (kind) {
    case "email":
      return normaliseEmail(text)
    case "phone":
      return normaliseNumber(text)
    case "whatsapp":
      return isBusinessScopedId(text.trim()) ? Either.right(text.trim()) : normaliseNumber(text)
    default:
      return normaliseText(text)
  }
}

/** A handle without a form of its own: text without line breaks. */
export const normaliseText = (text: string): Either.Either<string, string> => {
  const handle = text.trim()
  return handle === "" || /[\r\n\u2028\u2029]/.test(handle)
    ? Either.left("must be text without line breaks")
    : Either.right(handle)
}

/** A dot-atom (RFC 5322, 3.2.3; RFC 6531 for letters beyond ASCII): no comments, groups, quotes or route. */
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const domainName = /^[\p{L}\p{M}\p{N}.-]+$/u
const asciiLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Characters that a reader does not see, such as variation selectors: two addresses would look alike. */
const invisible = /\p{Default_Ignorable_Code_Point}/u

/** One address has one form, so that an opt-out cannot be bypassed by another spelling of the same mailbox. */
const normaliseEmail = (text: string): Either.Either<string, string> => {
  const address = text.trim().toLowerCase().normalize("NFC")
  const [local = "", domain = "", ...more] = address.split("@")
  const ascii = (domainName.test(domain) && parseUrl(`http://${domain}`)?.hostname) || ""
  const labels = ascii.split(".")
  const isAddress =
    more.length === 0 &&
    !invisible.test(address) &&
    local.length <= 64 &&
    localPart.test(local) &&
    labels.length > 1 &&
    labels.every((label) => asciiLabel.test(label)) &&
    /[a-z]/.test(labels.at(-1) ?? "") &&
    `${local}@${ascii}`.length <= 255
  return isAddress ? Either.right(`${local}@${ascii}`) : Either.left("must be an email address")
}

const normaliseNumber = (text: string): Either.Either<string, string> => {
  const number = text.replace(/[\s.\-()[\]]/g, "").replace(/^00/, "+")
  return /^\+[0-9]{7,15}$/.test(number)
    ? Either.right(number)
    : Either.left("must be a phone number in E.164: + and 7 to 15 digits")
}

const isBusinessScopedId = (text: string): boolean => /^[A-Z]{2}\.[A-Za-z0-9]{4,128}$/.test(text)

/** The address of a normalised handle, unique in the workspace. Phone and WhatsApp numbers share one address. */
export const addressOf = (kind: HandleKind, handle: string): { readonly space: string; readonly handle: string } => ({
  space: kind === "whatsapp" && handle.startsWith("+") ? "phone" : kind,
  handle
})

/** The claim of a contact on the address of a normalised handle. */
export const address = (workspaceId: string, kind: HandleKind, handle: string, contactId: string): Address => ({
  workspaceId,
  ...addressOf(kind, handle),
  contactId
})
