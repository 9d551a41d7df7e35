import { aContact, aCustomField, anAddress, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { contactKeys } from "../../../src/resources/contacts/contactKeys.js"
import { decodeImportedContact } from "../../../src/resources/contacts/ImportInput.js"
import { type ImportContactWorld, importContact, type OnKnown } from "../../../src/resources/contacts/importContact.js"
import { groupsOfSharedHandles, importedRow } from "../../../src/resources/contacts/sharedHandles.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const email = { channel: "email" as const, handle: "ada@example.org", displayName: null }
const bare = aContact({ firstName: "Ada", email: email.handle, phone: null, identities: [email], tags: ["VIP"] })
const known = { ...bare, ...contactKeys(bare), version: 2 }
const other = "01900000-0000-7000-8000-0000000000cc"
const emptyWorld: ImportContactWorld = {
  workspaceId: someWorkspaceId,
  known: undefined,
  addresses: [],
  tags: [],
  customFields: [aCustomField({ key: "size", type: "number" })],
  subscribers: { endpoints: [], applications: [] }
}
const existing = {
  ...emptyWorld,
  known,
  addresses: [anAddress({ space: "email", handle: email.handle, contactId: known.id })]
}
const run = (world: ImportContactWorld, given: unknown, onKnown: OnKnown = "update") =>
  importContact(world, decodeImportedContact(given), onKnown, someTime, makeTestIds())

describe("the import of a contact", () => {
  it("creates an unknown contact, with its opt-out", () => {
    const decision = agreed(run(emptyWorld, { email: email.handle, opted_out: true, marketing_opted_out: false }))
    expect(decision.result.result).toBe("created")
    expect(inserted(decision, "contacts")).toMatchObject([
      { email: email.handle, optedOut: true, marketingOptedOut: false, optedOutAt: someTime, marketingOptedOutAt: null }
    ])
    expect(inserted(decision, "events")).toMatchObject([{ type: "contact.created" }])
  })
  it("skips or updates a known contact", () => {
    const row = {
      email: email.handle,
      first_name: "Augusta",
      last_name: "",
      city: null,
      tags: ["New"],
      custom_fields: { size: 4 }
    }
    expect(agreed(run(existing, row, "skip"))).toEqual({
      changes: null,
      result: { result: "skipped", contactId: known.id }
    })
    const decision = agreed(run(existing, row))
    expect(decision.result).toEqual({ result: "updated", contactId: known.id })
    expect(decision.changes?.sets[0]?.values).toMatchObject({
      firstName: "Augusta",
      tags: ["VIP", "New"],
      customFields: { size: 4 }
    })
    expect(decision.changes?.sets[0]?.values).not.toHaveProperty("city")
  })
  it("adds handles, and keeps the former email as a handle", () => {
    const phone = "+491701234567"
    const addresses = [anAddress({ space: "phone", handle: phone, contactId: known.id })]
    const present = {
      ...known,
      phone,
      identities: [email, { channel: "phone" as const, handle: phone, displayName: null }]
    }
    const decision = agreed(run({ ...existing, known: present, addresses }, { phone, email: "new@example.org" }))
    expect(decision.changes?.deletes).toEqual([])
    expect(decision.changes?.claims).toMatchObject([{ row: { space: "email", handle: "new@example.org" } }])
  })
  it("changes nothing without a difference", () => {
    expect(agreed(run(existing, { email: email.handle, first_name: "Ada", tags: ["vip"] })).result.result).toBe(
      "unchanged"
    )
  })
  it("adds handles and tags up to the limit of a contact", () => {
    const telegrams = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ channel: "telegram" as const, handle: `t${n}`, displayName: null }))
    const names = (count: number) => Array.from({ length: count }, (_, n) => `tag ${n}`)
    const having = (identities: number, tags: number): ImportContactWorld => ({
      ...existing,
      known: { ...known, identities: [email, ...telegrams(identities - 1)], tags: names(tags) }
    })
    const more = { email: email.handle, identities: [{ channel: "telegram", handle: "new" }], tags: ["New"] }
    agreed(run(having(9, 19), more))
    const problems = {
      identities: ["must have at most 10 items together with those that the contact has"],
      tags: ["must have at most 20 items together with those that the contact has"]
    }
    expect(refused(run(having(10, 20), { ...more, country: "Germany" })).details).toEqual({
      ...problems,
      country: ["must be at most 2 characters"]
    })
    expect(refused(run(having(10, 20), { identities: telegrams(1), email: "new@example.org" })).details).toEqual({
      identities: problems.identities
    })
    // Handles and tags that it has already are accepted, even beyond the limit.
    agreed(
      run(having(12, 20), { email: email.handle, identities: telegrams(9), tags: ["TAG 3"], first_name: "Augusta" })
    )
  })
  it("does not clear an opt-out", () => {
    const optedOut = { ...existing, known: { ...known, optedOut: true } }
    expect(agreed(run(optedOut, { email: email.handle, opted_out: false })).result.result).toBe("unchanged")
    expect(agreed(run(existing, { email: email.handle, opted_out: true })).changes?.sets[0]?.values).toMatchObject({
      optedOut: true
    })
  })
  it("reports all problems at once, at the fields of the row", () => {
    expect(
      refused(run(emptyWorld, { email: "a", custom_fields: { size: "big" }, country: "Germany" })).details
    ).toEqual({
      email: ["must be an email address"],
      "custom_fields.size": ["must be a number"],
      country: ["must be at most 2 characters"]
    })
    expect(refused(run(emptyWorld, "ada")).details).toMatchObject({ contact: ["must be an object"] })
    expect(refused(run(existing, { email: email.handle, country: "Germany" }, "skip")).details).toHaveProperty(
      "country"
    )
    const addresses = [...existing.addresses, anAddress({ space: "telegram", handle: "t", contactId: other })]
    const row = { email: email.handle, identities: [{ channel: "telegram", handle: "t" }] }
    expect(refused(run({ ...existing, addresses }, row)).details).toEqual({
      "identities.0.handle": ["belongs to another contact"],
      contact_id: other
    })
  })
})

describe("contacts of an import that share handles", () => {
  const rowsOf = (emails: ReadonlyArray<ReadonlyArray<string>>) =>
    emails.map((handles, index) =>
      importedRow(
        decodeImportedContact({ identities: handles.map((handle) => ({ channel: "telegram", handle })) }),
        index
      )
    )
  const indexes = (emails: ReadonlyArray<ReadonlyArray<string>>) =>
    groupsOfSharedHandles(rowsOf(emails)).map((group) => group.map(({ index }) => index))

  it("are one group in their order, directly or indirectly connected", () => {
    expect(indexes([["a"], ["b"], ["c"], ["b", "a"], []])).toEqual([[0, 1, 3], [2], [4]])
    expect(indexes([["a"], ["b"], ["a", "c"], ["c", "b"]])).toEqual([[0, 1, 2, 3]])
  })
  it("are each in exactly one group", () => {
    const handles = fc.array(fc.array(fc.constantFrom(..."abcdefgh"), { maxLength: 3 }), { maxLength: 12 })
    fc.assert(
      fc.property(handles, (emails) => {
        const groups = indexes(emails)
        expect(groups.flat().sort((one, two) => one - two)).toEqual(emails.map((_, index) => index))
        for (const group of groups) expect(group).toEqual(group.toSorted((one, two) => one - two))
        const groupsOf = (handle: string) =>
          groups.filter((group) => group.some((index) => emails[index]?.includes(handle)))
        for (const handle of "abcdefgh") expect(groupsOf(handle).length).toBeLessThan(2)
      })
    )
  })
})
