import { Schema } from "effect"
import { ContactInput } from "../../contacts/ContactInput.js"
import { type Draft, draft } from "../../input/Draft.js"
import { listOf, oneOf, optional, uuid } from "../../input/Fields.js"

/** The most contacts that one call imports. */
export const mostImported = 500

/** One contact of an import: the fields of `POST /contacts`, and what the customer said about being written to. */
export const ImportedContact = Schema.Struct({
  ...ContactInput.fields,
  optedOut: optional(Schema.Boolean).pipe(Schema.fromKey("opted_out")),
  marketingOptedOut: optional(Schema.Boolean).pipe(Schema.fromKey("marketing_opted_out"))
}).annotations({ identifier: "ImportedContact" })
export type ImportedContact = typeof ImportedContact.Type

// Read one by one, so that what is wrong with one is no problem of the others.
const unread = Schema.Unknown.annotations({
  jsonSchema: { type: "object", description: "The fields of `POST /contacts`, `opted_out` and `marketing_opted_out`." }
})

/** The body of `POST /contacts/import`. */
export const ImportInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  dryRun: optional(Schema.Boolean).pipe(Schema.fromKey("dry_run")),
  onKnown: optional(oneOf<"skip" | "update">(["skip", "update"])).pipe(Schema.fromKey("on_known")),
  contacts: listOf(unread, mostImported, 1)
}).annotations({ identifier: "ImportInput" })
export type ImportInput = typeof ImportInput.Type

const readContact = draft(ImportedContact)

/** One contact of an import, as far as it could be read. */
export const importedContactDraft = (given: unknown): Draft<ImportedContact> =>
  typeof given === "object" && given !== null && !Array.isArray(given)
    ? readContact({ ...given })
    : { value: {}, problems: { contact: ["must be an object"] } }
