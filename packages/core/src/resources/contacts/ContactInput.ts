import { Schema } from "effect"
import {
  listOf,
  oneOf,
  optional,
  optionalText,
  requiredText,
  text,
  uuid,
  withMessage
} from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { clearable, expectation, given, unchangeable } from "../../kernel/input/Patch.js"
import { isJsonRecord } from "../../kernel/input/StrictStruct.js"
import { sampleIds, samples } from "../../kernel/input/samples.js"
import { component, field, part, wire } from "../../kernel/input/wire.js"
import { IdentityChannel, LifecycleStage } from "../../model/Contact.js"

/** The most custom fields that a workspace has, and a contact with it. */
export const maxCustomFields = 100

/** Counted without decoding the values, of which a body may hold thousands. */
const customFields = Schema.declare((given): given is { readonly [key: string]: unknown } => isJsonRecord(given)).pipe(
  withMessage("must be an object"),
  Schema.filter(
    (fields) => Object.keys(fields).length <= maxCustomFields || `must have at most ${maxCustomFields} fields`,
    { jsonSchema: { type: "object", maxProperties: maxCustomFields } }
  )
)

/** The most items that an input gives of each list of a contact. */
export const maxItems = { identities: 10, tags: 20 } as const
const tags = listOf(requiredText(100), maxItems.tags)
const identities = listOf(
  Schema.Struct({ channel: oneOf(IdentityChannel.literals), handle: requiredText(255) }),
  maxItems.identities
)
const lifecycleStage = oneOf(LifecycleStage.literals)

/** The body of `POST /contacts` (docs/reference/contacts.md#contact-fields). */
export const ContactInput = component(
  "ContactInput",
  "A contact to create. At least one of `email`, `phone` and `identities` is required. An empty string is the same as null.",
  {
    firstName: wire("first_name", optionalText(100), { examples: ["Ada"] }),
    lastName: wire("last_name", optionalText(100), { examples: ["Lovelace"] }),
    company: optionalText(255),
    jobTitle: wire("job_title", optionalText(255)),
    email: field(optionalText(255), { description: "Claims this address for the contact.", examples: [samples.email] }),
    phone: field(optionalText(40), {
      description:
        "Claims this number for the contact: `+` and 7 to 15 digits; spaces, dots, dashes and brackets are removed.",
      examples: [samples.phone]
    }),
    country: field(optionalText(2), { description: "A country code of two letters.", examples: ["GB"] }),
    city: optionalText(100),
    language: optionalText(10),
    timezone: field(optionalText(64), { description: "Such as `Europe/London`." }),
    lifecycleStage: wire("lifecycle_stage", optional(lifecycleStage), {
      description: "Default: `lead`.",
      examples: ["customer"]
    }),
    tags: field(optional(tags), { description: "Tags that are not there yet are created.", examples: [["vip"]] }),
    identities: field(optional(identities), {
      description: "Handles on channels. A handle belongs to at most one contact.",
      examples: [[{ channel: "telegram", handle: "ada_l" }]]
    }),
    customFields: wire("custom_fields", optional(customFields), {
      description: "Values by the keys of fields that the workspace defines."
    })
  }
)
export type ContactInput = typeof ContactInput.Type

/** The body of the administration's `POST /contacts`: the public one's, and where the contact is to be. */
export const AdminContactInput = component(
  "AdminContactInput",
  "A contact to create, and its workspace. At least one of `email`, `phone` and `identities` is required.",
  {
    workspaceId: wire("workspace_id", uuid),
    ...ContactInput.fields
  },
  {
    example: {
      workspace_id: sampleIds.workspace,
      first_name: "Ada",
      last_name: "Lovelace",
      email: "ada@work.example.com"
    }
  }
)
export type AdminContactInput = typeof AdminContactInput.Type

const changing = {
  firstName: wire("first_name", clearable(text(100))),
  lastName: wire("last_name", clearable(text(100))),
  company: clearable(text(255)),
  jobTitle: wire("job_title", clearable(text(255))),
  country: clearable(text(2)),
  city: clearable(text(100)),
  language: clearable(text(10)),
  timezone: clearable(text(64)),
  lifecycleStage: wire("lifecycle_stage", given(lifecycleStage)),
  optedOut: wire("opted_out", given(Schema.Boolean)),
  marketingOptedOut: wire("marketing_opted_out", given(Schema.Boolean))
}

/**
 * The body of `PATCH /contacts/{id}` (docs/reference/contacts.md#changing-a-contact): arrays are replaced, custom
 * fields one by one; null clears. What a customer said about being written to can be put right here alone.
 */
export const ContactPatch = component(
  "ContactPatch",
  "What to change. `tags` and `identities` are replaced as a whole, custom fields one by one; null clears a field.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    ...changing,
    email: field(clearable(text(255)), {
      description: "Claims this address for the contact, and releases the former one."
    }),
    phone: field(clearable(text(40)), {
      description: "Claims this number for the contact, and releases the former one."
    }),
    tags: clearable(tags),
    identities: field(clearable(identities), { description: "`email` and `phone` stay among them." }),
    customFields: wire("custom_fields", clearable(customFields)),
    // As they are shown: a merged contact may have more tags than an input may give.
    expect: expectation(
      part({
        ...changing,
        email: clearable(text(255)),
        phone: clearable(text(40)),
        tags: given(listOf(text(100), 1_000))
      })
    )
  },
  { example: { tags: ["vip"], custom_fields: { shoe_size: 39 }, opted_out: false } }
)
export type ContactPatch = typeof ContactPatch.Type

export const decodeContactInput = partialDecode(ContactInput)
export const decodeAdminContactInput = partialDecode(AdminContactInput)
export const decodeContactPatch = partialDecode(ContactPatch)
