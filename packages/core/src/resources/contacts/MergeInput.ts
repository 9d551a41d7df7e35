import { uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, wire } from "../../kernel/input/wire.js"

/**
 * The body of `POST /contacts/{id}/merge` (docs/reference/contacts.md#merging): the contact that is folded into that
 * one.
 */
export const MergeInput = component("MergeInput", "The contact that is merged into this one and deleted.", {
  contactId: wire("contact_id", uuid, { examples: [sampleIds.mergedContact] })
})
export type MergeInput = typeof MergeInput.Type

export const decodeMergeInput = partialDecode(MergeInput)
