import { Context, Effect, Layer } from "effect"
import type { Team } from "../../agents/Team.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
import { createTeam } from "./createTeam.js"
import type { TeamInput, TeamPatch } from "./TeamInput.js"
import { updateTeam } from "./updateTeam.js"

/** Administration of teams (decisions.md §14). An unknown id is `not_found`. */
export interface AdminTeams {
  readonly create: (draft: Draft<TeamInput>) => Effect.Effect<Team, Refusal | CommitError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Team>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Team, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<TeamPatch>) => Effect.Effect<Team, Refusal | CommitError>
}
export const AdminTeams = Context.GenericTag<AdminTeams>("@parley/core/AdminTeams")

const make = Effect.gen(function* () {
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
    create: (draft) => {
      const { workspaceId } = draft.value
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          agents: workspaceId === undefined ? null : lookup("agents", { workspaceId })
        }),
        ({ agents, workspaces }) => ({ workspace: workspaces[0], agents })
      )
      return decideAndCommit(world, (world, now, ids) => createTeam(world, draft, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "teams", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => decideAndCommit(loadUpdate(id), (world) => updateTeam(world, draft))
  })
})

export const layer: Layer.Layer<AdminTeams, never, Storage | Decider> = Layer.effect(AdminTeams, make)
