import { Effect, Either } from "effect"
import type { Conversation } from "../conversations/Conversation.js"
import type { Decider, Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { type Subscribers, subscriberLookups } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { advanceAll, type Reached } from "../messages/advance.js"
import type { Message } from "../messages/Message.js"
import { clockTolerance, receiptsByMark } from "../messages/receiptsByMark.js"
import { recordProgress } from "../messages/recordProgress.js"
import { changes } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { type CommitError, lookupById, type ReadError, type Storage } from "../ports/Storage.js"

/** How many messages of the conversation are looked at together. */
const pageSize = 100

/** How many of them are moved at once. */
const concurrency = 16

type Marked = Pick<Conversation, "id" | "workspaceId" | "deliveredUpTo" | "readUpTo">

/**
 * Moves the messages of a conversation by its marks (decisions.md §8), which have been raised before: a message whose send is
 * recorded from then on is moved as it is recorded. The newest are looked at first, page by page, until a page has messages
 * of the marks' time and none that they move; the oldest are moved first, so that whoever begins anew after a crash
 * looks far enough.
 */
export const moveByMarks = (
  storage: Pick<Storage, "list" | "read">,
  { decideAndCommit }: Decider,
  marked: Marked
): Effect.Effect<void, Refusal | CommitError> => {
  /** Page by page, the ids of those to move. */
  const toMove = (after: string | null): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, ReadError> =>
    Effect.gen(function* () {
      const where = { conversationId: marked.id }
      const page = yield* storage.list({ from: "messages", where, after, limit: pageSize })
      const ids = page.filter((message) => reachedByMark(message, marked).length > 0).map(({ id }) => id)
      const last = page.at(-1)
      const isTooYoung = last !== undefined && last.createdAt > marked.deliveredUpTo + clockTolerance
      const goesOn = page.length === pageSize && (ids.length > 0 || isTooYoung)
      return [ids, ...(last !== undefined && goesOn ? yield* toMove(last.id) : [])]
    })
  const move = (id: string) => {
    const load = Effect.map(
      storage.read({ ...subscriberLookups(marked.workspaceId), messages: lookupById("messages", id) }),
      ({ applications, endpoints, messages }) => ({ message: messages[0], subscribers: { applications, endpoints } })
    )
    return decideAndCommit(load, (world, now, ids) => Either.right(moveByMark(world, marked, now, ids)))
  }
  return Effect.flatMap(toMove(null), (pages) =>
    Effect.forEach([...pages].reverse(), (page) => Effect.forEach(page, move, { concurrency, discard: true }), {
      discard: true
    })
  )
}

/** The steps that a message reaches by the marks of its conversation: none before its send is recorded. */
const reachedByMark = (message: Message, marked: Marked): ReadonlyArray<Reached> =>
  message.sentAt === null ? [] : advanceAll(message, receiptsByMark(marked, message.sentAt))

const moveByMark = (
  { message, subscribers }: { readonly message: Message | undefined; readonly subscribers: Subscribers },
  marked: Marked,
  now: Instant,
  ids: Ids
): Decision<null> => {
  const reached = message === undefined ? [] : reachedByMark(message, marked)
  return {
    changes:
      message === undefined || reached.length === 0
        ? null
        : changes(marked.workspaceId, recordProgress(message, reached, subscribers, now, ids)),
    result: null
  }
}
