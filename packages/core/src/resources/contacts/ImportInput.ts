import { Schema } from "effect"
import { listOf, oneOf, optional, uuid } from "../../kernel/input/Fields.js"
import { type PartialDecode, partialDecode } from "../../kernel/input/PartialDecode.js"
import { isJsonRecord } from "../../kernel/input/StrictStruct.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import { ContactInput } from "./ContactInput.js"

/** Maximum number of contacts of one call. */
export const maxImported = 500

/** One contact of an import: the fields of `POST /contacts`, and the opt-outs. */
export const ImportedContact = Schema.Struct({
  ...ContactInput.fields,
  optedOut: optional(Schema.Boolean).pipe(Schema.fromKey("opted_out")),
  marketingOptedOut: optional(Schema.Boolean).pipe(Schema.fromKey("marketing_opted_out"))
}).annotations({ identifier: "ImportedContact" })
export type ImportedContact = typeof ImportedContact.Type

// Decoded one by one, so that an invalid contact does not affect the others.
const unread = Schema.Unknown.annotations({
  jsonSchema: { type: "object", description: "The fields of `POST /contacts`, `opted_out` and `marketing_opted_out`." }
})

/** The body of `POST /contacts/import`. */
export const ImportInput = component(
  "ImportInput",
  "Contacts to import into a workspace.",
  {
    workspaceId: wire("workspace_id", uuid),
    dryRun: wire("dry_run", optional(Schema.Boolean), {
      description: "True to see the result without writing anything."
    }),
    onKnown: wire("on_known", optional(oneOf<"skip" | "update">(["skip", "update"])), {
      description:
        "How to import a contact that has one of the handles already: `skip` (the default) leaves it unchanged; `update` sets the given fields, and adds handles and tags."
    }),
    contacts: field(listOf(unread, maxImported, 1), {
      description:
        "Each as in `POST /contacts`, and `opted_out`, `marketing_opted_out`; an import never revokes an opt-out."
    })
  },
  {
    example: {
      workspace_id: sampleIds.workspace,
      on_known: "update",
      contacts: [{ email: "ada@home.example.com", first_name: "Ada", tags: ["vip"], opted_out: false }]
    }
  }
)
export type ImportInput = typeof ImportInput.Type

const readContact = partialDecode(ImportedContact)

/** One contact of an import, as far as it could be read. */
export const decodeImportedContact = (given: unknown): PartialDecode<ImportedContact> =>
  isJsonRecord(given) ? readContact({ ...given }) : { value: {}, problems: { contact: ["must be an object"] } }
