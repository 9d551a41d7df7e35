import { Schema } from "effect"

/** What came of one contact of an import. */
export const ImportResult = Schema.Struct({
  /** Where it stood in the request, from 0. */
  index: Schema.Number,
  result: Schema.Literal("created", "updated", "unchanged", "skipped", "refused"),
  /** Null where it was refused, and where a dry run would make it. */
  contactId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("contact_id")),
  /** Of a refusal, as in the details of an error: words for each field. */
  details: Schema.Record({ key: Schema.String, value: Schema.Unknown })
}).annotations({ identifier: "ImportResult" })
export type ImportResult = typeof ImportResult.Type

/** What came of an import, on the wire. */
export const ImportReport = Schema.Struct({
  dryRun: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("dry_run")),
  results: Schema.Array(ImportResult)
}).annotations({ identifier: "ImportReport" })
export type ImportReport = typeof ImportReport.Type
