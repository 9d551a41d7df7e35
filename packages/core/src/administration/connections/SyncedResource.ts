import { Schema } from "effect"
import { component, field } from "../../kernel/input/wire.js"

/** What came of taking templates over, on the wire of the administration: numbers of templates. */
export const SyncedResource = component("SyncedTemplates", "Result of a template sync.", {
  created: field(Schema.Number, { description: "How many were new.", examples: [3] }),
  updated: field(Schema.Number, { description: "How many had changed." })
})
