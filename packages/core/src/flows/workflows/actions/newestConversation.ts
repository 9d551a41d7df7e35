import { Effect } from "effect"
import type { Conversation } from "../../../model/Conversation.js"
import type { ReadError, Storage } from "../../../ports/Storage.js"
import type { RunScope } from "../runs/RunScope.js"

/**
 * The contact's conversation with the latest activity, among those visible to the application
 * (docs/reference/automations.md#sender-of-a-run).
 */
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
