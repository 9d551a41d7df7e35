import { Effect, Either } from "effect"
import { refuse } from "../../../errors/Refusal.js"
import type { StartBot } from "../../../model/Action.js"
import { type ReadError, readById } from "../../../ports/Storage.js"
import { loadBotWorld } from "../../bots/loadBotWorld.js"
import { startBot } from "../../bots/startBot.js"
import type { Prepare, Prepared } from "../runs/RunScope.js"
import { newestConversation } from "./newestConversation.js"

/** Starts a bot on the contact's newest conversation, unless a bot is active there. */
export const startBotAction: Prepare<StartBot> = ({ providers, storage, urlProblem }, first, { botId }) =>
  Effect.gen(function* (): Effect.fn.Return<Prepared, ReadError> {
    const { application, run } = first
    const [bot, conversation] = yield* Effect.all(
      [readById(storage, "bots", botId), newestConversation(storage, first)],
      { concurrency: "unbounded" }
    )
    const fails = (message: string) => () => Either.left(refuse("not_found", {}, message))
    if (bot?.status !== "active" || bot.workspaceId !== run.workspaceId) return fails("The bot is gone or inactive.")
    const world = conversation && (yield* loadBotWorld(storage, providers, conversation, bot.script, run.id))
    if (world === undefined) return fails("The contact has no conversation that a bot could begin in.")
    return ({ contact, subscribers }, now, ids) => {
      const { conversation } = world
      if (conversation.botSessionId !== null) {
        return Either.left(refuse("invalid_transition", {}, "A bot answers in the conversation already."))
      }
      const origin = { applicationId: application.id, workflowRunId: run.id, messageId: null }
      // With the changes of earlier actions, unless a merge gave the conversation another contact meanwhile.
      const present = contact.id === world.contact.id ? contact : world.contact
      const { parts } = startBot({ ...world, contact: present, subscribers, urlProblem }, bot, origin, now, ids)
      return Either.right({
        parts,
        detail: `started the bot ${bot.name} in the conversation ${conversation.id}`,
        rereads: true
      })
    }
  })
