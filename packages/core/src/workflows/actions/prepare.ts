import type { Effect } from "effect"
import type { ReadError } from "../../ports/Storage.js"
import type { ActionKind } from "../definition/Action.js"
import type { Prepared, RunMeans, RunScope } from "../runs/RunScope.js"
import { assign } from "./assign.js"
import { beginBot } from "./beginBot.js"
import { changeFields } from "./changeFields.js"
import { changeTag } from "./changeTag.js"
import { createTask } from "./createTask.js"
import { moveNewestLead } from "./moveNewestLead.js"
import { openLead } from "./openLead.js"
import { sendToContact } from "./sendToContact.js"
import { tellAdministrators } from "./tellAdministrators.js"

/** Reads what an action needs; null for one that takes its time, and reads nothing. */
export const prepare = (
  means: RunMeans,
  scope: RunScope,
  action: ActionKind
): Effect.Effect<Prepared, ReadError> | null => {
  switch (action.type) {
    case "send_message":
    case "send_email":
      return sendToContact(means, scope, action)
    case "add_tag":
    case "remove_tag":
      return changeTag(means, scope, action)
    case "update_contact":
      return changeFields(means, scope, action)
    case "create_lead":
      return openLead(means, scope, action)
    case "update_lead":
      return moveNewestLead(means, scope, action)
    case "assign":
      return assign(means, scope, action)
    case "create_task":
      return createTask(means, scope, action)
    case "notify":
      return tellAdministrators(means, scope, action)
    case "start_bot":
      return beginBot(means, scope, action)
    case "call_webhook":
    case "wait":
      return null
  }
}
