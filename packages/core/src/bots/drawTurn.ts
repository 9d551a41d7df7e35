import { Clock, Effect } from "effect"
import type { Conversation } from "../conversations/Conversation.js"
import { hour } from "../Instant.js"
import { notificationOnceId, notifyOnce } from "../notifications/notify.js"
import type { Parts } from "../ports/Changes.js"
import { type ReadError, readById, type Storage } from "../ports/Storage.js"

/** The most messages of a conversation that bots take within an hour: whoever writes more is likely to be a bot too. */
export const turnsPerHour = 200

/**
 * Draws what a bot needs to take a customer's message, so that two bots which answer each other come to an end. Null where it
 * may; else what tells the administrators of it, once an hour.
 */
export const drawTurn = (
  storage: Pick<Storage, "read" | "takeToken">,
  { id, workspaceId }: Pick<Conversation, "id" | "workspaceId">,
  botId: string
): Effect.Effect<Parts | null, ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const drawn = yield* storage.takeToken({ bucket: `bot ${id}`, limit: turnsPerHour, windowMs: hour, now })
    if (drawn.granted) return null
    const message =
      `Bots took ${turnsPerHour} messages within an hour in one conversation (${id}), and take no more for now. ` +
      "Look whether another bot answers them."
    const about = { workspaceId, applicationId: null, kind: "bot.turns_limited", subjectId: botId, message }
    const known = yield* readById(storage, "notifications", notificationOnceId(about, drawn.openedAt))
    return known === undefined ? { ensures: notifyOnce(about, drawn.openedAt) } : {}
  })
