import { Either } from "effect"
import type { Channel } from "../../model/Channel.js"
import type { Address, AddressSpace, IdentityChannel } from "../../model/Contact.js"

/**
 * Normalises a handle (docs/reference/contacts.md#handle-normalisation); left: the validation message. A WhatsApp
 * handle is a number or a business-scoped user id (docs/reference/whatsapp.md#handles).
 */
export const normaliseHandle = (channel: Channel | IdentityChannel, text: string): Either.Either<string, string> => {
  switch (channel) {
    case "email":
      return normaliseEmail(text)
    case "phone":
      return normaliseNumber(text)
    case "whatsapp":
      return isBusinessScopedId(text.trim()) ? Either.right(text.trim()) : normaliseNumber(text)
    default: {
      const handle = text.trim()
      return handle === "" || /[\r\n\u2028\u2029]/.test(handle)
        ? Either.left("must be text without line breaks")
        : Either.right(handle)
    }
  }
}

const normaliseEmail = (text: string): Either.Either<string, string> => {
  const address = text.trim().toLowerCase()
  return /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/.test(address)
    ? Either.right(address)
    : Either.left("must be an email address")
}

const normaliseNumber = (text: string): Either.Either<string, string> => {
  const number = text.replace(/[\s.\-()[\]]/g, "").replace(/^00/, "+")
  return /^\+[0-9]{7,15}$/.test(number)
    ? Either.right(number)
    : Either.left("must be a phone number in E.164: + and 7 to 15 digits")
}

const isBusinessScopedId = (text: string): boolean => /^[A-Z]{2}\.[A-Za-z0-9]{4,128}$/.test(text)

/** The address of a normalised handle, unique in the workspace. Phone and WhatsApp numbers share one address. */
export const addressOf = (
  channel: Channel | IdentityChannel,
  handle: string
): { readonly space: AddressSpace; readonly handle: string } => ({
  space: channel === "whatsapp" && handle.startsWith("+") ? "phone" : channel,
  handle
})

/** The claim of a contact on the address of a normalised handle. */
export const address = (
  workspaceId: string,
  channel: Channel | IdentityChannel,
  handle: string,
  contactId: string
): Address => ({ workspaceId, ...addressOf(channel, handle), contactId })
