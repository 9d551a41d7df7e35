import { Context, Effect, Layer } from "effect"
import type { CustomField } from "../../contacts/Contact.js"
import { mostCustomFields } from "../../contacts/ContactInput.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { type CommitError, lookup, lookupById, type ReadError, Storage } from "../../ports/Storage.js"
import type { CustomFieldInput, CustomFieldListQuery } from "./CustomFieldInput.js"
import { createCustomField } from "./createCustomField.js"

/** Administration of the fields that a workspace adds to its contacts (decisions.md §14). */
export interface AdminCustomFields {
  readonly create: (draft: Draft<CustomFieldInput>) => Effect.Effect<CustomField, Refusal | CommitError>
  /** Those of one workspace by key, all on one page: they are few. */
  readonly list: (query: Draft<CustomFieldListQuery>) => Effect.Effect<Listed<CustomField>, Refusal | ReadError>
}
export const AdminCustomFields = Context.GenericTag<AdminCustomFields>("@parley/core/AdminCustomFields")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  return AdminCustomFields.of({
    create: (draft) => {
      const { workspaceId } = draft.value
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          fields: workspaceId === undefined ? null : lookup("customFields", { workspaceId })
        }),
        ({ fields, workspaces }) => ({ workspace: workspaces[0], fields })
      )
      return decideAndCommit(world, (world) => createCustomField(world, draft))
    },
    list: (query) =>
      Effect.gen(function* () {
        const { workspaceId } = yield* complete(query)
        const { fields } = yield* storage.read({ fields: lookup("customFields", { workspaceId }) })
        const rows = [...fields].sort((one, other) => (one.key < other.key ? -1 : 1))
        return { rows, limit: mostCustomFields, nextCursor: null }
      })
  })
})

export const layer: Layer.Layer<AdminCustomFields, never, Storage | Decider> = Layer.effect(AdminCustomFields, make)
