import {
  aContact,
  aCustomField,
  anAddress,
  anApplication,
  anEndpoint,
  aTag,
  makeTestIds,
  someTime
} from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { decodeContactPatch } from "../../../src/resources/contacts/ContactInput.js"
import { contactKeys } from "../../../src/resources/contacts/contactKeys.js"
import { type UpdateContactWorld, updateContact } from "../../../src/resources/contacts/updateContact.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const email = { channel: "email" as const, handle: "ada@example.org", displayName: null }
const phone = { channel: "phone" as const, handle: "+491701234567", displayName: null }
const whatsapp = { channel: "whatsapp" as const, handle: phone.handle, displayName: "Ada" }
const bare = aContact({
  firstName: "Ada",
  email: email.handle,
  phone: phone.handle,
  identities: [email, phone, whatsapp]
})
const contact = { ...bare, ...contactKeys(bare), version: 4 }
const world: UpdateContactWorld = {
  contact,
  addresses: [],
  tags: [],
  customFields: [],
  subscribers: { endpoints: [], applications: [] }
}
const update = (body: { readonly [field: string]: unknown }, more: Partial<UpdateContactWorld> = {}) =>
  updateContact({ ...world, ...more }, decodeContactPatch(body), someTime, makeTestIds())
const updated = (body: { readonly [field: string]: unknown }, more: Partial<UpdateContactWorld> = {}) => {
  const decision = agreed(update(body, more))
  const { claims = [], deletes = [], sets = [] } = decision.changes ?? {}
  return {
    decision,
    contact: decision.result,
    values: sets[0]?.values,
    claimed: claims.map(({ row }) => row),
    freed: deletes.map(({ key }) => key)
  }
}

describe("a change of a contact", () => {
  it("writes changed columns only, keys included", () => {
    const { contact: result, decision, values } = updated({ first_name: "Grace", city: "Berlin" })
    expect(Object.keys(values ?? {}).sort()).toEqual(["city", "firstName", "nameKey", "searchKey"])
    expect(values).toEqual({ city: "Berlin", firstName: "Grace", ...contactKeys(result) })
    expect(decision.changes?.expects).toEqual([{ table: "contacts", key: { id: contact.id }, where: { version: 4 } }])
    expect(result.version).toBe(5)
  })
  it("emits one event for the whole workspace with the new state", () => {
    const application = anApplication({ scopes: ["webhooks.receive"], connectionIds: [] })
    const endpoint = anEndpoint({ applicationId: application.id, events: ["contact.updated"] })
    const { decision } = updated(
      { first_name: "Grace" },
      { subscribers: { endpoints: [endpoint], applications: [application] } }
    )
    const [event, ...others] = inserted(decision, "events")
    expect(others).toEqual([])
    expect(event).toMatchObject({ type: "contact.updated", connectionId: null, applicationId: null })
    expect(JSON.parse(event?.data ?? "").contact.first_name).toBe("Grace")
    expect(inserted(decision, "deliveries")).toMatchObject([{ endpointId: endpoint.id, eventId: event?.id }])
  })
  it.each([
    {},
    { first_name: "Ada", email: " ADA@example.org", phone: "00491701234567" },
    { identities: [email, { channel: "phone", handle: phone.handle }, whatsapp] },
    { tags: [], custom_fields: {} }
  ])("writes and emits nothing for the same values: %j", (body) => {
    expect(updated(body).decision.changes).toBeNull()
  })
  it("is refused after another change of what its caller expects", () => {
    const tagged = { ...contact, tags: ["vip", "new"] }
    expect(
      updated({ tags: ["vip"], expect: { tags: ["vip", "new"], company: null } }, { contact: tagged }).values
    ).toEqual({ tags: ["vip"] })
    expect(
      refused(update({ tags: ["b"], expect: { tags: [], email: email.handle } }, { contact: tagged }))
    ).toMatchObject({
      code: "invalid_transition",
      details: { "expect.tags": ["has another value now"] }
    })
  })
  it("is refused for what it expects before rules about the present values, and after those of its shape", () => {
    const cleared = { email: null, phone: null, identities: null }
    expect(refused(update({ ...cleared, expect: { company: "Acme" } })).code).toBe("invalid_transition")
    expect(refused(update(cleared)).code).toBe("validation_failed")
    expect(refused(update({ first_name: 5, expect: { company: "Acme" } })).code).toBe("validation_failed")
  })
  it("clears a field by null", () => {
    expect(updated({ first_name: null, timezone: null }).contact.firstName).toBeNull()
  })
  it("sets and clears opt-outs", () => {
    expect(updated({ opted_out: true, marketing_opted_out: true }).values).toEqual({
      optedOut: true,
      marketingOptedOut: true,
      optedOutAt: someTime,
      marketingOptedOutAt: someTime
    })
    expect(updated({ opted_out: false }, { contact: { ...contact, optedOut: true } }).values).toEqual({
      optedOut: false,
      optedOutAt: someTime
    })
  })
  it("replaces tags in the workspace's spelling, and stores new ones", () => {
    const { contact: result, decision } = updated(
      { tags: ["vip", "New", "new"] },
      { contact: { ...contact, tags: ["Old"] }, tags: [aTag({ folded: "vip", name: "VIP" })] }
    )
    expect(result.tags).toEqual(["VIP", "New"])
    expect(decision.changes?.claims.map(({ row }) => row)).toMatchObject([{ name: "New" }])
  })
  it("claims no tag that the contact has already", () => {
    const { claimed } = updated({ tags: ["OLD", "New"] }, { contact: { ...contact, tags: ["Old"] } })
    expect(claimed).toMatchObject([{ name: "New" }])
  })
  it("changes custom fields one by one", () => {
    const customFields = [aCustomField({ key: "size", type: "number" }), aCustomField({ key: "shoe", type: "text" })]
    const present = { ...contact, customFields: { size: 3, shoe: "left" } }
    expect(updated({ custom_fields: { size: null } }, { contact: present, customFields }).contact.customFields).toEqual(
      {
        shoe: "left"
      }
    )
    expect(refused(update({ custom_fields: { size: "big", hat: 1 } }, { customFields })).details).toEqual({
      "custom_fields.size": ["must be a number"],
      "custom_fields.hat": ["is not a custom field of this workspace"]
    })
    expect(updated({ custom_fields: null }, { contact: present }).contact.customFields).toEqual({})
  })
  it("does not move a contact to another workspace", () => {
    expect(refused(update({ workspace_id: "01900000-0000-7000-8000-00000000dead" })).details).toEqual({
      workspace_id: ["cannot be changed"]
    })
  })
})

