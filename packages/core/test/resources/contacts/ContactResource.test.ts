import { describe, expect, it } from "@effect/vitest"
import { aContact } from "@parley/testkit/rows"
import { Schema } from "effect"
import { AdminContactResource, type Contact, ContactResource, contactResource } from "../../../src/index.js"
import { encodeAdminContact, encodeContact } from "../../../src/resources/contacts/ContactResource.js"

const bare = aContact()
const full: Contact = aContact({
  company: "Analytical Engines",
  jobTitle: "Programmer",
  email: "ada@example.com",
  country: "GB",
  city: "London",
  language: "en",
  timezone: "Europe/London",
  lifecycleStage: "customer",
  optedOut: true,
  marketingOptedOut: true,
  identities: [
    { channel: "whatsapp", handle: "+4915112345678", displayName: "Ada" },
    { channel: "telegram", handle: "4711", displayName: null }
  ],
  tags: ["VIP", "math"],
  customFields: { plan: "gold", seats: 3, beta: true, note: null },
  lastActivityAt: 1_780_000_000_123,
  createdAt: 0
})

describe("a contact on the wire", () => {
  for (const [name, contact] of Object.entries({ bare, full })) {
    it(`is encoded like the schemas of its resources (${name})`, () => {
      const resource = contactResource(contact)
      expect(encodeContact(contact)).toStrictEqual(Schema.encodeSync(ContactResource)(resource))
      expect(encodeAdminContact(contact)).toStrictEqual(Schema.encodeSync(AdminContactResource)(resource))
    })
  }
})
