import { Schema } from "effect"
import { Timestamp, timestamp } from "../Instant.js"
import { type Contact, IdentityChannel, LifecycleStage } from "./Contact.js"
import { contactName } from "./contactName.js"

const nullableText = Schema.NullOr(Schema.String)

/** An identity on the wire (spec, Contact). */
export const IdentityResource = Schema.Struct({
  channel: IdentityChannel,
  handle: Schema.String,
  displayName: Schema.propertySignature(nullableText).pipe(Schema.fromKey("display_name"))
}).annotations({ identifier: "Identity" })

const listed = {
  id: Schema.String,
  firstName: Schema.propertySignature(nullableText).pipe(Schema.fromKey("first_name")),
  lastName: Schema.propertySignature(nullableText).pipe(Schema.fromKey("last_name")),
  name: Schema.String,
  company: nullableText,
  jobTitle: Schema.propertySignature(nullableText).pipe(Schema.fromKey("job_title")),
  email: nullableText,
  phone: nullableText,
  country: nullableText,
  city: nullableText,
  language: nullableText,
  lifecycleStage: Schema.propertySignature(LifecycleStage).pipe(Schema.fromKey("lifecycle_stage")),
  optedOut: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("opted_out")),
  marketingOptedOut: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("marketing_opted_out")),
  lastActivityAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("last_activity_at")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}

/** A contact as lists carry it: without identities and tags (spec, Contact). */
export const ListedContactResource = Schema.Struct(listed).annotations({ identifier: "ListedContact" })

/** A single contact on the wire. */
export const ContactResource = Schema.Struct({
  ...listed,
  identities: Schema.Array(IdentityResource),
  tags: Schema.Array(Schema.String)
}).annotations({ identifier: "Contact" })

/** A contact on the wire of the administration, which sees every workspace and all that is kept of a contact. */
export const AdminContactResource = Schema.Struct({
  ...ContactResource.fields,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  timezone: nullableText,
  customFields: Schema.propertySignature(
    Schema.Record({
      key: Schema.String,
      value: Schema.NullOr(Schema.Union(Schema.String, Schema.Number, Schema.Boolean))
    })
  ).pipe(Schema.fromKey("custom_fields"))
}).annotations({ identifier: "AdminContact" })

/** The contact as the wire carries it; the schema leaves out what is not for its readers. */
export const contactResource = (contact: Contact): typeof AdminContactResource.Type => ({
  ...contact,
  name: contactName(contact)
})

/**
 * What the public has, in wire shape, for events, which are kept. By hand, since every event of a contact needs it, and the schema
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
