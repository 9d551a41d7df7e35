import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems, requireExpected } from "../../kernel/input/Patch.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type Assignees, assigneeProblems, expectAssignees } from "../../resources/agents/assignees.js"
import { assignedEvent } from "../../resources/conversations/assignedEvent.js"
import type { ConversationPatch } from "../../resources/conversations/ConversationInput.js"
import type { ConversationWithWindow } from "../../resources/conversations/ConversationWithWindow.js"
import { conversationEvent } from "../../resources/conversations/conversationEvent.js"
import { emit, type NewEvent, type Subscribers } from "../../resources/events/Outbox.js"
import { type BotOfConversation, stopBot } from "../bots/stopBot.js"

/** What the rules of a change read. */
export interface UpdateConversationWorld extends BotOfConversation {
  readonly conversation: Conversation
  /** Of the conversation's connection. */
  readonly serviceWindowHours: number | null
  readonly assignees: Assignees
  readonly subscribers: Subscribers
}

/**
 * Changes status and assignee of a conversation (docs/reference/conversations.md#conversation-status). The same status
 * fails with 409 `invalid_transition`, as do other values than the expected ones; the same assignee changes nothing.
 * Changing both emits both events. Assigning or ending the conversation stops its active bot.
 */
export const updateConversation = (
  world: UpdateConversationWorld,
  decoded: PartialDecode<ConversationPatch>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<ConversationWithWindow>, Refusal> =>
  Either.gen(function* () {
    const { assignees, conversation, serviceWindowHours, subscribers } = world
    const { id, version, workspaceId } = conversation
    yield* requireExpected(decoded, conversation)
    const { status, assignedUserId, assignedTeamId } = yield* complete(
      decoded,
      changeProblems({
        workspace_id: [workspaceId, decoded.value.workspaceId],
        contact_id: [conversation.contactId, decoded.value.contactId],
        connection_id: [conversation.connectionId, decoded.value.connectionId]
      }),
      assigneeProblems(decoded.value, assignees, workspaceId)
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
        expectAssignees(values),
        {
          expects: [expect("conversations", { id }, { version })],
          sets: [set("conversations", { id }, values)],
          inserts: events.flatMap((one) => emit(subscribers, one, now, ids))
        },
        ...(takesOver(values) ? stopBot(world, updated, now, ids) : [])
      ),
      result: { conversation: updated, serviceWindowHours }
    }
  })

/** Whether the bot must stop: the conversation is assigned to a person or has ended. */
const takesOver = ({
  assignedTeamId,
  assignedUserId,
  status
}: Partial<Pick<Conversation, "assignedTeamId" | "assignedUserId" | "status">>): boolean =>
  assignedUserId != null || assignedTeamId != null || status === "resolved" || status === "closed"
