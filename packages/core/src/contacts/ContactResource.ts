import { Schema } from "effect"
import { Timestamp } from "../Instant.js"
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

export const contactResource = (contact: Contact): typeof ContactResource.Type => ({
  ...contact,
  name: contactName(contact)
})
export const encodeContact = (contact: Contact): typeof ContactResource.Encoded =>
  Schema.encodeSync(ContactResource)(contactResource(contact))