describe("the handles of a changed contact", () => {
  it("follow its email and phone", () => {
    const { claimed, contact: result, freed } = updated({ email: "grace@example.org" })
    expect(result.identities).toEqual([phone, whatsapp, { ...email, handle: "grace@example.org" }])
    expect(claimed).toMatchObject([{ space: "email", handle: "grace@example.org", contactId: contact.id }])
    expect(freed).toEqual([{ workspaceId: contact.workspaceId, space: "email", handle: email.handle }])
  })
  it("are released only if no identity has their address", () => {
    const { contact: result, freed } = updated({ phone: null })
    expect(result.identities).toEqual([email, whatsapp])
    expect(freed).toEqual([])
  })
  it("are the given ones, with email and phone", () => {
    const {
      claimed,
      contact: result,
      freed
    } = updated({ identities: [{ channel: "telegram", handle: "ada_l" }], phone: null })
    expect(result.identities).toEqual([{ channel: "telegram", handle: "ada_l", displayName: null }, email])
    expect(claimed).toMatchObject([{ space: "telegram", handle: "ada_l" }])
    expect(freed).toMatchObject([{ space: "phone", handle: phone.handle }])
  })
  it("keep their display names", () => {
    const { contact: result } = updated({ identities: [{ channel: "whatsapp", handle: whatsapp.handle }], phone: null })
    expect(result.identities).toEqual([whatsapp, email])
  })
  it("are expected to be claimed by the contact when released", () => {
    expect(updated({ email: null }).decision.changes?.expects).toContainEqual({
      table: "addresses",
      key: { workspaceId: contact.workspaceId, space: "email", handle: email.handle },
      where: { contactId: contact.id }
    })
  })
  it("cannot all be removed", () => {
    const only = { ...contact, phone: null, identities: [email] }
    const message = ["must leave the contact at least one of email, phone and identities"]
    expect(refused(update({ email: null }, { contact: only })).details).toEqual({ email: message })
    expect(refused(update({ email: null, identities: [] }, { contact: only })).details).toEqual({
      email: message,
      identities: message
    })
    expect(refused(update({ email: "", identities: [] }, { contact: only })).code).toBe("validation_failed")
  })
  it("may be absent for a web chat visitor", () => {
    const visitor = aContact({ email: null, phone: null, identities: [], visitorName: "Ada" })
    expect(updated({ last_name: "L" }, { contact: visitor }).contact.identities).toEqual([])
  })
  it("cannot be claimed by another contact", () => {
    const other = "01900000-0000-7000-8000-0000000000cc"
    const addresses = [anAddress({ space: "email", handle: "x@y.org", contactId: other })]
    const { code, details } = refused(update({ email: "x@y.org", first_name: "X" }, { addresses }))
    expect({ code, details }).toEqual({
      code: "identity_already_claimed",
      details: { email: ["belongs to another contact"], contact_id: other }
    })
    expect(refused(update({ email: "x@y.org", phone: "1" }, { addresses })).details).toEqual({
      phone: ["must be a phone number in E.164: + and 7 to 15 digits"]
    })
  })
})
