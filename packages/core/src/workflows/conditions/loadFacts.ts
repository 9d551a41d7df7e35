import { Effect } from "effect"
import type { ReadError, Storage } from "../../ports/Storage.js"
import { newestConversation } from "../actions/newestConversation.js"
import type { RunCondition } from "../definition/RunCondition.js"
import type { RunScope } from "../runs/RunScope.js"
import type { Facts } from "./Facts.js"
import { needsOf } from "./meets.js"

const mostLeads = 100

/** Reads what conditions ask for beside the contact: no more than that. */
export const loadFacts = (
  storage: Pick<Storage, "list" | "listConversations">,
  { application, contact }: Pick<RunScope, "application" | "contact">,
  conditions: ReadonlyArray<RunCondition>
): Effect.Effect<Pick<Facts, "conversation" | "leads" | "lastWords">, ReadError> =>
  Effect.gen(function* () {
    const needs = needsOf({ all: conditions })
    const conversation =
      needs.conversation || needs.lastWords ? yield* newestConversation(storage, { application, contact }) : undefined
    const leads = needs.leads
      ? yield* storage.list({ from: "leads", where: { contactId: contact.id }, after: null, limit: mostLeads })
      : []
    const [said] =
      needs.lastWords && conversation !== undefined
        ? yield* storage.list({
            from: "messages",
            where: { conversationId: conversation.id, direction: "inbound" },
            after: null,
            limit: 1
          })
        : []
    return { conversation, leads, lastWords: said?.body ?? null }
  })
