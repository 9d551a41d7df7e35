import { Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decider, Decision } from "../../kernel/Decider.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import type { Message } from "../../model/Message.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type CommitError, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import { type Subscribers, subscriberLookups } from "../../resources/events/Outbox.js"
import { advanceAll, type ReachedStep } from "../../resources/messages/advance.js"
import { clockTolerance, receiptsByWatermark } from "../../resources/messages/receiptsByWatermark.js"
import { recordProgress } from "../../resources/messages/recordProgress.js"

/** Number of messages per page. */
const pageSize = 100

/** Number of messages that are updated concurrently. */
const concurrency = 16

type Watermarked = Pick<Conversation, "id" | "workspaceId" | "deliveredUpTo" | "readUpTo">

/**
 * Advances the messages of a conversation up to its watermarks (docs/reference/messages.md#receipts). The watermarks
 * were raised before, so a send that is recorded later applies them itself; `raised` is the one that the receipt is of.
 * Pages are read from the newest message until one has only messages that were advanced before. Later messages, those
 * of the customer and failed ones show nothing of it. Messages are advanced oldest first, so that a restart after a
 * crash does not stop too early.
 */
export const applyWatermarks = (
  storage: Pick<Storage, "list" | "read">,
  { decideAndCommit }: Decider,
  watermarked: Watermarked,
  raised: "delivered" | "read"
): Effect.Effect<void, Refusal | CommitError> => {
  const upTo = (raised === "read" ? watermarked.readUpTo : watermarked.deliveredUpTo) + clockTolerance
  const isBelow = ({ direction, sentAt, status }: Message) =>
    direction === "outbound" && status !== "failed" && sentAt !== null && sentAt <= upTo
  /** Ids of the messages to advance, by page. */
  const toMove = (after: string | null): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, ReadError> =>
    Effect.gen(function* () {
      const where = { conversationId: watermarked.id }
      const page = yield* storage.list({ from: "messages", where, after, limit: pageSize })
      const ids = page.filter((message) => reachedByWatermark(message, watermarked).length > 0).map(({ id }) => id)
      const last = page.at(-1)
      const hasMore = page.length === pageSize && (ids.length > 0 || !page.some(isBelow))
      return [ids, ...(last !== undefined && hasMore ? yield* toMove(last.id) : [])]
    })
  const move = (id: string) => {
    const load = Effect.map(
      storage.read({ ...subscriberLookups(watermarked.workspaceId), messages: lookupById("messages", id) }),
      ({ applications, endpoints, messages }) => ({ message: messages[0], subscribers: { applications, endpoints } })
    )
    return decideAndCommit(load, (world, now, ids) => Either.right(moveByMark(world, watermarked, now, ids)))
  }
  return Effect.flatMap(toMove(null), (pages) =>
    Effect.forEach([...pages].reverse(), (page) => Effect.forEach(page, move, { concurrency, discard: true }), {
      discard: true
    })
  )
}

/** The status steps that a message reaches by the watermarks; none before its send is recorded. */
const reachedByWatermark = (message: Message, watermarked: Watermarked): ReadonlyArray<ReachedStep> =>
  message.sentAt === null ? [] : advanceAll(message, receiptsByWatermark(watermarked, message.sentAt))

const moveByMark = (
  { message, subscribers }: { readonly message: Message | undefined; readonly subscribers: Subscribers },
  watermarked: Watermarked,
  now: Instant,
  ids: Ids
): Decision<null> => {
  const reached = message === undefined ? [] : reachedByWatermark(message, watermarked)
  return {
    changes:
      message === undefined || reached.length === 0
        ? null
        : changes(watermarked.workspaceId, recordProgress(subscribers, { message, reached }, now, ids)),
    result: null
  }
}
