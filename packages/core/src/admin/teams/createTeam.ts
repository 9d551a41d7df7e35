import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Agent } from "../../agents/Agent.js"
import type { Team } from "../../agents/Team.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { workspaceProblems } from "../workspaceProblems.js"
import { memberProblems } from "./memberProblems.js"
import type { TeamInput } from "./TeamInput.js"

/** `POST /teams`. The world: the workspace that the body names, and its agents. */
export const createTeam = (
  world: { readonly workspace: Workspace | undefined; readonly agents: ReadonlyArray<Agent> },
  draft: Draft<TeamInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Team>, Refusal> =>
  Either.map(
    complete(
      draft,
      workspaceProblems(draft.value.workspaceId, world.workspace),
      world.workspace === undefined ? {} : memberProblems(draft.value.agentIds ?? [], world.agents)
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
