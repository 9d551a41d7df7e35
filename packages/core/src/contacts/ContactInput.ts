import { Schema } from "effect"
import { draft } from "../input/Draft.js"
import { listOf, oneOf, optional, optionalText, requiredText, text, uuid } from "../input/Fields.js"
import { clearable, given, unchangeable } from "../input/Patch.js"
import { IdentityChannel, LifecycleStage } from "./Contact.js"

/** The most custom fields that a workspace has, and a contact with it. */
export const mostCustomFields = 100
const customFields = Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
  Schema.filter(
    (fields) => Object.keys(fields).length <= mostCustomFields || `must have at most ${mostCustomFields} fields`,
    {
      jsonSchema: { type: "object", maxProperties: mostCustomFields }
    }
  )
)

/** The most items that an input gives of each list of a contact. */
export const mostItems = { identities: 10, tags: 20 } as const
const tags = listOf(requiredText(100), mostItems.tags)
const identities = listOf(
  Schema.Struct({ channel: oneOf(IdentityChannel.literals), handle: requiredText(255) }),
  mostItems.identities
)
const lifecycleStage = oneOf(LifecycleStage.literals)

/** The body of `POST /contacts` (spec, Contact; decisions.md §6). */
export const ContactInput = Schema.Struct({
  firstName: optionalText(100).pipe(Schema.fromKey("first_name")),
  lastName: optionalText(100).pipe(Schema.fromKey("last_name")),
  company: optionalText(255),
  jobTitle: optionalText(255).pipe(Schema.fromKey("job_title")),
  email: optionalText(255),
  phone: optionalText(40),
  country: optionalText(2),
  city: optionalText(100),
  language: optionalText(10),
  timezone: optionalText(64),
  lifecycleStage: optional(lifecycleStage).pipe(Schema.fromKey("lifecycle_stage")),
  tags: optional(tags),
  identities: optional(identities),
  customFields: optional(customFields).pipe(Schema.fromKey("custom_fields"))
}).annotations({ identifier: "ContactInput" })
export type ContactInput = typeof ContactInput.Type

/** The body of the administration's `POST /contacts`: the public one's, and where the contact is to be. */
export const AdminContactInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  ...ContactInput.fields
}).annotations({ identifier: "AdminContactInput" })
export type AdminContactInput = typeof AdminContactInput.Type

/**
 * The body of `PATCH /contacts/{id}` (decisions.md §6): arrays are replaced, custom fields one by one; null clears. What a
 * customer said about being written to can be put right here alone.
 */
export const ContactPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  firstName: clearable(text(100)).pipe(Schema.fromKey("first_name")),
  lastName: clearable(text(100)).pipe(Schema.fromKey("last_name")),
  company: clearable(text(255)),
  jobTitle: clearable(text(255)).pipe(Schema.fromKey("job_title")),
  email: clearable(text(255)),
  phone: clearable(text(40)),
  country: clearable(text(2)),
  city: clearable(text(100)),
  language: clearable(text(10)),
  timezone: clearable(text(64)),
  lifecycleStage: given(lifecycleStage).pipe(Schema.fromKey("lifecycle_stage")),
  optedOut: given(Schema.Boolean).pipe(Schema.fromKey("opted_out")),
  marketingOptedOut: given(Schema.Boolean).pipe(Schema.fromKey("marketing_opted_out")),
  tags: clearable(tags),
  identities: clearable(identities),
  customFields: clearable(customFields).pipe(Schema.fromKey("custom_fields"))
}).annotations({ identifier: "ContactPatch" })
export type ContactPatch = typeof ContactPatch.Type

export const contactDraft = draft(ContactInput)
export const adminContactDraft = draft(AdminContactInput)
export const contactPatchDraft = draft(ContactPatch)
