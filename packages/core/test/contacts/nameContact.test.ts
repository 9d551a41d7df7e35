import { aContact } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { contactKeys } from "../../src/contacts/contactKeys.js"
import { nameContact } from "../../src/contacts/nameContact.js"

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

describe("what a customer calls themselves", () => {
  it("names the identity, and a contact without a name, by which lists find it", () => {
    const { contact, events, parts } = nameContact(contactOf(null, null), identity, "Zoë")
    expect(contact).toMatchObject({
      firstName: "Zoë",
      nameKey: "zoe",
      identities: [{ displayName: null }, { displayName: "Zoë" }]
    })
    expect(parts.sets).toMatchObject([{ values: { firstName: "Zoë", nameKey: "zoe" } }])
    expect(events).toMatchObject([{ type: "contact.updated" }])
  })
  it("leaves a name that the contact has", () => {
    const { contact } = nameContact(contactOf("Ada", null), identity, "Zoë")
    expect(contact).toMatchObject({ firstName: "Ada", identities: [{}, { displayName: "Zoë" }] })
  })
  it("changes nothing where it is so already, or the handle is not the contact's any more", () => {
    expect(nameContact(contactOf("Ada", "Zoë"), identity, "Zoë").events).toEqual([])
    expect(nameContact(contactOf(null, null), { ...identity, handle: "0815" }, "Zoë").events).toEqual([])
  })
})
