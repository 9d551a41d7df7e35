import { notify } from "../../kernel/notify.js"
import type { BotSession } from "../../model/BotSession.js"
import type { Instant } from "../../model/Instant.js"
import type { RowOf } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { BotWorld } from "./BotWorld.js"
import type { Ending } from "./dialogue.js"
import { hasMissingAssignee } from "./handOff.js"

/** A notification about the end of a session, if administrators can act on it. */
export const dialogueEndNotification = (
  session: BotSession,
  ending: Ending,
  world: BotWorld,
  now: Instant,
  ids: Ids
): ReadonlyArray<RowOf<"notifications" | "jobs">> => {
  if (ending.type !== "failed" && ending.type !== "handed_off") return []
  const reason =
    ending.reason ??
    (ending.type === "handed_off" && hasMissingAssignee(ending, world)
      ? "The agent or team of the hand-off no longer exists."
      : null)
  if (reason === null) return []
  const { botId: subjectId, botName, conversationId, workspaceId } = session
  const did = ending.type === "failed" ? "failed in" : "handed off"
  const message = `The bot "${botName}" ${did} conversation ${conversationId}. ${reason}`
  return notify({ workspaceId, applicationId: null, kind: `bot.${ending.type}`, subjectId, message }, now, ids)
}
