import { oneOf, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { clearable, expectation, given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, part, wire } from "../../kernel/input/wire.js"
import { ConversationStatus } from "../../model/Conversation.js"

const status = given(oneOf(ConversationStatus.literals))
const assignee = clearable(uuid)

/**
 * The body of `PATCH /conversations/{id}` (docs/reference/conversations.md#conversation-status ;
 * docs/reference/conversations.md#assignment). Null unassigns.
 */
export const ConversationPatch = component(
  "ConversationPatch",
  "What to change. Every change of the status is allowed; null unassigns.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    contactId: wire("contact_id", unchangeable),
    connectionId: wire("connection_id", unchangeable),
    status,
    assignedUserId: wire("assigned_user_id", assignee, { description: "An active agent of the workspace." }),
    assignedTeamId: wire("assigned_team_id", assignee, { description: "A team of the workspace." }),
    expect: expectation(
      part({
        status,
        assignedUserId: wire("assigned_user_id", assignee),
        assignedTeamId: wire("assigned_team_id", assignee)
      })
    )
  },
  { example: { assigned_user_id: sampleIds.agent, expect: { assigned_user_id: null } } }
)
export type ConversationPatch = typeof ConversationPatch.Type

export const decodeConversationPatch = partialDecode(ConversationPatch)
