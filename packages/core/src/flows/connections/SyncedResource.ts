import { Schema } from "effect"
import { component, field } from "../../kernel/input/wire.js"

/** The result of a template sync in the admin API: numbers of templates. */
export const SyncedResource = component("SyncedTemplates", "Result of a template sync.", {
  created: field(Schema.Number, { description: "Number of new templates.", examples: [3] }),
  updated: field(Schema.Number, { description: "Number of changed templates." })
})
