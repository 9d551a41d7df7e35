import { Schema } from "effect"
import { component, createdAt, field, ids, workspaceId } from "../../kernel/input/wire.js"
import type { Bot } from "../../model/Bot.js"
import { scriptResourceFields } from "./ScriptInput.js"

/**
 * A bot with its script, on the wire of the administration
 * (docs/reference/administration.md#workflow-and-bot-administration).
 */
export const AdminBotResource = component("AdminBot", "A scripted dialogue with customers.", {
  id: ids.bot,
  workspaceId,
  name: field(Schema.String, { examples: ["Qualification"] }),
  status: field(Schema.Literal("active", "inactive"), { description: "Only active bots start." }),
  ...scriptResourceFields,
  createdAt
})

export const adminBotResource = (bot: Bot): typeof AdminBotResource.Type => ({ ...bot, ...bot.script })
