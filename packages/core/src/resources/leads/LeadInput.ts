import { Schema } from "effect"
import { FieldMessage, optional, optionalText, uuid } from "../../kernel/input/Fields.js"
import { keyGiven } from "../../kernel/input/Key.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { expectation, given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, part, wire } from "../../kernel/input/wire.js"

/** The most that a lead may be worth, in units of its currency: cents are still exact there. */
export const maxValue = 1_000_000_000_000

const value: Schema.Schema<number> = Schema.Number.pipe(
  Schema.filter((amount) => amount >= 0 && amount <= maxValue, {
    jsonSchema: { type: "number", minimum: 0, maximum: maxValue },
    [FieldMessage]: `must be a number from 0 to ${maxValue}`
  })
)

/** An ISO 4217 code, upper-cased. Its shape alone is checked: the list of currencies changes. */
const currency: Schema.Schema<string> = Schema.transform(
  Schema.String.pipe(
    Schema.filter((code) => /^[A-Za-z]{3}$/.test(code), {
      [FieldMessage]: "must be a currency of ISO 4217: three letters"
    })
  ),
  Schema.String,
  { strict: true, decode: (code) => code.toUpperCase(), encode: (code) => code }
).annotations({ jsonSchema: { type: "string", pattern: "^[A-Za-z]{3}$" } })

/**
 * The body of `POST /leads` (docs/reference/leads.md#creating-a-lead): where `pipeline_id` or `stage` is left out, the
 * first one.
 */
export const LeadInput = component("LeadInput", "A lead to create.", {
  contactId: wire("contact_id", uuid, { examples: [sampleIds.contact] }),
  pipelineId: wire("pipeline_id", optional(uuid), {
    description: "Default: the workspace's oldest pipeline.",
    examples: [sampleIds.pipeline]
  }),
  stage: field(optional(keyGiven), {
    description: "The key of a stage of the pipeline. Default: its first.",
    examples: ["new"]
  }),
  title: field(optionalText(255), { examples: ["Yearly plan"] }),
  value: field(optional(value), { description: "In units of the currency.", examples: [1_200] }),
  currency: field(optional(currency), { description: "A code of ISO 4217.", examples: ["EUR"] })
})
export type LeadInput = typeof LeadInput.Type

/** The body of `PATCH /leads/{id}` (docs/reference/leads.md#stage-change): the stage to move to. */
export const LeadPatch = component(
  "LeadPatch",
  "The stage to move to, by its key.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    contactId: wire("contact_id", unchangeable),
    pipelineId: wire("pipeline_id", unchangeable),
    stage: given(keyGiven),
    title: unchangeable,
    value: unchangeable,
    currency: unchangeable,
    expect: expectation(part({ stage: given(keyGiven) }))
  },
  { example: { stage: "won" } }
)
export type LeadPatch = typeof LeadPatch.Type

export const decodeLeadInput = partialDecode(LeadInput)
export const decodeLeadPatch = partialDecode(LeadPatch)
