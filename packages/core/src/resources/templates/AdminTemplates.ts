import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Template } from "../../model/Template.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { createTemplate } from "./createTemplate.js"
import type { TemplateInput, TemplatePatch } from "./TemplateInput.js"
import { updateTemplate } from "./updateTemplate.js"

/**
 * Administration of message templates (docs/reference/administration.md#templates-pipelines-and-custom-fields). Fails
 * with `not_found` for an unknown id.
 */
export interface AdminTemplates {
  readonly create: (decoded: PartialDecode<TemplateInput>) => Effect.Effect<Template, Refusal | CommitError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Template>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Template, Refusal | ReadError>
  readonly update: (id: string, decoded: PartialDecode<TemplatePatch>) => Effect.Effect<Template, Refusal | CommitError>
}
export const AdminTemplates = Context.GenericTag<AdminTemplates>("@parley/core/AdminTemplates")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider
  const { channels } = yield* ChannelProviders

  const load = (id: string) => readById(storage, "templates", id)

  return AdminTemplates.of({
    create: (decoded) => {
      const { workspaceId, channel, name } = decoded.value
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          namesakes:
            workspaceId === undefined || channel === undefined || name === undefined
              ? null
              : lookup("templates", { workspaceId, channel, name })
        }),
        ({ workspaces, namesakes }) => ({ channels, workspace: workspaces[0], namesakes })
      )
      return decideAndCommit(world, (world, now, ids) => createTemplate(world, decoded, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "templates", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) => decideAndCommit(load(id), (template) => updateTemplate(template, channels, decoded))
  })
})
