import { aContact, anAddress, someApplicationId } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { changeHandle } from "../../../src/resources/contacts/changeHandle.js"
import { contactKeys } from "../../../src/resources/contacts/contactKeys.js"

const from = "+491701234567"
const to = "+491709999999"
const bare = aContact({ identities: [{ channel: "whatsapp", handle: from, displayName: "Ada" }], version: 4 })
const contact = { ...bare, ...contactKeys(bare) }
const change = { identity: "whatsapp" as const, from, to, holder: undefined }
const holder = anAddress({ handle: to, contactId: contact.id })

describe("a customer's new handle", () => {
  it("is added as an identity before the former one, with its display name, and claims its address", () => {
    const changed = changeHandle(contact, change)
    expect(changed?.contact.identities).toEqual([
      { channel: "whatsapp", handle: to, displayName: "Ada" },
      ...contact.identities
    ])
    expect(changed?.parts.claims).toEqual([{ table: "addresses", row: holder }])
    expect(changed?.parts.expects).toEqual([{ table: "contacts", key: { id: contact.id }, where: { version: 4 } }])
    expect(changed?.events).toMatchObject([{ type: "contact.updated" }])
  })
  it("does not precede a number if it is a business-scoped id", () => {
    const changed = changeHandle(contact, { ...change, to: "US.1349" })
    expect(changed?.contact.identities.map(({ handle }) => handle)).toEqual([from, "US.1349"])
  })
  it("precedes the former one again if the customer changes back", () => {
    const there = changeHandle(contact, change)?.contact ?? contact
    const back = changeHandle(there, { ...change, from: to, to: from })
    expect(back?.contact.identities.map(({ handle }) => handle)).toEqual([from, to])
    expect(back?.parts.claims).toEqual([])
    const repeated = back && changeHandle(back.contact, { ...change, from: to, to: from })
    expect(repeated?.events).toEqual([])
  })
  it("changes nothing if the contact has it already", () => {
    expect(changeHandle(contact, { ...change, to: from, holder })?.events).toEqual([])
  })
  it("claims no address that another identity of the contact has", () => {
    const withPhone = {
      ...contact,
      identities: [...contact.identities, { channel: "phone" as const, handle: to, displayName: null }]
    }
    const changed = changeHandle(withPhone, { ...change, holder })
    expect(changed?.parts.claims).toEqual([])
    expect(changed?.contact.identities).toHaveLength(3)
  })
  it("is refused if another contact has it", () => {
    expect(changeHandle(contact, { ...change, holder: { ...holder, contactId: someApplicationId } })).toBeNull()
  })
  it("is refused where handles are no identities", () => {
    expect(changeHandle(contact, { ...change, identity: null })).toBeNull()
  })
})
