import { aContact } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { searchKey } from "../../../src/kernel/text/searchKey.js"
import { contactName } from "../../../src/resources/contacts/contactName.js"

const unnamed = aContact({
  id: "01900000-0000-7000-8000-0000000000c1",
  firstName: null,
  lastName: null,
  company: null,
  email: null,
  phone: null,
  identities: [],
  visitorName: null
})

describe("contactName", () => {
  it("falls back from names to company, email, phone, handle, visitor's name and Visitor, in that order", () => {
    const steps = [
      [{ visitorName: "Guest 1" }, "Guest 1"],
      [{ identities: [{ channel: "telegram" as const, handle: "42", displayName: null }] }, "42"],
      [{ phone: "+491701234567" }, "+491701234567"],
      [{ email: "ada@example.org" }, "ada@example.org"],
      [{ company: "Engines" }, "Engines"],
      [{ lastName: "Lovelace" }, "Lovelace"],
      [{ firstName: "Ada" }, "Ada Lovelace"]
    ] as const
    let contact = unnamed
    expect(contactName(contact)).toBe("Visitor")
    for (const [more, name] of steps) {
      contact = { ...contact, ...more }
      expect(contactName(contact)).toBe(name)
    }
  })
})

describe("a search key", () => {
  it("ignores case and accents", () => {
    expect(searchKey("ÉCLAIR Straße Ångström")).toBe(searchKey("eclair straße angstrom"))
  })
})
