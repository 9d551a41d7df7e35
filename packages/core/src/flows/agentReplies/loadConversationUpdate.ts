import { Effect } from "effect"
import type { Conversation } from "../../model/Conversation.js"
import type { ChannelProviders } from "../../ports/ChannelProvider.js"
import type { ReadError, Storage } from "../../ports/Storage.js"
import { type Assignment, assigneeLookups } from "../../resources/agents/assignees.js"
import { withServiceWindows } from "../../resources/conversations/ConversationWithWindow.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { botLookups, botOf } from "../bots/stopBot.js"
import type { UpdateConversationWorld } from "./updateConversation.js"

/** Loads the world of a change to a conversation. */
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
          ...botLookups(conversation)
        }),
        withServiceWindows(storage, providers, [conversation])
      ],
      { concurrency: "unbounded" }
    ),
    ([{ agents, applications, endpoints, teams, ...ofBot }, known]) => ({
      conversation,
      serviceWindowHours: known[0]?.serviceWindowHours ?? null,
      assignees: { agents, teams },
      ...botOf(ofBot),
      subscribers: { endpoints, applications }
    })
  )
