import type { Problems } from "../errors/Refusal.js"
import { expect, type Parts } from "../ports/Changes.js"
import { type Lookup, lookupById } from "../ports/Storage.js"
import type { Agent } from "./Agent.js"
import type { Team } from "./Team.js"

/** Who is to have something; null takes it away, undefined leaves it. */
export interface Assignment {
  readonly assignedUserId?: string | null
  readonly assignedTeamId?: string | null
}

/** The agent and the team that an {@link Assignment} names, in whatever workspace. */
export interface Assignees {
  readonly agents: ReadonlyArray<Agent>
  readonly teams: ReadonlyArray<Team>
}

/** The lookups whose rows are the {@link Assignees}. */
export const assigneeLookups = ({
  assignedTeamId,
  assignedUserId
}: Assignment): { readonly agents: Lookup<"agents"> | null; readonly teams: Lookup<"teams"> | null } => ({
  agents: lookupById("agents", assignedUserId),
  teams: lookupById("teams", assignedTeamId)
})

/** What is wrong with an assignment: an agent who is not there or not active, or a team that is not there. */
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

/** That the assignees are there still when the assignment is written. */
export const assigneesStay = ({ assignedTeamId, assignedUserId }: Assignment): Parts => ({
  expects: [
    ...(assignedUserId == null ? [] : [expect("agents", { id: assignedUserId }, { status: "active" })]),
    ...(assignedTeamId == null ? [] : [expect("teams", { id: assignedTeamId })])
  ]
})
