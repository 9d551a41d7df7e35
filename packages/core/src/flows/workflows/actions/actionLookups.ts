import type { ActionKind } from "../../../model/Action.js"
import type { Lookups } from "../../../ports/Storage.js"
import type { RunScope, RunServices } from "../runs/RunScope.js"
import { tagLookups } from "./changeTag.js"
import { leadLookups } from "./openLead.js"

const none: Lookups = {}

/** The lookups with which `prepare` of an action begins; none for actions that are rare. */
export const actionLookups = (services: RunServices, scope: RunScope, action: ActionKind): Lookups => {
  switch (action.type) {
    case "add_tag":
    case "remove_tag":
      return tagLookups(scope, action)
    case "create_lead":
      return leadLookups(services, scope, action)
    default:
      return none
  }
}
