import { domainToASCII } from "node:url"
import { isUuid } from "@parley/core"

/** The `Message-ID` of a message of ours: the provider's id of it. */
export const mailIdOf = (messageId: string, address: string): string => `<${messageId}@${domainOf(address)}>`

/** Our own id in a `Message-ID` that was made for this address; null where it was not. */
export const ownMessageId = (mailId: string, address: string): string | null => {
  const [, id = "", domain] = /^<([^<>@\s]+)@([^<>@\s]+)>$/.exec(mailId) ?? []
  return isUuid(id) && domain?.toLowerCase() === domainOf(address) ? id.toLowerCase() : null
}

/** A `Message-ID` that may stand in a header, and that is short enough to be kept. */
export const isMailId = (text: string): boolean => /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/.test(text)

/** In ASCII, as `Message-ID`s are. */
const domainOf = (address: string): string => domainToASCII(address.slice(address.lastIndexOf("@") + 1))
