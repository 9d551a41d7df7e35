import type { Problems } from "../../errors/Refusal.js"
import type { Agent } from "../../model/Agent.js"
import type { Team } from "../../model/Team.js"
import { expect, type Parts } from "../../ports/Changes.js"
import { type Lookup, lookupById } from "../../ports/Storage.js"

/** The requested assignees. Null removes an assignee; absent leaves it unchanged. */
export interface Assignment {
  readonly assignedUserId?: string | null
  readonly assignedTeamId?: string | null
}

/** The agent and the team that an {@link Assignment} names, in any workspace. */
export interface Assignees {
  readonly agents: ReadonlyArray<Agent>
  readonly teams: ReadonlyArray<Team>
}

/** The lookups that load {@link Assignees}. */
export const assigneeLookups = ({
  assignedTeamId,
  assignedUserId
}: Assignment): { readonly agents: Lookup<"agents"> | null; readonly teams: Lookup<"teams"> | null } => ({
  agents: lookupById("agents", assignedUserId),
  teams: lookupById("teams", assignedTeamId)
})

/**
 * Validates an assignment: the agent must exist in the workspace and be active; the team must exist in the workspace.
 */
export const assigneeProblems = (
  { assignedTeamId, assignedUserId }: Assignment,
  { agents: [agent], teams: [team] }: Assignees,
  workspaceId: string | undefined
): Problems => ({
  ...(assignedUserId == null || (agent?.workspaceId === workspaceId && agent?.status === "active")
    ? {}
    : { assigned_user_id: ["must be the id of an active agent of this workspace"] }),
  ...(assignedTeamId == null || team?.workspaceId === workspaceId
    ? {}
    : { assigned_team_id: ["must be the id of a team of this workspace"] })
})

/** Expects that the assignees still exist, and that the agent is active, when the assignment commits. */
export const expectAssignees = ({ assignedTeamId, assignedUserId }: Assignment): Parts => ({
  expects: [
    ...(assignedUserId == null ? [] : [expect("agents", { id: assignedUserId }, { status: "active" })]),
    ...(assignedTeamId == null ? [] : [expect("teams", { id: assignedTeamId })])
  ]
})
