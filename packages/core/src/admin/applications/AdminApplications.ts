import { Context, Effect, Layer } from "effect"
import type { Application } from "../../access/Application.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
import type { ApplicationInput, ApplicationPatch } from "./ApplicationInput.js"
import { createApplication } from "./createApplication.js"
import { updateApplication } from "./updateApplication.js"

/** Administration of applications (decisions.md §14). An unknown id is `not_found`. */
export interface AdminApplications {
  readonly create: (draft: Draft<ApplicationInput>) => Effect.Effect<Application, Refusal | CommitError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Application>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Application, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<ApplicationPatch>) => Effect.Effect<Application, Refusal | CommitError>
}
export const AdminApplications = Context.GenericTag<AdminApplications>("@parley/core/AdminApplications")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "applications", id)
  const connectionsOf = (workspaceId: string | undefined) =>
    workspaceId === undefined ? null : lookup("connections", { workspaceId })

  return AdminApplications.of({
    create: (draft) => {
      const { workspaceId } = draft.value
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          connections: connectionsOf(workspaceId)
        }),
        ({ workspaces, connections }) => ({ workspace: workspaces[0], connections })
      )
      return decideAndCommit(world, (world, now, ids) => createApplication(world, draft, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "applications", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => {
      const world = Effect.gen(function* () {
        const application = yield* load(id)
        const { connections, endpoints } = yield* storage.read({
          connections: connectionsOf(application?.workspaceId),
          endpoints: lookup("endpoints", { applicationId: id })
        })
        return { application, connections, endpoints }
      })
      return decideAndCommit(world, (world, now, ids) => updateApplication(world, draft, now, ids))
    }
  })
})

export const layer: Layer.Layer<AdminApplications, never, Storage | Decider> = Layer.effect(AdminApplications, make)
