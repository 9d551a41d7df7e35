import { Context, Effect, Layer } from "effect"
import type { Agent } from "../../agents/Agent.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Draft } from "../../input/Draft.js"
import { type CommitError, lookup, type ReadError, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { type Listed, listNewestFirst } from "../listNewestFirst.js"
import { type WorkspaceListQuery, workspaceFilter } from "../WorkspaceListQuery.js"
import type { AgentInput, AgentPatch } from "./AgentInput.js"
import { createAgent } from "./createAgent.js"
import { updateAgent } from "./updateAgent.js"

/** Administration of agents (decisions.md §14). An unknown id is `not_found`. */
export interface AdminAgents {
  readonly create: (draft: Draft<AgentInput>) => Effect.Effect<Agent, Refusal | CommitError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Agent>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Agent, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<AgentPatch>) => Effect.Effect<Agent, Refusal | CommitError>
}
export const AdminAgents = Context.GenericTag<AdminAgents>("@parley/core/AdminAgents")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => Effect.map(storage.read({ agents: lookup("agents", { id }) }), ({ agents }) => agents[0])

  return AdminAgents.of({
    create: (draft) => {
      const { workspaceId } = draft.value
      const world = Effect.map(
        storage.read({ workspaces: workspaceId === undefined ? null : lookup("workspaces", { id: workspaceId }) }),
        ({ workspaces }) => workspaces[0]
      )
      return decideAndCommit(world, (workspace, now, ids) => createAgent(workspace, draft, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "agents", ...workspaceFilter(query.value.workspaceId) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => decideAndCommit(load(id), (agent) => updateAgent(agent, draft))
  })
})

export const layer: Layer.Layer<AdminAgents, never, Storage | Decider> = Layer.effect(AdminAgents, make)
