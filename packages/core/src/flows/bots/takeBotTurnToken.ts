import { Clock, Effect } from "effect"
import { notificationOnceId, notifyOnce } from "../../kernel/notify.js"
import type { Conversation } from "../../model/Conversation.js"
import { hour } from "../../model/Instant.js"
import type { Parts } from "../../ports/Changes.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"

/** Maximum bot turns per conversation and hour. A customer who writes more is probably a bot. */
export const turnsPerHour = 200

/**
 * Takes a token for one bot turn, so that two bots that answer each other stop. Returns null if the bot may answer,
 * else the notification for the administrators, once per hour.
 */
export const takeBotTurnToken = (
  storage: Pick<Storage, "read" | "takeToken">,
  { id, workspaceId }: Pick<Conversation, "id" | "workspaceId">,
  botId: string
): Effect.Effect<Parts | null, ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const rateToken = yield* storage.takeToken({ bucket: `bot ${id}`, limit: turnsPerHour, windowMs: hour, now })
    if (rateToken.granted) return null
    const message =
      `Bots answered ${turnsPerHour} messages within an hour in one conversation (${id}). Further messages are not answered for now. ` +
      "Check whether another bot answers them."
    const notice = { workspaceId, applicationId: null, kind: "bot.turns_limited", subjectId: botId, message }
    const known = yield* readById(storage, "notifications", notificationOnceId(notice, rateToken.openedAt))
    return known === undefined ? { ensures: notifyOnce(notice, rateToken.openedAt) } : {}
  })
