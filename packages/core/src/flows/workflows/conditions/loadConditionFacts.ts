import { Effect } from "effect"
import type { RunCondition } from "../../../model/RunCondition.js"
import type { ReadError, Storage } from "../../../ports/Storage.js"
import { newestConversation } from "../actions/newestConversation.js"
import type { RunScope } from "../runs/RunScope.js"
import type { ConditionFacts } from "./ConditionFacts.js"
import { needsOf } from "./conditionHolds.js"

const maxLeads = 100

/** Loads the facts that the conditions test, and no others. Only the 100 newest leads are loaded. */
export const loadConditionFacts = (
  storage: Pick<Storage, "list" | "listConversations">,
  { application, contact }: Pick<RunScope, "application" | "contact">,
  conditions: ReadonlyArray<RunCondition>
): Effect.Effect<Pick<ConditionFacts, "conversation" | "leads" | "lastInboundText">, ReadError> =>
  Effect.gen(function* () {
    const needs = needsOf({ all: conditions })
    const conversation =
      needs.conversation || needs.lastInboundText
        ? yield* newestConversation(storage, { application, contact })
        : undefined
    const leads = needs.leads
      ? yield* storage.list({ from: "leads", where: { contactId: contact.id }, after: null, limit: maxLeads })
      : []
    const [lastInbound] =
      needs.lastInboundText && conversation !== undefined
        ? yield* storage.list({
            from: "messages",
            where: { conversationId: conversation.id, direction: "inbound" },
            after: null,
            limit: 1
          })
        : []
    return { conversation, leads, lastInboundText: lastInbound?.body ?? null }
  })
