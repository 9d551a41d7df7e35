import { Either } from "effect"
import { type Assignees, assigneeProblems, assigneesStay } from "../agents/assignees.js"
import type { BotSession } from "../bots/BotSession.js"
import { stopBot } from "../bots/stopBot.js"
import type { Decision } from "../Decider.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { emit, type NewEvent, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { changeProblems } from "../input/Patch.js"
import { changes, expect, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { assignedEvent } from "./assignedEvent.js"
import type { Conversation } from "./Conversation.js"
import type { ConversationPatch } from "./ConversationInput.js"
import { conversationEvent } from "./conversationEvent.js"
import type { KnownConversation } from "./KnownConversation.js"

/** All that a change of a conversation may look at. */
export interface UpdateConversationWorld {
  readonly conversation: Conversation
  /** Of its connection. */
  readonly serviceWindowHours: number | null
  readonly assignees: Assignees
  /** The dialogue of the bot that is active in it. */
  readonly session: BotSession | undefined
  readonly subscribers: Subscribers
}

/**
 * Moves a conversation to another status, and assigns or unassigns it (decisions.md §9). To the status that it has: 409
 * `invalid_transition`; to those who have it already: nothing happens. Both changes at once are told by both events. An
 * assignment stops the bot that is active in it, and so does its end.
 */
export const updateConversation = (
  { assignees, conversation, serviceWindowHours, session, subscribers }: UpdateConversationWorld,
  draft: Draft<ConversationPatch>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<KnownConversation>, Refusal> =>
  Either.gen(function* () {
    const { id, version, workspaceId } = conversation
    const { status, assignedUserId, assignedTeamId } = yield* complete(
      draft,
      changeProblems({
        workspace_id: [workspaceId, draft.value.workspaceId],
        contact_id: [conversation.contactId, draft.value.contactId],
        connection_id: [conversation.connectionId, draft.value.connectionId]
      }),
      assigneeProblems(draft.value, assignees, workspaceId)
    )
    if (status === conversation.status) {
      return yield* Either.left(refuse("invalid_transition", {}, `The conversation is ${status} already.`))
    }
    const values = {
      ...(status === undefined ? {} : { status }),
      ...(assignedUserId === undefined || assignedUserId === conversation.assignedUserId ? {} : { assignedUserId }),
      ...(assignedTeamId === undefined || assignedTeamId === conversation.assignedTeamId ? {} : { assignedTeamId })
    }
    if (Object.keys(values).length === 0) return { changes: null, result: { conversation, serviceWindowHours } }
    const updated: Conversation = { ...conversation, ...values, version: version + 1 }
    const event = (type: Parameters<typeof conversationEvent>[0], more: { readonly [key: string]: unknown }) =>
      conversationEvent(type, updated, serviceWindowHours, more)
    const events: ReadonlyArray<NewEvent> = [
      ...("status" in values ? [event("conversation.status_changed", { previous_status: conversation.status })] : []),
      ...("assignedUserId" in values || "assignedTeamId" in values
        ? [assignedEvent(conversation, updated, serviceWindowHours)]
        : [])
    ]
    return {
      changes: changes(
        workspaceId,
        assigneesStay(values),
        {
          expects: [expect("conversations", { id }, { version })],
          sets: [set("conversations", { id }, values)],
          inserts: events.flatMap((one) => emit(subscribers, one, now, ids))
        },
        ...(takesOver(values) ? stopBot(session, updated, serviceWindowHours, subscribers, now, ids) : [])
      ),
      result: { conversation: updated, serviceWindowHours }
    }
  })

/** Whether a person has it from here on, or nobody needs to any more. */
const takesOver = ({
  assignedTeamId,
  assignedUserId,
  status
}: Partial<Pick<Conversation, "assignedTeamId" | "assignedUserId" | "status">>): boolean =>
  assignedUserId != null || assignedTeamId != null || status === "resolved" || status === "closed"
