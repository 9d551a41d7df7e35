import { Effect } from "effect"
import { isWritten, type Message } from "../../../model/Message.js"
import type { RunCondition } from "../../../model/RunCondition.js"
import type { ReadError, Storage } from "../../../ports/Storage.js"
import { newestConversation } from "../actions/newestConversation.js"
import type { RunScope } from "../runs/RunScope.js"
import type { ConditionFacts } from "./ConditionFacts.js"
import { needsOf } from "./conditionHolds.js"

const maxLeads = 100

/** Number of the newest inbound messages among which the last one that the customer wrote is looked for. */
const maxInbound = 20

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
    const inbound =
      needs.lastInboundText && conversation !== undefined
        ? yield* storage.list({
            from: "messages",
            where: { conversationId: conversation.id, direction: "inbound" },
            after: null,
            limit: maxInbound
          })
        : []
    return { conversation, leads, lastInboundText: lastTextOf(inbound) }
  })

/** The text of the last message that the customer wrote, as they edited it last; null without one. */
const lastTextOf = (newestFirst: ReadonlyArray<Message>): string | null => {
  const last = newestFirst.find(isWritten)
  const edit = newestFirst.find(
    ({ envelope, type }) => type === "edit" && last !== undefined && envelope?.quoted?.messageId === last.id
  )
  return (edit ?? last)?.body ?? null
}
