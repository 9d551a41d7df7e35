import type { Instant } from "../../model/Instant.js"
import type { Receipt } from "../../model/Message.js"
import { expect, type Parts } from "../../ports/Changes.js"
import type { SendOutcome } from "../../ports/ChannelProvider.js"
import type { Ids } from "../../ports/Ids.js"
import { appendToFeed } from "../../resources/conversations/feed.js"
import { advanceAll } from "../../resources/messages/advance.js"
import { claimProviderMessage } from "../../resources/messages/claimProviderMessage.js"
import { receiptsByWatermark } from "../../resources/messages/receiptsByWatermark.js"
import { recordProgress } from "../../resources/messages/recordProgress.js"
import type { OutcomeWorld } from "./OutcomeWorld.js"
import { scheduledReceiptJob } from "./scheduledReceipt.js"

/**
 * Records that the provider accepted a message: status `sent`, plus receipts that arrived earlier by id or by
 * watermark. Scheduled receipts become jobs. A message of a feed gets its position there.
 */
export const recordAcceptance = (
  { feed, known, watermarks: marks, message, subscribers }: OutcomeWorld,
  { providerMessageId, receipts }: SendOutcome & { readonly _tag: "Accepted" },
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const sent: Receipt = { status: "sent", at: now, error: null }
  const byMark = marks === undefined ? [] : receiptsByWatermark(marks, now)
  const reached = advanceAll(message, [sent, ...(known?.parked ?? []), ...byMark])
  const scheduled = receipts.map((receipt) => scheduledReceiptJob(message, providerMessageId, receipt, now, ids))
  const parts = [
    recordProgress(message, reached, subscribers, now, ids, { providerMessageId }),
    { inserts: scheduled },
    claimProviderMessage(known, message, providerMessageId, now)
  ]
  if (marks !== undefined) parts.push(unmarked(marks))
  // An acceptance recorded earlier has added it to the feed.
  if (feed !== undefined && !isRecorded(known)) parts.push(appendToFeed(feed, message))
  return parts
}

/** Whether the acceptance was recorded before: the provider message id belongs to a message already. */
export const isRecorded = (known: OutcomeWorld["known"]): boolean => known !== undefined && known.messageId !== null

/** Conflicts with a concurrent raise of the watermarks, which would otherwise miss this message. */
const unmarked = ({ deliveredUpTo, id, readUpTo }: NonNullable<OutcomeWorld["watermarks"]>): Parts => ({
  expects: [expect("conversations", { id }, { deliveredUpTo, readUpTo })]
})
