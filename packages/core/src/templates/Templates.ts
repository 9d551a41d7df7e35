import { Context, Effect, Layer } from "effect"
import type { Caller } from "../access/Caller.js"
import type { Refusal } from "../errors/Refusal.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { type Paged, placeOf } from "../input/PageQuery.js"
import { type ReadError, Storage } from "../ports/Storage.js"
import { sendableStatus } from "./slots.js"
import type { Template } from "./Template.js"
import type { TemplateListQuery } from "./TemplateListQuery.js"

/** Tells applications which templates there are. */
export interface Templates {
  /** `GET /templates`: a page of the workspace's templates, by name; only sendable ones, unless the query wants all. */
  readonly list: (
    caller: Caller,
    query: Draft<TemplateListQuery>
  ) => Effect.Effect<Paged<Template>, Refusal | ReadError>
}
export const Templates = Context.GenericTag<Templates>("@parley/core/Templates")

const make = Effect.map(
  Storage,
  (storage): Templates => ({
    list: ({ workspace }, draft) =>
      Effect.gen(function* () {
        const query = yield* complete(draft)
        const status = query.includeUnapproved ? null : sendableStatus
        const filter = { workspaceId: workspace.id, language: query.language, status }
        const slice = yield* storage.listTemplates(filter, placeOf(query))
        return { ...slice, page: query.page, perPage: query.perPage }
      })
  })
)

export const layer: Layer.Layer<Templates, never, Storage> = Layer.effect(Templates, make)
