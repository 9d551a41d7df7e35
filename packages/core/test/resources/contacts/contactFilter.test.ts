import { aTag, everyContact, someWorkspaceId } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { type ContactListQuery, decodeContactListQuery } from "../../../src/resources/contacts/ContactListQuery.js"
import { contactFilter } from "../../../src/resources/contacts/contactFilter.js"

const filter = (query: object, tag = aTag({ folded: "vip", name: "VIP" })) =>
  contactFilter(someWorkspaceId, decodeContactListQuery({ ...query }).value as ContactListQuery, tag)
const none = everyContact(someWorkspaceId)

describe("the filter of a contact list", () => {
  it("selects all contacts of the workspace by default", () => {
    expect(contactFilter(someWorkspaceId, decodeContactListQuery({}).value as ContactListQuery, undefined)).toEqual(
      none
    )
  })
  it("searches phone numbers in any notation", () => {
    for (const [text, part] of [
      ["+1 (555) 010-0123", "+15550100123"],
      ["0049 (0)170/123 45", "+4917012345"],
      ["170 123–45", "17012345"],
      [" 49170", "49170"],
      ["+49 1", null],
      ["v1.5.2", null],
      ["12 Monkeys 1995", null]
    ] as const) {
      expect([text, filter({ search: text })?.searchAlso]).toEqual([text, part])
    }
  })

  it("searches by the search key", () => {
    expect(filter({ search: "ÉMILE 50%" })).toMatchObject({ search: "emile 50%" })
    expect(filter({ search: "\u0301" })).toMatchObject({ search: null })
  })
  it("has the tag in the workspace's spelling", () => {
    expect(filter({ tag: "vip" })).toMatchObject({ tag: "VIP" })
  })
  it("is null for an unknown tag or channel", () => {
    expect(
      contactFilter(someWorkspaceId, decodeContactListQuery({ tag: "x" }).value as ContactListQuery, undefined)
    ).toBe(null)
    for (const channel of ["fax", "webchat", "WhatsApp", "constructor"]) expect(filter({ channel })).toBe(null)
    expect(filter({ channel: "phone" })).toMatchObject({ channel: "phone" })
  })
})
