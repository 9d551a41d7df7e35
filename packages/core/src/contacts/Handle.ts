import { Either } from "effect"
import type { Channel } from "../channels/Channel.js"
import type { Address, AddressSpace, IdentityChannel } from "./Contact.js"

/**
 * The form in which handles are compared and shown (decisions.md §6), or why the text is none, in our own words. A
 * WhatsApp handle is a number or a business-scoped user id (channels.md).
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

/** Where a normalised handle is unique: phone and WhatsApp numbers are one address. */
export const addressOf = (
  channel: Channel | IdentityChannel,
  handle: string
): { readonly space: AddressSpace; readonly handle: string } => ({
  space: channel === "whatsapp" && handle.startsWith("+") ? "phone" : channel,
  handle
})

/** The claim of a contact on a normalised handle. */
export const address = (
  workspaceId: string,
  channel: Channel | IdentityChannel,
  handle: string,
  contactId: string
): Address => ({ workspaceId, ...addressOf(channel, handle), contactId })
