import { fedNext } from "../conversations/feed.js"
import type { Instant } from "../Instant.js"
import { advanceAll } from "../messages/advance.js"
import { claimProviderMessage } from "../messages/claimProviderMessage.js"
import type { Receipt } from "../messages/Message.js"
import { receiptsByMark } from "../messages/receiptsByMark.js"
import { recordProgress } from "../messages/recordProgress.js"
import { expect, type Parts } from "../ports/Changes.js"
import type { SendOutcome } from "../ports/ChannelProvider.js"
import type { Ids } from "../ports/Ids.js"
import { foretoldJob } from "./foretoldReceipt.js"
import type { OutcomeWorld } from "./OutcomeWorld.js"

/**
 * Writes down that the provider has a message: it is sent, and whatever receipts told already by its id or by a time; those
 * that the provider foretells become jobs; and it gets its place in the feed, where its customer fetches it.
 */
export const recordAcceptance = (
  { feed, known, marks, message, subscribers }: OutcomeWorld,
  { providerMessageId, receipts }: SendOutcome & { readonly _tag: "Accepted" },
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const sent: Receipt = { status: "sent", at: now, error: null }
  const byMark = marks === undefined ? [] : receiptsByMark(marks, now)
  const reached = advanceAll(message, [sent, ...(known?.parked ?? []), ...byMark])
  const foretold = receipts.map((receipt) => foretoldJob(message, providerMessageId, receipt, now, ids))
  const parts = [
    recordProgress(message, reached, subscribers, now, ids, { providerMessageId }),
    { inserts: foretold },
    claimProviderMessage(known, message, providerMessageId, now)
  ]
  if (marks !== undefined) parts.push(unmarked(marks))
  // Whoever recorded it before has put it there.
  if (feed !== undefined && !isRecorded(known)) parts.push(fedNext(feed, message))
  return parts
}

/** Whether the provider's id is known to be a message's: then the acceptance was written down before. */
export const isRecorded = (known: OutcomeWorld["known"]): boolean => known !== undefined && known.messageId !== null

/** A mark that is raised meanwhile must not pass the message by. */
const unmarked = ({ deliveredUpTo, id, readUpTo }: NonNullable<OutcomeWorld["marks"]>): Parts => ({
  expects: [expect("conversations", { id }, { deliveredUpTo, readUpTo })]
})
