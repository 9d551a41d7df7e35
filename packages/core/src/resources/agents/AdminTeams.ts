import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Team } from "../../model/Team.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { createTeam } from "./createTeam.js"
import type { TeamInput, TeamPatch } from "./TeamInput.js"
import { updateTeam } from "./updateTeam.js"

/**
 * Administration of teams (docs/reference/administration.md#agents-teams-and-tasks). Fails with `not_found` for an
 * unknown id.
 */
export interface AdminTeams {
  readonly create: (decoded: PartialDecode<TeamInput>) => Effect.Effect<Team, Refusal | CommitError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Team>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Team, Refusal | ReadError>
  readonly update: (id: string, decoded: PartialDecode<TeamPatch>) => Effect.Effect<Team, Refusal | CommitError>
}
export const AdminTeams = Context.GenericTag<AdminTeams>("@parley/core/AdminTeams")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "teams", id)

  const loadUpdate = (id: string) =>
    Effect.flatMap(load(id), (team) =>
      Effect.map(
        storage.read({ agents: team === undefined ? null : lookup("agents", { workspaceId: team.workspaceId }) }),
        ({ agents }) => ({ team, agents })
      )
    )

  return AdminTeams.of({
    create: (decoded) => {
      const { workspaceId } = decoded.value
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          agents: workspaceId === undefined ? null : lookup("agents", { workspaceId })
        }),
        ({ agents, workspaces }) => ({ workspace: workspaces[0], agents })
      )
      return decideAndCommit(world, (world, now, ids) => createTeam(world, decoded, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "teams", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) => decideAndCommit(loadUpdate(id), (world) => updateTeam(world, decoded))
  })
})
