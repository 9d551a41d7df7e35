import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { ApplicationInput, ApplicationPatch } from "./ApplicationInput.js"
import { createApplication } from "./createApplication.js"
import { updateApplication } from "./updateApplication.js"

/**
 * Administration of applications (docs/reference/administration.md#applications-and-credentials). Fails with
 * `not_found` for an unknown id.
 */
export interface AdminApplications {
  readonly create: (decoded: PartialDecode<ApplicationInput>) => Effect.Effect<Application, Refusal | CommitError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Application>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Application, Refusal | ReadError>
  readonly update: (
    id: string,
    decoded: PartialDecode<ApplicationPatch>
  ) => Effect.Effect<Application, Refusal | CommitError>
}
export const AdminApplications = Context.GenericTag<AdminApplications>("@parley/core/AdminApplications")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "applications", id)
  const connectionsOf = (workspaceId: string | undefined) =>
    workspaceId === undefined ? null : lookup("connections", { workspaceId })

  return AdminApplications.of({
    create: (decoded) => {
      const { workspaceId } = decoded.value
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          connections: connectionsOf(workspaceId)
        }),
        ({ workspaces, connections }) => ({ workspace: workspaces[0], connections })
      )
      return decideAndCommit(world, (world, now, ids) => createApplication(world, decoded, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "applications", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) => {
      const world = Effect.gen(function* () {
        const application = yield* load(id)
        const { connections, endpoints } = yield* storage.read({
          connections: connectionsOf(application?.workspaceId),
          endpoints: lookup("endpoints", { applicationId: id })
        })
        return { application, connections, endpoints }
      })
      return decideAndCommit(world, (world, now, ids) => updateApplication(world, decoded, now, ids))
    }
  })
})
