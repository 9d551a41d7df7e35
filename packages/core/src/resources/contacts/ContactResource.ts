import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"
import { type Contact, IdentityChannel, LifecycleStage } from "../../model/Contact.js"
import { Timestamp, timestamp } from "../../model/Instant.js"
import { contactName } from "./contactName.js"

const nullableText = Schema.NullOr(Schema.String)

/** An identity on the wire (docs/reference/contacts.md#identities). */
export const IdentityResource = component("Identity", "A handle on a channel; it belongs to this contact alone.", {
  channel: field(IdentityChannel, { examples: ["telegram"] }),
  handle: field(Schema.String, { examples: ["ada_l"] }),
  displayName: wire("display_name", nullableText, {
    description: "The contact's name on the channel.",
    examples: ["Ada"]
  })
})

const listed = {
  id: ids.contact,
  firstName: wire("first_name", nullableText, { examples: ["Ada"] }),
  lastName: wire("last_name", nullableText, { examples: ["Lovelace"] }),
  name: field(Schema.String, {
    description: "First and last name; without them company, email, phone or the first handle.",
    examples: ["Ada Lovelace"]
  }),
  company: nullableText,
  jobTitle: wire("job_title", nullableText),
  email: field(nullableText, { examples: [samples.email] }),
  phone: field(nullableText, { examples: [samples.phone] }),
  country: field(nullableText, { examples: ["GB"] }),
  city: field(nullableText, { examples: ["London"] }),
  language: field(nullableText, { examples: ["en"] }),
  lifecycleStage: wire("lifecycle_stage", LifecycleStage, { examples: ["customer"] }),
  optedOut: wire("opted_out", Schema.Boolean, { description: "Whether the contact wants no messages at all." }),
  marketingOptedOut: wire("marketing_opted_out", Schema.Boolean, {
    description: "Whether the contact wants no templates of the category `marketing`."
  }),
  lastActivityAt: wire("last_activity_at", Timestamp, { description: "When the last message went in or out." }),
  createdAt
}

/** A contact as lists carry it: without identities and tags (docs/reference/contacts.md#contact-fields). */
export const ListedContactResource = component(
  "ListedContact",
  "A contact as lists have it: without `identities` and `tags`.",
  listed
)

/** A single contact on the wire. */
export const ContactResource = component("Contact", "A customer of the workspace.", {
  ...listed,
  identities: field(Schema.Array(IdentityResource), {
    description: "The contact's handles on channels.",
    examples: [
      [
        { channel: "email", handle: samples.email, displayName: null },
        { channel: "phone", handle: samples.phone, displayName: null },
        { channel: "telegram", handle: "ada_l", displayName: "Ada" }
      ]
    ]
  }),
  tags: field(Schema.Array(Schema.String), { examples: [["vip"]] })
})

/** A contact on the wire of the administration, which sees every workspace and all that is kept of a contact. */
export const AdminContactResource = component("AdminContact", "A customer of a workspace, with all stored data.", {
  ...ContactResource.fields,
  workspaceId,
  timezone: field(nullableText, { examples: ["Europe/London"] }),
  customFields: wire(
    "custom_fields",
    Schema.Record({
      key: Schema.String,
      value: Schema.NullOr(Schema.Union(Schema.String, Schema.Number, Schema.Boolean))
    }),
    { description: "Values by the keys of fields that the workspace defines.", examples: [{ shoe_size: 38 }] }
  )
})

/** The contact as the wire carries it; the schema leaves out what is not for its readers. */
export const contactResource = (contact: Contact): typeof AdminContactResource.Type => ({
  ...contact,
  name: contactName(contact)
})

/**
 * The public wire form, for stored events. Written by hand, because every event of a contact needs it and the schema
 * takes many times as long.
 */
export const encodeContact = (contact: Contact): typeof ContactResource.Encoded => ({
  id: contact.id,
  first_name: contact.firstName,
  last_name: contact.lastName,
  name: contactName(contact),
  company: contact.company,
  job_title: contact.jobTitle,
  email: contact.email,
  phone: contact.phone,
  country: contact.country,
  city: contact.city,
  language: contact.language,
  lifecycle_stage: contact.lifecycleStage,
  opted_out: contact.optedOut,
  marketing_opted_out: contact.marketingOptedOut,
  last_activity_at: timestamp(contact.lastActivityAt),
  created_at: timestamp(contact.createdAt),
  identities: contact.identities.map(({ channel, displayName, handle }) => ({
    channel,
    handle,
    display_name: displayName
  })),
  tags: contact.tags
})

/** The contact in the wire shape of the administration, for answers that are kept and for placeholders. */
export const encodeAdminContact = (contact: Contact): typeof AdminContactResource.Encoded => ({
  ...encodeContact(contact),
  workspace_id: contact.workspaceId,
  timezone: contact.timezone,
  custom_fields: contact.customFields
})
