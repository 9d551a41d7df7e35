import { Schema } from "effect"
import { draft } from "../../input/Draft.js"
import { uuid } from "../../input/Fields.js"

/** The body of `POST /contacts/{id}/merge` (decisions.md §14): the contact that is folded into that one. */
export const MergeInput = Schema.Struct({
  contactId: Schema.propertySignature(uuid).pipe(Schema.fromKey("contact_id"))
}).annotations({ identifier: "MergeInput" })
export type MergeInput = typeof MergeInput.Type

export const mergeDraft = draft(MergeInput)
