import { Context, Effect, Layer } from "effect"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { Workflow } from "../../workflows/Workflow.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
import { createWorkflow } from "./createWorkflow.js"
import { moveWorkflow } from "./moveWorkflow.js"
import { updateWorkflow } from "./updateWorkflow.js"
import type { WorkflowInput, WorkflowPatch } from "./WorkflowInput.js"

/** Administration of workflows (decisions.md §14). An unknown id is `not_found`. */
export interface AdminWorkflows {
  readonly create: (draft: Draft<WorkflowInput>) => Effect.Effect<Workflow, Refusal | CommitError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Workflow>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Workflow, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<WorkflowPatch>) => Effect.Effect<Workflow, Refusal | CommitError>
  /** From then on, events of its name start it. */
  readonly publish: (id: string) => Effect.Effect<Workflow, Refusal | CommitError>
  /** From then on, no event starts it. */
  readonly unpublish: (id: string) => Effect.Effect<Workflow, Refusal | CommitError>
}
export const AdminWorkflows = Context.GenericTag<AdminWorkflows>("@parley/core/AdminWorkflows")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "workflows", id)

  const move = (id: string, status: "published" | "unpublished") =>
    decideAndCommit(load(id), (workflow) => moveWorkflow(workflow, status))

  return AdminWorkflows.of({
    create: (draft) => {
      const { workspaceId } = draft.value
      const workspace = readById(storage, "workspaces", workspaceId)
      return decideAndCommit(workspace, (workspace, now, ids) => createWorkflow(workspace, draft, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "workflows", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => decideAndCommit(load(id), (workflow) => updateWorkflow(workflow, draft)),
    publish: (id) => move(id, "published"),
    unpublish: (id) => move(id, "unpublished")
  })
})

export const layer: Layer.Layer<AdminWorkflows, never, Storage | Decider> = Layer.effect(AdminWorkflows, make)
