import type { Conversation } from "../../model/Conversation.js"
import type { BotWorld } from "./BotWorld.js"
import type { Ending } from "./dialogue.js"

/** A hand-off to people. */
export type HandOff = Ending & { readonly type: "handed_off" }

/** The new assignees, without those that no longer exist or are assigned already. */
export const handOffAssignees = (
  handOff: HandOff,
  world: BotWorld
): Partial<Pick<Conversation, "assignedUserId" | "assignedTeamId">> => {
  const { agentId, teamId } = handOff
  const { assignedTeamId, assignedUserId } = world.conversation
  return {
    ...(hasAgent(handOff, world) && agentId !== assignedUserId ? { assignedUserId: agentId } : {}),
    ...(hasTeam(handOff, world) && teamId !== assignedTeamId ? { assignedTeamId: teamId } : {})
  }
}

/** Whether the script names an assignee that no longer exists. The conversation is then left unassigned. */
export const hasMissingAssignee = (handOff: HandOff, world: BotWorld): boolean =>
  (handOff.agentId !== null && !hasAgent(handOff, world)) || (handOff.teamId !== null && !hasTeam(handOff, world))

const hasAgent = ({ agentId }: HandOff, { assignees, conversation: { workspaceId } }: BotWorld): boolean =>
  assignees.agents.some(
    (agent) => agent.id === agentId && agent.status === "active" && agent.workspaceId === workspaceId
  )

const hasTeam = ({ teamId }: HandOff, { assignees, conversation: { workspaceId } }: BotWorld): boolean =>
  assignees.teams.some((team) => team.id === teamId && team.workspaceId === workspaceId)
