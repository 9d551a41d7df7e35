import { Schema } from "effect"
import { ConversationStatus } from "../../conversations/Conversation.js"
import { type Draft, joinProblems } from "../../input/Draft.js"
import { oneOf, uuid } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"

/** The query of `GET /conversations` of the administration; some filter beside `status` is needed. */
export const AdminConversationListQuery = Schema.Struct({
  ...listFields,
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id")),
  contactId: queryFilter(uuid).pipe(Schema.fromKey("contact_id")),
  connectionId: queryFilter(uuid).pipe(Schema.fromKey("connection_id")),
  status: queryFilter(oneOf(ConversationStatus.literals)),
  assignedUserId: queryFilter(uuid).pipe(Schema.fromKey("assigned_user_id")),
  assignedTeamId: queryFilter(uuid).pipe(Schema.fromKey("assigned_team_id"))
})
export type AdminConversationListQuery = typeof AdminConversationListQuery.Type

/**
 * The query, with a problem at `workspace_id` where no filter narrows it down: there is no index of the conversations of all
 * workspaces by last activity.
 */
export const narrowed = (query: Draft<AdminConversationListQuery>): Draft<AdminConversationListQuery> => {
  const { assignedTeamId, assignedUserId, connectionId, contactId, workspaceId } = query.value
  // What could not be read is undefined, and a problem already.
  return [workspaceId, contactId, connectionId, assignedUserId, assignedTeamId].some((filter) => filter !== null)
    ? query
    : { ...query, problems: joinProblems(query.problems, tooWide) }
}

const tooWide = {
  workspace_id: ["is required, unless contact_id, connection_id, assigned_user_id or assigned_team_id is given"]
}
