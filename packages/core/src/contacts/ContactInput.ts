import { Schema } from "effect"
import { draft } from "../input/Draft.js"
import { listOf, oneOf, optional, optionalText, requiredText } from "../input/Fields.js"
import { IdentityChannel, LifecycleStage } from "./Contact.js"

/** The most custom fields that a workspace has, and a contact with it. */
export const mostCustomFields = 100
const customFields = Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
  Schema.filter(
    (given) => Object.keys(given).length <= mostCustomFields || `must have at most ${mostCustomFields} fields`,
    {
      jsonSchema: { type: "object", maxProperties: mostCustomFields }
    }
  )
)

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
  lifecycleStage: optional(oneOf(LifecycleStage.literals)).pipe(Schema.fromKey("lifecycle_stage")),
  tags: optional(listOf(requiredText(100), 20)),
  identities: optional(
    listOf(Schema.Struct({ channel: oneOf(IdentityChannel.literals), handle: requiredText(255) }), 10)
  ),
  customFields: optional(customFields).pipe(Schema.fromKey("custom_fields"))
}).annotations({ identifier: "ContactInput" })
export type ContactInput = typeof ContactInput.Type

export const contactDraft = draft(ContactInput)
