import { isVendorKey } from "../input/isVendorKey.js"
import { storableText } from "../input/storableText.js"
import { SendOutcome } from "../ports/ChannelProvider.js"

/**
 * An outcome as it can be written down, whatever a provider puts into it. A message that was accepted under an id that cannot be
 * kept went out all the same: our own id stands for it, so that receipts which carry that, or name a time, still find it.
 */
export const storableOutcome = (outcome: SendOutcome, messageId: string): SendOutcome => {
  switch (outcome._tag) {
    case "Accepted":
      return isVendorKey(outcome.providerMessageId)
        ? outcome
        : SendOutcome.Accepted({ ...outcome, providerMessageId: messageId })
    case "Rejected": {
      const { providerCode, providerMessage } = outcome
      return SendOutcome.Rejected({
        ...outcome,
        providerCode: storableText(providerCode, mostCodeCharacters),
        providerMessage: storableText(providerMessage, mostWordCharacters)
      })
    }
    default:
      return outcome
  }
}

/** The most that is kept of a vendor's error, in characters: of its code, and of what it says. */
const mostCodeCharacters = 100
const mostWordCharacters = 1_000
