import { Schema } from "effect"
import { draft } from "../input/Draft.js"
import { optional, optionalText, uuid, Words } from "../input/Fields.js"
import { keyGiven } from "../input/Key.js"
import { given, unchangeable } from "../input/Patch.js"

/** The most that a lead may be worth, in units of its currency: cents are still exact there. */
export const mostValue = 1_000_000_000_000

const value: Schema.Schema<number> = Schema.Number.pipe(
  Schema.filter((amount) => amount >= 0 && amount <= mostValue, {
    jsonSchema: { type: "number", minimum: 0, maximum: mostValue },
    [Words]: `must be a number from 0 to ${mostValue}`
  })
)

/** An ISO 4217 code, upper-cased. Its shape alone is checked: the list of currencies changes. */
const currency: Schema.Schema<string> = Schema.transform(
  Schema.String.pipe(
    Schema.filter((code) => /^[A-Za-z]{3}$/.test(code), { [Words]: "must be a currency of ISO 4217: three letters" })
  ),
  Schema.String,
  { strict: true, decode: (code) => code.toUpperCase(), encode: (code) => code }
).annotations({ jsonSchema: { type: "string", pattern: "^[A-Za-z]{3}$" } })

/** The body of `POST /leads` (decisions.md §10): where `pipeline_id` or `stage` is left out, the first one. */
export const LeadInput = Schema.Struct({
  contactId: Schema.propertySignature(uuid).pipe(Schema.fromKey("contact_id")),
  pipelineId: optional(uuid).pipe(Schema.fromKey("pipeline_id")),
  stage: optional(keyGiven),
  title: optionalText(255),
  value: optional(value),
  currency: optional(currency)
}).annotations({ identifier: "LeadInput" })
export type LeadInput = typeof LeadInput.Type

/** The body of `PATCH /leads/{id}` (decisions.md §14): the stage to move to. */
export const LeadPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  contactId: unchangeable.pipe(Schema.fromKey("contact_id")),
  pipelineId: unchangeable.pipe(Schema.fromKey("pipeline_id")),
  stage: given(keyGiven)
}).annotations({ identifier: "LeadPatch" })
export type LeadPatch = typeof LeadPatch.Type

export const leadDraft = draft(LeadInput)
export const leadPatchDraft = draft(LeadPatch)
