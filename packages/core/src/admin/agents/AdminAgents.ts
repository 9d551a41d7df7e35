import { Context, Effect, Layer } from "effect"
import type { Agent } from "../../agents/Agent.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
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

  const load = (id: string) => readById(storage, "agents", id)

  return AdminAgents.of({
    create: (draft) => {
      const { workspaceId } = draft.value
      const world = readById(storage, "workspaces", workspaceId)
      return decideAndCommit(world, (workspace, now, ids) => createAgent(workspace, draft, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "agents", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => decideAndCommit(load(id), (agent) => updateAgent(agent, draft))
  })
})

export const layer: Layer.Layer<AdminAgents, never, Storage | Decider> = Layer.effect(AdminAgents, make)
