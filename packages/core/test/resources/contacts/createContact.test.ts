import { aCustomField, anAddress, anApplication, aTag, aWorkspace, makeTestIds, someTime } from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import type { RowOf, TableName } from "../../../src/ports/Changes.js"
import { decodeContactInput } from "../../../src/resources/contacts/ContactInput.js"
import { type CreateContactWorld, createContact } from "../../../src/resources/contacts/createContact.js"

const workspace = aWorkspace()
const world: CreateContactWorld = {
  owner: { application: anApplication(), workspace },
  record: undefined,
  addresses: [],
  tags: [],
  customFields: [],
  subscribers: { endpoints: [], applications: [] }
}
const create = (body: { readonly [key: string]: unknown }, more: Partial<CreateContactWorld> = {}) =>
  createContact(
    { ...world, ...more },
    { decoded: decodeContactInput(body), idempotency: { key: "k", fingerprint: "f" } },
    someTime,
    makeTestIds()
  )
const created = (body: { readonly [key: string]: unknown }, more: Partial<CreateContactWorld> = {}) => {
  const { changes, result } = Either.getOrThrow(create(body, more))
  if (changes === null) throw new Error("nothing was created")
  const rows = <T extends TableName>(table: T) =>
    [...changes.claims, ...changes.inserts, ...changes.ensures]
      .filter((one) => one.table === table)
      .map((one) => (one as unknown as RowOf<T>).row)
  return { rows, answer: result, data: JSON.parse(result.body).data }
}
const problems = (body: { readonly [key: string]: unknown }, more: Partial<CreateContactWorld> = {}) => {
  const refused = create(body, more)
  if (Either.isRight(refused)) throw new Error("the contact was created")
  expect(refused.left.code).toBe("validation_failed")
  return refused.left.details
}

describe("a new contact", () => {
  it("is returned with normalised identities and tags", () => {
    const { answer, data, rows } = created({
      first_name: "Ada",
      last_name: "Lovelace",
      email: "Ada@Example.org",
      identities: [{ channel: "whatsapp", handle: "+49 170 1234567" }],
      tags: ["VIP", "vip", "New"]
    })
    expect(answer.status).toBe(201)
    expect(data).toMatchObject({
      name: "Ada Lovelace",
      email: "ada@example.org",
      lifecycle_stage: "lead",
      opted_out: false,
      identities: [
        { channel: "whatsapp", handle: "+491701234567", display_name: null },
        { channel: "email", handle: "ada@example.org", display_name: null }
      ],
      tags: ["VIP", "New"],
      last_activity_at: data.created_at
    })
    expect(rows("tags").map(({ name }) => name)).toEqual(["VIP", "New"])
    expect(rows("events").map(({ type }) => type)).toEqual(["contact.created"])
  })
  it("claims one address for a number given as phone and WhatsApp", () => {
    const { data, rows } = created({
      phone: "+491701234567",
      identities: [{ channel: "whatsapp", handle: "+491701234567" }]
    })
    expect(rows("addresses")).toHaveLength(1)
    expect(data.identities).toHaveLength(2)
  })
  it("keeps the first spelling of a tag in its workspace", () => {
    const tags = [aTag({ folded: "vip", name: "VIP" })]
    const { data, rows } = created({ email: "a@b.org", tags: ["vip"] }, { tags })
    expect(data.tags).toEqual(["VIP"])
    expect(rows("tags")).toEqual([])
  })
  it("keeps custom fields of the right type", () => {
    const customFields = [aCustomField({ key: "size", type: "number" }), aCustomField({ key: "born", type: "date" })]
    const { rows } = created({ email: "a@b.org", custom_fields: { size: 4, born: null } }, { customFields })
    expect(rows("contacts")[0]?.customFields).toEqual({ size: 4 })
    expect(
      problems({ email: "a@b.org", custom_fields: { size: "4", born: "yesterday", other: 1 } }, { customFields })
    ).toEqual({
      "custom_fields.size": ["must be a number"],
      "custom_fields.born": ["must be a date such as 2026-05-04"],
      "custom_fields.other": ["is not a custom field of this workspace"]
    })
  })
  it("keeps text of 1,000 characters, also beyond the basic plane, and dates that exist", () => {
    const customFields = [aCustomField({ key: "note", type: "text" }), aCustomField({ key: "born", type: "date" })]
    const given = { note: "😀".repeat(1_000), born: "2028-02-29" }
    const { rows } = created({ email: "a@b.org", custom_fields: given }, { customFields })
    expect(rows("contacts")[0]?.customFields).toEqual(given)
    for (const born of ["2026-02-29", "2026-02-30", "2026-04-31", "2026-13-01"]) {
      const custom_fields = { note: "😀".repeat(1_001), born }
      expect(problems({ email: "a@b.org", custom_fields }, { customFields })).toEqual({
        "custom_fields.note": ["must be text of at most 1000 characters"],
        "custom_fields.born": ["must be a date such as 2026-05-04"]
      })
    }
  })
  it.each([
    [5, "must be an object"],
    [[1], "must be an object"],
    [Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, n])), "must have at most 100 fields"]
  ])("refuses custom fields that are no object or too many", (custom_fields, message) => {
    expect(problems({ email: "a@b.org", custom_fields })).toEqual({ custom_fields: [message] })
  })
  it("does not echo custom field keys that are not valid", () => {
    const odd = { ["k".repeat(64)]: 1, ["k".repeat(65)]: 1, "\0": 1, "\ud800": 1 }
    expect(problems({ email: "a@b.org", custom_fields: odd })).toEqual({
      [`custom_fields.${"k".repeat(64)}`]: ["is not a custom field of this workspace"],
      custom_fields: ["must have keys of at most 64 characters, without U+0000"]
    })
  })
})

describe("a refused contact", () => {
  it("has no handle at all", () => {
    expect(Object.keys(problems({ first_name: "Ada" }))).toEqual(["email", "phone", "identities"])
  })
  it("reports all problems at once", () => {
    const details = problems({
      email: "nobody",
      phone: "12",
      country: "DEU",
      lifecycle_stage: "friend",
      identities: [
        { channel: "fax", handle: "1" },
        { channel: "whatsapp", handle: "x" }
      ]
    })
    expect(Object.keys(details).sort()).toEqual([
      "country",
      "email",
      "identities.0.channel",
      "lifecycle_stage",
      "phone"
    ])
  })
  it("has a claimed handle and reports the contact that claims it", () => {
    const addresses = [
      anAddress({ space: "phone", handle: "+491701234567", contactId: "01900000-0000-7000-8000-0000000000d2" }),
      anAddress({ space: "email", handle: "a@b.org", contactId: "01900000-0000-7000-8000-0000000000d1" })
    ]
    expect(
      problems({ email: "a@b.org", identities: [{ channel: "whatsapp", handle: "+491701234567" }] }, { addresses })
    ).toEqual({
      "identities.0.handle": ["belongs to another contact"],
      email: ["belongs to another contact"],
      contact_id: "01900000-0000-7000-8000-0000000000d2"
    })
  })
})
