import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Workspace } from "../../model/Workspace.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { createWorkspace } from "./createWorkspace.js"
import { updateWorkspace } from "./updateWorkspace.js"
import type { WorkspaceInput, WorkspacePatch } from "./WorkspaceInput.js"

/**
 * Administration of workspaces (docs/reference/administration.md#workspaces). Fails with `not_found` for an unknown id.
 */
export interface AdminWorkspaces {
  readonly create: (decoded: PartialDecode<WorkspaceInput>) => Effect.Effect<Workspace, Refusal | CommitError>
  readonly list: (query: PartialDecode<ListQuery>) => Effect.Effect<Listed<Workspace>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Workspace, Refusal | ReadError>
  /** Also fails with `invalid_tenant_transition`. */
  readonly update: (
    id: string,
    decoded: PartialDecode<WorkspacePatch>
  ) => Effect.Effect<Workspace, Refusal | CommitError>
}
export const AdminWorkspaces = Context.GenericTag<AdminWorkspaces>("@parley/core/AdminWorkspaces")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "workspaces", id)

  return AdminWorkspaces.of({
    create: (decoded) => decideAndCommit(Effect.void, (_, now, ids) => createWorkspace(decoded, now, ids)),
    list: (query) => listNewestFirst(storage, { from: "workspaces" }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) =>
      decideAndCommit(load(id), (workspace, now, ids) => updateWorkspace(workspace, decoded, now, ids))
  })
})
