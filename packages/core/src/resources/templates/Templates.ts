import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { complete } from "../../kernel/input/complete.js"
import { type Paged, pageBounds } from "../../kernel/input/PageQuery.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Template } from "../../model/Template.js"
import { type ReadError, Storage } from "../../ports/Storage.js"
import type { Caller } from "../access/Caller.js"
import type { TemplateListQuery } from "./TemplateListQuery.js"
import { sendableStatus } from "./templateSlots.js"

/** Lists templates for applications. */
export interface Templates {
  /**
   * `GET /templates`: a page of the workspace's templates, ordered by name; only sendable ones, unless the query
   * requests all.
   */
  readonly list: (
    caller: Caller,
    query: PartialDecode<TemplateListQuery>
  ) => Effect.Effect<Paged<Template>, Refusal | ReadError>
}
export const Templates = Context.GenericTag<Templates>("@parley/core/Templates")

export const make = Effect.map(
  Storage,
  (storage): Templates => ({
    list: ({ workspace }, decoded) =>
      Effect.gen(function* () {
        const query = yield* complete(decoded)
        const status = query.includeUnapproved ? null : sendableStatus
        const filter = { workspaceId: workspace.id, language: query.language, status }
        const slice = yield* storage.listTemplates(filter, pageBounds(query))
        return { ...slice, page: query.page, perPage: query.perPage }
      })
  })
)
