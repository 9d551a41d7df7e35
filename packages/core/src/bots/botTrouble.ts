import type { Instant } from "../Instant.js"
import { notify } from "../notifications/notify.js"
import type { RowOf } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { BotSession } from "./BotSession.js"
import type { BotWorld } from "./BotWorld.js"
import type { Ending } from "./dialogue.js"
import { missesTaker } from "./handOff.js"

/** Tells the administrators how a dialogue ended, where they can do something about it. */
export const botTrouble = (
  session: BotSession,
  ending: Ending,
  world: BotWorld,
  now: Instant,
  ids: Ids
): ReadonlyArray<RowOf<"notifications" | "jobs">> => {
  if (ending.type !== "failed" && ending.type !== "handed_off") return []
  const reason =
    ending.reason ??
    (ending.type === "handed_off" && missesTaker(ending, world)
      ? "The agent or team that it hands off to is not there any more."
      : null)
  if (reason === null) return []
  const { botId: subjectId, botName, conversationId, workspaceId } = session
  const did = ending.type === "failed" ? "failed in" : "handed off"
  const message = `The bot "${botName}" ${did} conversation ${conversationId}. ${reason}`
  return notify({ workspaceId, applicationId: null, kind: `bot.${ending.type}`, subjectId, message }, now, ids)
}
