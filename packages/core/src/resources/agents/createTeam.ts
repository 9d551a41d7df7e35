import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Agent } from "../../model/Agent.js"
import type { Instant } from "../../model/Instant.js"
import type { Team } from "../../model/Team.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { memberProblems } from "./memberProblems.js"
import type { TeamInput } from "./TeamInput.js"

/** `POST /teams`. World: the workspace of the body and its agents. */
export const createTeam = (
  world: { readonly workspace: Workspace | undefined; readonly agents: ReadonlyArray<Agent> },
  decoded: PartialDecode<TeamInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Team>, Refusal> =>
  Either.map(
    complete(
      decoded,
      workspaceProblems(decoded.value.workspaceId, world.workspace),
      world.workspace === undefined ? {} : memberProblems(decoded.value.agentIds ?? [], world.agents)
    ),
    (input) => {
      const team: Team = {
        ...input,
        id: ids.next(now),
        agentIds: [...new Set(input.agentIds ?? [])],
        createdAt: now,
        version: 1
      }
      return {
        changes: changes(team.workspaceId, {
          expects: [expect("workspaces", { id: team.workspaceId })],
          inserts: [row("teams", team)]
        }),
        result: team
      }
    }
  )
