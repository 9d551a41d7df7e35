import { aContact } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { contactKeys } from "../../../src/resources/contacts/contactKeys.js"
import { nameContact } from "../../../src/resources/contacts/nameContact.js"

const identity = { channel: "telegram" as const, handle: "4711" }
const contactOf = (firstName: string | null, displayName: string | null) => {
  const bare = aContact({
    firstName,
    lastName: null,
    phone: null,
    identities: [
      { channel: "email", handle: "4711", displayName: null },
      { ...identity, displayName }
    ],
    version: 4
  })
  return { ...bare, ...contactKeys(bare) }
}

describe("a customer's display name", () => {
  it("is set on the identity and on a contact without a name, keys included", () => {
    const { contact, events, parts } = nameContact(contactOf(null, null), identity, "Zoë")
    expect(contact).toMatchObject({
      firstName: "Zoë",
      nameKey: "zoe",
      identities: [{ displayName: null }, { displayName: "Zoë" }]
    })
    expect(parts.sets).toMatchObject([{ values: { firstName: "Zoë", nameKey: "zoe" } }])
    expect(events).toMatchObject([{ type: "contact.updated" }])
  })
  it("does not replace a contact's name", () => {
    const { contact } = nameContact(contactOf("Ada", null), identity, "Zoë")
    expect(contact).toMatchObject({ firstName: "Ada", identities: [{}, { displayName: "Zoë" }] })
  })
  it("changes nothing if it is the same or the contact no longer has the handle", () => {
    expect(nameContact(contactOf("Ada", "Zoë"), identity, "Zoë").events).toEqual([])
    expect(nameContact(contactOf(null, null), { ...identity, handle: "0815" }, "Zoë").events).toEqual([])
  })
})
