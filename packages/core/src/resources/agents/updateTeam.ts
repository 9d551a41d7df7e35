import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems, requireExpected } from "../../kernel/input/Patch.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Agent } from "../../model/Agent.js"
import type { Team } from "../../model/Team.js"
import { changes, expect, set } from "../../ports/Changes.js"
import { memberProblems } from "./memberProblems.js"
import type { TeamPatch } from "./TeamInput.js"

/** `PATCH /teams/{id}`: changes name and agents. World: the team and the agents of its workspace. */
export const updateTeam = (
  world: { readonly team: Team | undefined; readonly agents: ReadonlyArray<Agent> },
  decoded: PartialDecode<TeamPatch>
): Either.Either<Decision<Team>, Refusal> =>
  Either.gen(function* () {
    const team = yield* orNotFound(world.team)
    const { id, workspaceId, version } = team
    yield* requireExpected(decoded, team)
    const { agentIds, name } = yield* complete(
      decoded,
      changeProblems({ workspace_id: [workspaceId, decoded.value.workspaceId] }),
      memberProblems(decoded.value.agentIds ?? [], world.agents)
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
