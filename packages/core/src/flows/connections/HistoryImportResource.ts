import { Schema } from "effect"
import { optional, text } from "../../kernel/input/Fields.js"
import { component, field } from "../../kernel/input/wire.js"

/** The body of `POST /connections/{id}/import-history` (docs/reference/content.md#imported-messages). */
export const HistoryImportInput = component("HistoryImportInput", "The part of the history to import.", {
  cursor: field(optional(text(2_000)), { description: "`cursor` of the previous response. Default: from the start." })
})
export type HistoryImportInput = typeof HistoryImportInput.Type

/** The result of one step of an import of history in the admin API. */
export const HistoryImportResource = component("HistoryImport", "Result of one step of an import of history.", {
  imported: field(Schema.Number, {
    description: "Number of messages that were stored, or completed by their files.",
    examples: [120]
  }),
  known: field(Schema.Number, { description: "Number of messages that were stored already.", examples: [3] }),
  cursor: field(Schema.NullOr(Schema.String), {
    description: "Give it to the next call, which goes on there. Null: there is nothing more to read.",
    examples: ["next"]
  }),
  detail: field(Schema.NullOr(Schema.String), {
    description: "What happens next, where the vendor sends the history to the webhook later; else null."
  })
})
export type HistoryImportResource = typeof HistoryImportResource.Type
