import type { Effect } from "effect"
import type { Refusal } from "../../../errors/Refusal.js"
import type { ActionKind } from "../../../model/Action.js"
import type { ReadError } from "../../../ports/Storage.js"
import type { Prepared, RunScope, RunServices } from "../runs/RunScope.js"
import { assign } from "./assign.js"
import { changeFields } from "./changeFields.js"
import { changeTag } from "./changeTag.js"
import { createTask } from "./createTask.js"
import { moveLeadOfRun } from "./moveLeadOfRun.js"
import { notifyAdministrators } from "./notifyAdministrators.js"
import { openLead } from "./openLead.js"
import { sendToContact } from "./sendToContact.js"
import { startBotAction } from "./startBotAction.js"

/** Loads what an action needs; null for an action that waits and reads nothing. */
export const prepare = (
  services: RunServices,
  scope: RunScope,
  action: ActionKind
): Effect.Effect<Prepared, Refusal | ReadError> | null => {
  switch (action.type) {
    case "send_message":
    case "send_email":
      return sendToContact(services, scope, action)
    case "add_tag":
    case "remove_tag":
      return changeTag(services, scope, action)
    case "update_contact":
      return changeFields(services, scope, action)
    case "create_lead":
      return openLead(services, scope, action)
    case "update_lead":
      return moveLeadOfRun(services, scope, action)
    case "assign":
      return assign(services, scope, action)
    case "create_task":
      return createTask(services, scope, action)
    case "notify":
      return notifyAdministrators(services, scope, action)
    case "start_bot":
      return startBotAction(services, scope, action)
    case "call_webhook":
    case "wait":
      return null
  }
}
