import { Context, Effect, Layer } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { ListQuery } from "../../input/ListQuery.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { createWorkspace } from "./createWorkspace.js"
import { updateWorkspace } from "./updateWorkspace.js"
import type { WorkspaceInput, WorkspacePatch } from "./WorkspaceInput.js"

/** Administration of workspaces (decisions.md §14). An unknown id is `not_found`. */
export interface AdminWorkspaces {
  readonly create: (draft: Draft<WorkspaceInput>) => Effect.Effect<Workspace, Refusal | CommitError>
  readonly list: (query: Draft<ListQuery>) => Effect.Effect<Listed<Workspace>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Workspace, Refusal | ReadError>
  /** Refuses with `invalid_tenant_transition` too. */
  readonly update: (id: string, draft: Draft<WorkspacePatch>) => Effect.Effect<Workspace, Refusal | CommitError>
}
export const AdminWorkspaces = Context.GenericTag<AdminWorkspaces>("@parley/core/AdminWorkspaces")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "workspaces", id)

  return AdminWorkspaces.of({
    create: (draft) => decideAndCommit(Effect.void, (_, now, ids) => createWorkspace(draft, now, ids)),
    list: (query) => listNewestFirst(storage, { from: "workspaces" }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) =>
      decideAndCommit(load(id), (workspace, now, ids) => updateWorkspace(workspace, draft, now, ids))
  })
})

export const layer: Layer.Layer<AdminWorkspaces, never, Storage | Decider> = Layer.effect(AdminWorkspaces, make)
