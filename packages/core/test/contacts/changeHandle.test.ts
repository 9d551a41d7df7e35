import { aContact, anAddress, someApplicationId } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { changeHandle } from "../../src/contacts/changeHandle.js"
import { contactKeys } from "../../src/contacts/contactKeys.js"

const from = "+491701234567"
const to = "+491709999999"
const bare = aContact({ identities: [{ channel: "whatsapp", handle: from, displayName: "Ada" }], version: 4 })
const contact = { ...bare, ...contactKeys(bare) }
const change = { channel: "whatsapp" as const, from, to, holder: undefined }
const holder = anAddress({ handle: to, contactId: contact.id })

describe("a customer's other handle", () => {
  it("is an identity more, under the name of the one before, and its address is claimed", () => {
    const changed = changeHandle(contact, change)
    expect(changed?.contact.identities).toEqual([
      ...contact.identities,
      { channel: "whatsapp", handle: to, displayName: "Ada" }
    ])
    expect(changed?.parts.claims).toEqual([{ table: "addresses", row: holder }])
    expect(changed?.parts.expects).toEqual([{ table: "contacts", key: { id: contact.id }, where: { version: 4 } }])
    expect(changed?.events).toMatchObject([{ type: "contact.updated" }])
  })
  it("changes nothing where they have it already", () => {
    expect(changeHandle(contact, { ...change, to: from, holder })?.events).toEqual([])
  })
  it("claims no address that they have by another identity", () => {
    const withPhone = {
      ...contact,
      identities: [...contact.identities, { channel: "phone" as const, handle: to, displayName: null }]
    }
    const changed = changeHandle(withPhone, { ...change, holder })
    expect(changed?.parts.claims).toEqual([])
    expect(changed?.contact.identities).toHaveLength(3)
  })
  it("stays with another contact that has it", () => {
    expect(changeHandle(contact, { ...change, holder: { ...holder, contactId: someApplicationId } })).toBeNull()
  })
  it("is none on web chat, which has no identities", () => {
    expect(changeHandle(contact, { ...change, channel: "webchat" })).toBeNull()
  })
})
