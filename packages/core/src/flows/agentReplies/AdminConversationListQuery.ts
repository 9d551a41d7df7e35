import { Schema } from "effect"
import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { oneOf } from "../../kernel/input/Fields.js"
import { filters, listFields, queryFilter, queryFlag } from "../../kernel/input/ListQuery.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import { field } from "../../kernel/input/wire.js"
import { ConversationStatus } from "../../model/Conversation.js"

/** The query of `GET /conversations` of the administration; some filter beside `status` is needed. */
export const AdminConversationListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  contactId: filters.contactId,
  connectionId: filters.connectionId,
  status: field(queryFilter(oneOf(ConversationStatus.literals)), { description: "Only those with this status." }),
  assignedUserId: filters.assignedUserId,
  assignedTeamId: filters.assignedTeamId,
  unassigned: field(queryFlag, {
    description: "Only those without an agent; with `assigned_team_id`, those that wait in the team."
  }),
  since: field(queryFilter(dateOrTime), { description: "Only those with activity on this date or time or later." })
})
export type AdminConversationListQuery = typeof AdminConversationListQuery.Type

/**
 * The query, with a problem at `workspace_id` where no filter narrows it down, because no index has the conversations
 * of all workspaces by last activity; and at `unassigned` where an agent is given too.
 */
export const requireFilter = (
  query: PartialDecode<AdminConversationListQuery>
): PartialDecode<AdminConversationListQuery> => {
  const { assignedTeamId, assignedUserId, connectionId, contactId, unassigned, workspaceId } = query.value
  // What could not be read is undefined, and a problem already.
  const isNarrow = [workspaceId, contactId, connectionId, assignedUserId, assignedTeamId].some(
    (filter) => filter !== null
  )
  const problems = [
    isNarrow ? {} : tooWide,
    unassigned === true && assignedUserId != null
      ? { unassigned: ["cannot be true together with assigned_user_id"] }
      : {}
  ]
  return { ...query, problems: problems.reduce(joinProblems, query.problems) }
}

const tooWide = {
  workspace_id: ["is required, unless contact_id, connection_id, assigned_user_id or assigned_team_id is given"]
}
