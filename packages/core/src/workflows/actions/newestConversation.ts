import { Effect } from "effect"
import type { Conversation } from "../../conversations/Conversation.js"
import type { ReadError, Storage } from "../../ports/Storage.js"
import type { RunScope } from "../runs/RunScope.js"

/** The contact's conversation with the latest activity, of those that the application may see (decisions.md §9). */
export const newestConversation = (
  storage: Pick<Storage, "listConversations">,
  { application, contact }: Pick<RunScope, "application" | "contact">
): Effect.Effect<Conversation | undefined, ReadError> =>
  Effect.map(
    storage.listConversations(
      { connectionIds: application.connectionIds, contactId: contact.id, status: null },
      null,
      1
    ),
    ([conversation]) => conversation
  )
