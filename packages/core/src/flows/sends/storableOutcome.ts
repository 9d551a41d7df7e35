import { isVendorKey } from "../../kernel/input/isVendorKey.js"
import { storableText } from "../../kernel/text/storableText.js"
import { SendOutcome } from "../../ports/ChannelProvider.js"

/**
 * Makes an outcome storable. If the accepted id cannot be stored, the message was sent nevertheless: our own id
 * replaces it, so that receipts that carry our id or a watermark still find the message.
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
        providerCode: storableText(providerCode, maxCodeLength),
        providerMessage: storableText(providerMessage, maxMessageLength)
      })
    }
    case "Transient":
    case "Unknown":
      return { ...outcome, reason: storableText(outcome.reason, maxMessageLength) }
    default:
      return outcome
  }
}

/** Maximum stored length of a vendor's error code and error message, in code points. */
const maxCodeLength = 100
const maxMessageLength = 1_000
