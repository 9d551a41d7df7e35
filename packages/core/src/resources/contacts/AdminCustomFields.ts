import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { CustomField } from "../../model/Contact.js"
import { type CommitError, lookup, lookupById, type ReadError, Storage } from "../../ports/Storage.js"
import { maxCustomFields } from "./ContactInput.js"
import type { CustomFieldInput, CustomFieldListQuery } from "./CustomFieldInput.js"
import { createCustomField } from "./createCustomField.js"

/** Administration of a workspace's custom contact fields (docs/reference/contacts.md#custom-fields). */
export interface AdminCustomFields {
  readonly create: (decoded: PartialDecode<CustomFieldInput>) => Effect.Effect<CustomField, Refusal | CommitError>
  /** All custom fields of a workspace on one page, ordered by key: there are few. */
  readonly list: (query: PartialDecode<CustomFieldListQuery>) => Effect.Effect<Listed<CustomField>, Refusal | ReadError>
}
export const AdminCustomFields = Context.GenericTag<AdminCustomFields>("@parley/core/AdminCustomFields")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  return AdminCustomFields.of({
    create: (decoded) => {
      const { workspaceId } = decoded.value
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          fields: workspaceId === undefined ? null : lookup("customFields", { workspaceId })
        }),
        ({ fields, workspaces }) => ({ workspace: workspaces[0], fields })
      )
      return decideAndCommit(world, (world) => createCustomField(world, decoded))
    },
    list: (query) =>
      Effect.gen(function* () {
        const { workspaceId } = yield* complete(query)
        const { fields } = yield* storage.read({ fields: lookup("customFields", { workspaceId }) })
        const rows = [...fields].sort((one, other) => (one.key < other.key ? -1 : 1))
        return { rows, limit: maxCustomFields, nextCursor: null }
      })
  })
})
