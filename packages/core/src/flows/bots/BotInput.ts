import { Schema } from "effect"
import { oneOf, requiredText, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, wire } from "../../kernel/input/wire.js"
import type { Bot } from "../../model/Bot.js"
import { scriptFields, scriptPatchFields } from "./ScriptInput.js"
import { sampleSteps } from "./StepInput.js"

const status = oneOf<Bot["status"]>(["active", "inactive"])

/**
 * The body of `POST /bots` (docs/reference/administration.md#workflow-and-bot-administration). A bot is inactive until
 * it is said to be active.
 */
export const BotInput = component(
  "BotInput",
  "A bot to create. Default: inactive.",
  {
    workspaceId: wire("workspace_id", uuid),
    name: requiredText(255),
    status: Schema.optionalWith(status, { default: () => "inactive" as const }),
    ...scriptFields
  },
  {
    example: {
      workspace_id: sampleIds.workspace,
      name: "Qualification",
      status: "active",
      start: { keywords: ["demo"], new_conversation_on: [sampleIds.connection] },
      greeting: "Hello {{contact.first_name}}!",
      steps: sampleSteps,
      time_out: "30m",
      time_out_text: "Write again whenever you like."
    }
  }
)
export type BotInput = typeof BotInput.Type

/** The body of `PATCH /bots/{id}`. Each part of the script is given whole. */
export const BotPatch = component(
  "BotPatch",
  "What to change; each part of the script is replaced as a whole. Running dialogues continue with the former script.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    name: given(requiredText(255)),
    status: given(status),
    ...scriptPatchFields
  },
  { activate: { status: "active" }, greeting: { greeting: "Good day!" } }
)
export type BotPatch = typeof BotPatch.Type

export const decodeBotInput = partialDecode(BotInput)
export const decodeBotPatch = partialDecode(BotPatch)
