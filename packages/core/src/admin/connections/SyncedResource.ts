import { Schema } from "effect"

/** What came of taking templates over, on the wire of the administration: numbers of templates. */
export const SyncedResource = Schema.Struct({ created: Schema.Number, updated: Schema.Number }).annotations({
  identifier: "SyncedTemplates"
})
