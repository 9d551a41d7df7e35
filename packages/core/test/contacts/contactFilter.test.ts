import { aTag, someWorkspaceId } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { type ContactListQuery, contactListQueryDraft } from "../../src/contacts/ContactListQuery.js"
import { contactFilter } from "../../src/contacts/contactFilter.js"

const filter = (query: object, tag = aTag({ folded: "vip", name: "VIP" })) =>
  contactFilter(someWorkspaceId, contactListQueryDraft({ ...query }).value as ContactListQuery, tag)
const none = {
  workspaceId: someWorkspaceId,
  search: null,
  lifecycleStage: null,
  tag: null,
  channel: null,
  createdAfter: null
}

describe("the contacts that a query asks for", () => {
  it("are all of the workspace without filters", () => {
    expect(contactFilter(someWorkspaceId, contactListQueryDraft({}).value as ContactListQuery, undefined)).toEqual(none)
  })
  it("are searched by folded text", () => {
    expect(filter({ search: "ÉMILE 50%" })).toMatchObject({ search: "emile 50%" })
    expect(filter({ search: "\u0301" })).toMatchObject({ search: null })
  })
  it("carry the tag as the workspace spells it", () => {
    expect(filter({ tag: "vip" })).toMatchObject({ tag: "VIP" })
  })
  it("cannot be any with an unknown tag or channel", () => {
    expect(
      contactFilter(someWorkspaceId, contactListQueryDraft({ tag: "x" }).value as ContactListQuery, undefined)
    ).toBe(null)
    for (const channel of ["fax", "webchat", "WhatsApp", "constructor"]) expect(filter({ channel })).toBe(null)
    expect(filter({ channel: "phone" })).toMatchObject({ channel: "phone" })
  })
})
