import { domainToASCII } from "node:url"
import { isUuid } from "@parley/core"

/** The `Message-ID` of an outbound message, which is its provider message id. */
export const mailIdOf = (messageId: string, address: string): string => `<${messageId}@${domainOf(address)}>`

/**
 * The provider message id of an inbound mail: its `Message-ID`, and the hash of its contents, because anyone can write
 * a mail with the same `Message-ID`.
 */
export const inboundId = (mailId: string, hash: string): string => `${mailId} ${hash}`

/** The `Message-ID` in a provider message id. */
export const mailIdIn = (providerMessageId: string): string => providerMessageId.split(" ", 1)[0] ?? ""

/** Parley's message id in a `Message-ID` that was generated for this address; otherwise null. */
export const ownMessageId = (mailId: string, address: string): string | null => {
  const [, id = "", domain] = /^<([^<>@\s]+)@([^<>@\s]+)>$/.exec(mailId) ?? []
  return isUuid(id) && domain?.toLowerCase() === domainOf(address) ? id.toLowerCase() : null
}

/** Whether the text is a valid `Message-ID` for a header, and short enough to store. */
export const isMailId = (text: string): boolean => /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/.test(text)

/** The domain in ASCII, as `Message-ID`s require. */
const domainOf = (address: string): string => domainToASCII(address.slice(address.lastIndexOf("@") + 1))
