import { Context, Effect, Layer } from "effect"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { Template } from "../../templates/Template.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
import { createTemplate } from "./createTemplate.js"
import type { TemplateInput, TemplatePatch } from "./TemplateInput.js"
import { updateTemplate } from "./updateTemplate.js"

/** Administration of message templates (decisions.md §14). An unknown id is `not_found`. */
export interface AdminTemplates {
  readonly create: (draft: Draft<TemplateInput>) => Effect.Effect<Template, Refusal | CommitError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Template>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Template, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<TemplatePatch>) => Effect.Effect<Template, Refusal | CommitError>
}
export const AdminTemplates = Context.GenericTag<AdminTemplates>("@parley/core/AdminTemplates")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "templates", id)

  return AdminTemplates.of({
    create: (draft) => {
      const { workspaceId, channel, name } = draft.value
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          namesakes:
            workspaceId === undefined || channel === undefined || name === undefined
              ? null
              : lookup("templates", { workspaceId, channel, name })
        }),
        ({ workspaces, namesakes }) => ({ workspace: workspaces[0], namesakes })
      )
      return decideAndCommit(world, (world, now, ids) => createTemplate(world, draft, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "templates", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => decideAndCommit(load(id), (template) => updateTemplate(template, draft))
  })
})

export const layer: Layer.Layer<AdminTemplates, never, Storage | Decider> = Layer.effect(AdminTemplates, make)
