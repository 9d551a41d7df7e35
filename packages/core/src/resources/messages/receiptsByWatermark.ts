import type { Conversation } from "../../model/Conversation.js"
import { type Instant, second } from "../../model/Instant.js"
import type { Receipt } from "../../model/Message.js"
import { expect, type Parts } from "../../ports/Changes.js"

/**
 * Assumed maximum lag of a provider's clock, in ms. A message that was handed over up to this long after a watermark,
 * by our clock, is covered by it.
 */
export const clockTolerance = 2 * second

/**
 * The receipts that the conversation's watermarks imply for a message that was handed over at this time, in order, each
 * with the time of its watermark (docs/reference/sends.md#watermark-receipts). None without watermarks.
 */
export const receiptsByWatermark = (
  { deliveredUpTo, readUpTo }: Pick<Conversation, "deliveredUpTo" | "readUpTo">,
  handedOverAt: Instant
): ReadonlyArray<Receipt> =>
  (
    [
      ["delivered", deliveredUpTo],
      ["read", readUpTo]
    ] as const
  ).flatMap(([status, upTo]) =>
    // Zero: no watermark.
    upTo > 0 && handedOverAt <= upTo + clockTolerance ? [{ status, at: upTo, error: null }] : []
  )

/** Conflicts with a concurrent raise of the watermarks, which would otherwise miss a message that is written now. */
export const expectWatermarks = ({ deliveredUpTo, id, readUpTo }: Conversation): Parts => ({
  expects: [expect("conversations", { id }, { deliveredUpTo, readUpTo })]
})
