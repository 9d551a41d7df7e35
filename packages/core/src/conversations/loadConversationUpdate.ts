import { Effect } from "effect"
import { type Assignment, assigneeLookups } from "../agents/assignees.js"
import { subscriberLookups } from "../events/Outbox.js"
import type { ChannelProviders } from "../ports/ChannelProvider.js"
import { lookupById, type ReadError, type Storage } from "../ports/Storage.js"
import type { Conversation } from "./Conversation.js"
import { knownConversations } from "./KnownConversation.js"
import type { UpdateConversationWorld } from "./updateConversation.js"

/** Reads what a change of a conversation looks at. */
export const loadConversationUpdate = (
  storage: Storage,
  providers: ChannelProviders,
  conversation: Conversation,
  assignment: Assignment
): Effect.Effect<UpdateConversationWorld, ReadError> =>
  Effect.map(
    Effect.all(
      [
        storage.read({
          ...subscriberLookups(conversation.workspaceId),
          ...assigneeLookups(assignment),
          botSessions: lookupById("botSessions", conversation.botSessionId)
        }),
        knownConversations(storage, providers, [conversation])
      ],
      { concurrency: "unbounded" }
    ),
    ([{ agents, applications, botSessions, endpoints, teams }, known]) => ({
      conversation,
      serviceWindowHours: known[0]?.serviceWindowHours ?? null,
      assignees: { agents, teams },
      session: botSessions[0],
      subscribers: { endpoints, applications }
    })
  )
