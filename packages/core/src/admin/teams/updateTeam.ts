import { Either } from "effect"
import type { Agent } from "../../agents/Agent.js"
import type { Team } from "../../agents/Team.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import { changes, expect, set } from "../../ports/Changes.js"
import { found } from "../found.js"
import { memberProblems } from "./memberProblems.js"
import type { TeamPatch } from "./TeamInput.js"

/** `PATCH /teams/{id}`: name and agents. The world: the team, and the agents of its workspace. */
export const updateTeam = (
  world: { readonly team: Team | undefined; readonly agents: ReadonlyArray<Agent> },
  draft: Draft<TeamPatch>
): Either.Either<Decision<Team>, Refusal> =>
  Either.gen(function* () {
    const team = yield* found(world.team)
    const { id, workspaceId, version } = team
    const { agentIds, name } = yield* complete(
      draft,
      changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId] }),
      memberProblems(draft.value.agentIds ?? [], world.agents)
    )
    const values: Partial<Team> = {
      ...(name === undefined ? {} : { name }),
      ...(agentIds === undefined ? {} : { agentIds: [...new Set(agentIds)] })
    }
    if (Object.keys(values).length === 0) return { changes: null, result: team }
    return {
      changes: changes(workspaceId, {
        expects: [expect("teams", { id }, { version })],
        sets: [set("teams", { id }, values)]
      }),
      result: { ...team, ...values, version: version + 1 }
    }
  })
