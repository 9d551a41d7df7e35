import { isErrorCode } from "../../errors/Catalogue.js"
import { isVendorKey } from "../../kernel/input/isVendorKey.js"
import { storableText } from "../../kernel/text/storableText.js"
import { isReceiptStatus, type Receipt } from "../../model/Message.js"
import { SendOutcome } from "../../ports/ChannelProvider.js"

/**
 * Makes an outcome storable. If the accepted id cannot be stored, the message was sent nevertheless: our own id
 * replaces it, so that receipts that carry our id or a watermark still find the message. Other fields of a wrong type
 * count as not given. Throws for a value that is no outcome, which asserts nothing about the message.
 */
export const storableOutcome = (outcome: SendOutcome, messageId: string): SendOutcome => {
  switch (outcome?._tag) {
    case "Accepted": {
      const { billing, providerMessageId, queued, receipts } = outcome
      return SendOutcome.Accepted({
        ...(typeof billing === "object" && billing !== null && { billing }),
        ...(queued === true && { queued }),
        providerMessageId: isVendorKey(providerMessageId) ? providerMessageId : messageId,
        receipts: Array.isArray(receipts) ? receipts.filter(isStorableReceipt) : []
      })
    }
    case "Rejected": {
      const { code, optOut, providerCode, providerMessage, scope } = outcome
      return SendOutcome.Rejected({
        scope,
        code: isErrorCode(code) ? code : "provider_error",
        providerCode: textOf(providerCode, maxCodeLength),
        providerMessage: textOf(providerMessage, maxMessageLength),
        ...((optOut === "all" || optOut === "marketing") && { optOut })
      })
    }
    case "Throttled":
      // Such as the NaN of a `Retry-After` that is a date.
      return Number.isFinite(outcome.retryAfterMs) ? outcome : SendOutcome.Throttled({ ...outcome, retryAfterMs: null })
    case "Transient":
    case "Unknown":
      return { ...outcome, reason: textOf(outcome.reason, maxMessageLength) }
    case "Moved":
      if (typeof outcome.handle === "string") return outcome
  }
  throw new TypeError("send of the provider returned a value that is no SendOutcome")
}

/** Text of a vendor; providers also give its numbers and errors as they are. */
const textOf = (given: unknown, max: number): string => storableText(String(given ?? "unknown"), max)

const isStorableReceipt = (receipt: Receipt): boolean => isReceiptStatus(receipt?.status) && Number.isFinite(receipt.at)

/** Maximum stored length of a vendor's error code and error message, in code points. */
const maxCodeLength = 100
const maxMessageLength = 1_000
