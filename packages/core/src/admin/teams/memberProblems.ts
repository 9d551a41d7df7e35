import type { Agent } from "../../agents/Agent.js"
import type { Problems } from "../../errors/Refusal.js"

/** What is wrong with a team's agents: one that is not of the workspace. `agents` are all those of the workspace. */
export const memberProblems = (ids: ReadonlyArray<string>, agents: ReadonlyArray<Agent>): Problems => {
  const known = new Set(agents.map(({ id }) => id))
  return ids.every((id) => known.has(id)) ? {} : { agent_ids: ["must be agents of the team's workspace"] }
}
