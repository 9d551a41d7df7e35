import type { Effect } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import type { Agent } from "../../model/Agent.js"
import type { Connection } from "../../model/Connection.js"
import type { Script } from "../../model/Script.js"
import type { Team } from "../../model/Team.js"
import { lookup, type ReadError, type Storage } from "../../ports/Storage.js"

/** The agents, teams and other rows that a script may reference. */
export interface ScriptReferences {
  readonly connections: ReadonlyArray<Connection>
  readonly agents: ReadonlyArray<Agent>
  readonly teams: ReadonlyArray<Team>
}

type Naming = Partial<Pick<Script, "start" | "steps">>

/** Loads the rows that a script may reference, of the kinds that it references. */
export const loadScriptReferences = (
  storage: Pick<Storage, "read">,
  workspaceId: string,
  { start, steps = [] }: Naming
): Effect.Effect<ScriptReferences, ReadError> => {
  const handsOff = steps.some(({ type }) => type === "hand_off")
  return storage.read({
    connections: (start?.newConversationOn ?? []).length > 0 ? lookup("connections", { workspaceId }) : null,
    agents: handsOff ? lookup("agents", { workspaceId }) : null,
    teams: handsOff ? lookup("teams", { workspaceId }) : null
  })
}

/** References of a script that do not exist, by wire path. */
export const scriptReferenceProblems = (
  { start, steps = [] }: Naming,
  { agents, connections, teams }: ScriptReferences
): Problems => {
  const has = (rows: ReadonlyArray<{ readonly id: string }>, id: string | null) =>
    id === null || rows.some((row) => row.id === id)
  const active = agents.filter(({ status }) => status === "active")
  return Object.fromEntries([
    ...(start?.newConversationOn ?? []).flatMap((id, index) =>
      has(connections, id)
        ? []
        : [[`start.new_conversation_on.${index}`, ["must be the id of a connection of this workspace"]]]
    ),
    ...steps.flatMap((step, index) =>
      step.type !== "hand_off"
        ? []
        : [
            ...(has(active, step.agentId)
              ? []
              : [[`steps.${index}.agent_id`, ["must be the id of an active agent of this workspace"]]]),
            ...(has(teams, step.teamId)
              ? []
              : [[`steps.${index}.team_id`, ["must be the id of a team of this workspace"]]])
          ]
    )
  ])
}
