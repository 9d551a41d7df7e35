import { Schema } from "effect"
import type { Bot } from "../../bots/Bot.js"
import { scriptFields, scriptPatchFields } from "../../bots/ScriptInput.js"
import { draft } from "../../input/Draft.js"
import { oneOf, requiredText, uuid } from "../../input/Fields.js"
import { given, unchangeable } from "../../input/Patch.js"

const status = oneOf<Bot["status"]>(["active", "inactive"])

/** The body of `POST /bots` (decisions.md §14). A bot is inactive until it is said to be active. */
export const BotInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  name: requiredText(255),
  status: Schema.optionalWith(status, { default: () => "inactive" as const }),
  ...scriptFields
}).annotations({ identifier: "BotInput" })
export type BotInput = typeof BotInput.Type

/** The body of `PATCH /bots/{id}`. Each part of the script is given whole. */
export const BotPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  name: given(requiredText(255)),
  status: given(status),
  ...scriptPatchFields
}).annotations({ identifier: "BotPatch" })
export type BotPatch = typeof BotPatch.Type

export const botDraft = draft(BotInput)
export const botPatchDraft = draft(BotPatch)
