import { Schema } from "effect"
import { component, field, ids, wire } from "../../kernel/input/wire.js"

/** The result of one contact of an import. */
export const ImportResult = component("ImportResult", "Result for one contact of an import.", {
  /** Position in the request, from 0. */
  index: field(Schema.Number, { description: "Position in the request, from 0.", examples: [0] }),
  result: Schema.Literal("created", "updated", "unchanged", "skipped", "refused"),
  /** Null if it was refused, or if a dry run would create it. */
  contactId: wire("contact_id", Schema.NullOr(ids.mergedContact), {
    description: "Null if it was refused, or if a dry run would create it."
  }),
  /** Details of the refusal, as in an error: messages for each field. */
  details: field(Schema.Record({ key: Schema.String, value: Schema.Unknown }), {
    description: "Problems of a refused contact, by field."
  })
})
export type ImportResult = typeof ImportResult.Type

/** The result of an import, on the wire. */
export const ImportReport = component("ImportReport", "Result of an import, in the order of the request.", {
  dryRun: wire("dry_run", Schema.Boolean),
  results: Schema.Array(ImportResult)
})
export type ImportReport = typeof ImportReport.Type
