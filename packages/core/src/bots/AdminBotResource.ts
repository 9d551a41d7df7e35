import { Schema } from "effect"
import { Timestamp } from "../Instant.js"
import type { Bot } from "./Bot.js"
import { scriptResourceFields } from "./ScriptInput.js"

/** A bot with its script, on the wire of the administration (decisions.md §14). */
export const AdminBotResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  name: Schema.String,
  status: Schema.Literal("active", "inactive"),
  ...scriptResourceFields,
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "AdminBot" })

export const adminBotResource = (bot: Bot): typeof AdminBotResource.Type => ({ ...bot, ...bot.script })
