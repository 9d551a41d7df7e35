import type { Conversation } from "../conversations/Conversation.js"
import type { BotWorld } from "./BotWorld.js"
import type { Ending } from "./dialogue.js"

/** That people take a conversation over from a bot. */
export type HandOff = Ending & { readonly type: "handed_off" }

/** Who has the conversation from here on, as far as they are there still and do not have it already. */
export const takersOf = (
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

/** Whether the script names somebody who is not there any more: the conversation is then handed to anybody. */
export const missesTaker = (handOff: HandOff, world: BotWorld): boolean =>
  (handOff.agentId !== null && !hasAgent(handOff, world)) || (handOff.teamId !== null && !hasTeam(handOff, world))

const hasAgent = ({ agentId }: HandOff, { assignees, conversation: { workspaceId } }: BotWorld): boolean =>
  assignees.agents.some(
    (agent) => agent.id === agentId && agent.status === "active" && agent.workspaceId === workspaceId
  )

const hasTeam = ({ teamId }: HandOff, { assignees, conversation: { workspaceId } }: BotWorld): boolean =>
  assignees.teams.some((team) => team.id === teamId && team.workspaceId === workspaceId)
