import type { Instant } from "../../model/Instant.js"
import type { Message, ProviderMessage, Receipt } from "../../model/Message.js"
import { expect, type Parts, remove, set } from "../../ports/Changes.js"
import type { SendOutcome } from "../../ports/ChannelProvider.js"
import type { Ids } from "../../ports/Ids.js"
import { appendToFeed } from "../../resources/conversations/feed.js"
import { advanceAll } from "../../resources/messages/advance.js"
import { claimProviderMessage } from "../../resources/messages/claimProviderMessage.js"
import { expectWatermarks, receiptsByWatermark } from "../../resources/messages/receiptsByWatermark.js"
import { recordProgress } from "../../resources/messages/recordProgress.js"
import { withBilling } from "../../resources/messages/withBilling.js"
import { retryWindow } from "./nextTry.js"
import type { OutcomeWorld } from "./OutcomeWorld.js"
import { scheduledReceiptJob } from "./scheduledReceipt.js"

/**
 * Records that the provider accepted a message: status `sent`, unless the vendor has only queued it, plus receipts that
 * arrived earlier by id or by watermark. Scheduled receipts become jobs. A message of a feed gets its position there. A
 * copy that an echo stored before is deleted, and its progress counts
 * (docs/reference/content.md#messages-written-elsewhere).
 */
export const recordAcceptance = (
  { copy, copyEvents, copyFiles, feed, known, watermarks: marks, message, subscribers }: OutcomeWorld,
  { billing, providerMessageId, queued = false, receipts }: SendOutcome & { readonly _tag: "Accepted" },
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const sent: ReadonlyArray<Receipt> = queued ? [] : [{ status: "sent", at: now, error: null }]
  const byMark = marks === undefined ? [] : receiptsByWatermark(marks, now)
  const parked = known?.parked ?? []
  const billed = withBilling(message, [billing, ...parked.map((receipt) => receipt.billing)])
  const reached = advanceAll(billed, [...sent, ...parked, ...receiptsOf(copy), ...byMark])
  // The end of the wait if the vendor never reports (docs/reference/sends.md#accepted).
  const unreported: ReadonlyArray<Receipt> =
    queued && reached.length === 0 ? [{ status: "sent", at: now + retryWindow, error: null }] : []
  const scheduled = [...receipts, ...unreported].map((receipt) =>
    scheduledReceiptJob(message, providerMessageId, receipt, now, ids)
  )
  const more = { ...(billed === message ? {} : { envelope: billed.envelope }), providerMessageId }
  const parts = [
    recordProgress(subscribers, { message: billed, reached, more }, now, ids),
    { inserts: scheduled },
    claimProviderMessage(known, message, providerMessageId, now)
  ]
  if (known !== undefined && copy !== undefined)
    parts.push(copyFiles, replaceCopy(known, copy, message), moveEvents(copyEvents, message))
  if (marks !== undefined) parts.push(expectWatermarks(marks))
  // An acceptance recorded earlier has added it to the feed.
  if (feed !== undefined && !isRecorded(known)) parts.push(appendToFeed(feed, message))
  return parts
}

/** Whether the acceptance was recorded before: the provider message id belongs to a message already. */
export const isRecorded = (known: OutcomeWorld["known"]): boolean => known !== undefined && known.messageId !== null

/** The receipts that a copy had. */
const receiptsOf = (copy: OutcomeWorld["copy"]): ReadonlyArray<Receipt> =>
  copy === undefined
    ? []
    : (
        [
          ["delivered", copy.deliveredAt],
          ["read", copy.readAt]
        ] as const
      ).flatMap(([status, at]) => (at === null ? [] : [{ status, at, error: null }]))

/** The events of a copy become events of the message, so that an erasure of the message finds them. */
const moveEvents = (eventIds: ReadonlyArray<string>, { id: subjectId }: Message): Parts => ({
  expects: eventIds.map((id) => expect("events", { id })),
  sets: eventIds.map((id) => set("events", { id }, { subjectId }))
})

const replaceCopy = (
  { connectionId, providerMessageId, version }: ProviderMessage,
  copy: Message,
  { id: messageId }: Message
): Parts => ({
  expects: [
    expect("providerMessages", { connectionId, providerMessageId }, { version }),
    expect("messages", { id: copy.id }, { version: copy.version })
  ],
  sets: [set("providerMessages", { connectionId, providerMessageId }, { messageId })],
  deletes: [remove("messages", { id: copy.id })]
})
