import type { Problems } from "../../errors/Refusal.js"
import type { Agent } from "../../model/Agent.js"

/** Validates the agents of a team: each must belong to the workspace. `agents` are all agents of the workspace. */
export const memberProblems = (ids: ReadonlyArray<string>, agents: ReadonlyArray<Agent>): Problems => {
  const known = new Set(agents.map(({ id }) => id))
  return ids.every((id) => known.has(id)) ? {} : { agent_ids: ["must be agents of the team's workspace"] }
}
