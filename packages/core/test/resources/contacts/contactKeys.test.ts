import { aContact } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { contactKeys } from "../../../src/resources/contacts/contactKeys.js"

describe("the keys of a contact", () => {
  it("have the normalised name for order, and name, phone, email and company for search", () => {
    const contact = aContact({ firstName: "Éva", lastName: "ÅS", company: "Müller AG", email: "eva@example.org" })
    expect(contactKeys(contact)).toEqual({
      nameKey: "eva as",
      searchKey: "eva as\n+4915112345678\neva@example.org\nmuller ag"
    })
  })

  it("limit the name for order, not for search", () => {
    const contact = aContact({ firstName: "\u{FDFA}".repeat(100), lastName: "💐".repeat(100), phone: null })
    const { nameKey, searchKey } = contactKeys(contact)
    expect(Array.from(nameKey)).toHaveLength(255)
    expect(searchKey.startsWith(nameKey)).toBe(true)
    expect(searchKey.endsWith("💐".repeat(100))).toBe(true)
  })
})
