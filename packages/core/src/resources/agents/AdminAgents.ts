import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Agent } from "../../model/Agent.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { AgentInput, AgentPatch } from "./AgentInput.js"
import { createAgent } from "./createAgent.js"
import { updateAgent } from "./updateAgent.js"

/**
 * Administration of agents (docs/reference/administration.md#agents-teams-and-tasks). Fails with `not_found` for an
 * unknown id.
 */
export interface AdminAgents {
  readonly create: (decoded: PartialDecode<AgentInput>) => Effect.Effect<Agent, Refusal | CommitError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Agent>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Agent, Refusal | ReadError>
  readonly update: (id: string, decoded: PartialDecode<AgentPatch>) => Effect.Effect<Agent, Refusal | CommitError>
}
export const AdminAgents = Context.GenericTag<AdminAgents>("@parley/core/AdminAgents")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "agents", id)

  return AdminAgents.of({
    create: (decoded) => {
      const { workspaceId } = decoded.value
      const world = readById(storage, "workspaces", workspaceId)
      return decideAndCommit(world, (workspace, now, ids) => createAgent(workspace, decoded, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "agents", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) => decideAndCommit(load(id), (agent) => updateAgent(agent, decoded))
  })
})

export const layer: Layer.Layer<AdminAgents, never, Storage | Decider> = Layer.effect(AdminAgents, make)
