import { aContact, aConversation, aLead, anAddress, aTask, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import type { Job } from "../../../src/model/Job.js"
import type { RowOf } from "../../../src/ports/Changes.js"
import { contactJob } from "../../../src/resources/contacts/contactJob.js"
import { contactKeys } from "../../../src/resources/contacts/contactKeys.js"
import { decodeMergeInput } from "../../../src/resources/contacts/MergeInput.js"
import { type MergeContactsWorld, mergeContacts } from "../../../src/resources/contacts/mergeContacts.js"
import { mergedContact } from "../../../src/resources/contacts/mergedContact.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const a = "01900000-0000-7000-8000-00000000000a"
const b = "01900000-0000-7000-8000-00000000000b"
const c = "01900000-0000-7000-8000-00000000000c"
const email = { channel: "email" as const, handle: "ada@example.org", displayName: null }
const phone = { channel: "phone" as const, handle: "+491701234567", displayName: null }

describe("a merged contact", () => {
  const kept = aContact({
    id: a,
    firstName: "Ada",
    lastName: null,
    email: null,
    identities: [phone],
    phone: phone.handle,
    tags: ["VIP"],
    customFields: { size: 3 },
    lastActivityAt: someTime,
    createdAt: someTime
  })

  it("takes missing values and keeps its own", () => {
    const other = aContact({ firstName: "Augusta", lastName: "King", email: email.handle, identities: [email, phone] })
    const merged = mergedContact(kept, other)
    expect(merged).toMatchObject({ id: a, firstName: "Ada", lastName: "King", email: email.handle })
    expect(merged.identities).toEqual([phone, email])
    expect(merged).toMatchObject(contactKeys(merged))
  })
  it("has the tags and custom fields of both", () => {
    const merged = mergedContact(kept, aContact({ tags: ["vip", "New"], customFields: { size: 4, hat: "red" } }))
    expect(merged).toMatchObject({ tags: ["VIP", "New"], customFields: { size: 3, hat: "red" } })
  })
  it.each([
    [true, false],
    [false, true]
  ])("is opted out if either was (%s, %s)", (one, other) => {
    const flags = (optedOut: boolean) => ({ optedOut, marketingOptedOut: optedOut })
    expect(mergedContact({ ...kept, ...flags(one) }, aContact(flags(other)))).toMatchObject(flags(true))
  })
  it("has the later times of the opt-outs", () => {
    const times = (optedOutAt: number | null, marketingOptedOutAt: number | null) =>
      aContact({ optedOutAt, marketingOptedOutAt })
    expect(mergedContact(times(5, null), times(7, 3))).toMatchObject({ optedOutAt: 7, marketingOptedOutAt: 3 })
    expect(mergedContact(times(null, 5), times(null, 3))).toMatchObject({ optedOutAt: null, marketingOptedOutAt: 5 })
  })
  it("has the earlier creation and the later activity", () => {
    const other = aContact({ createdAt: someTime - 5, lastActivityAt: someTime + 5 })
    expect(mergedContact(kept, other)).toMatchObject({ createdAt: someTime - 5, lastActivityAt: someTime + 5 })
  })
})

const contact = aContact({ id: a, version: 3, identities: [phone] })
const other = aContact({ id: b, version: 7, identities: [email], email: email.handle })
const world: MergeContactsWorld = {
  contact,
  other,
  addresses: [anAddress({ space: "email", handle: email.handle, contactId: b })],
  conversations: [aConversation({ contactId: b })],
  leads: [aLead({ id: c, contactId: b })],
  tasks: [aTask({ id: c, contactId: b })],
  pending: { contact: undefined, other: undefined },
  subscribers: { endpoints: [], applications: [] }
}
const merge = (more: Partial<MergeContactsWorld> = {}, body: { readonly contact_id?: unknown } = { contact_id: b }) =>
  mergeContacts({ ...world, ...more }, decodeMergeInput(body), someTime, makeTestIds())
const pendingJob = (id: string, from: ReadonlyArray<string>): Job => {
  const { inserts = [] } = contactJob(
    { id, workspaceId: contact.workspaceId },
    { task: "gather_contact", from },
    undefined,
    1
  )
  return (inserts[0] as RowOf<"jobs">).row
}

describe("a merge", () => {
  it("moves rows of the other contact and deletes it in its commit", () => {
    const { changes } = agreed(merge())
    expect(changes?.sets.filter(({ table }) => table !== "contacts")).toEqual([
      expect.objectContaining({ table: "addresses", values: { contactId: a } }),
      expect.objectContaining({ table: "conversations", values: { contactId: a } }),
      expect.objectContaining({ table: "leads", values: { contactId: a } }),
      expect.objectContaining({ table: "tasks", values: { contactId: a } })
    ])
    expect(changes?.deletes).toEqual([{ table: "contacts", key: { id: b } }])
    expect(changes?.expects).toContainEqual({ table: "contacts", key: { id: a }, where: { version: 3 } })
    expect(changes?.expects).toContainEqual({ table: "contacts", key: { id: b }, where: { version: 7 } })
  })
  it("moves the history in jobs and emits contact.updated", () => {
    const decision = agreed(merge())
    expect(inserted(decision, "jobs")).toMatchObject([
      { payload: { task: "move_messages" }, reference: world.conversations[0]?.id },
      { id: a, reference: a, payload: { task: "gather_contact", from: [b] } }
    ])
    expect(inserted(decision, "events")).toMatchObject([{ type: "contact.updated", subjectId: a, connectionId: null }])
  })
  it("writes audit entries of one time for both contacts", () => {
    expect(inserted(agreed(merge()), "auditLog")).toMatchObject([
      { action: "contact.merged", subjectId: a, createdAt: someTime },
      { action: "contact.merged_away", subjectId: b, createdAt: someTime }
    ])
  })
  it("takes over unfinished work of earlier merges of both contacts", () => {
    const { changes } = agreed(merge({ pending: { contact: pendingJob(a, ["x"]), other: pendingJob(b, ["y"]) } }))
    expect(changes?.deletes).toContainEqual({ table: "jobs", key: { id: b } })
    expect(changes?.sets).toContainEqual({
      table: "jobs",
      key: { id: a },
      values: {
        lane: "housekeeping",
        payload: { task: "gather_contact", from: ["x", "y", b] },
        failure: null,
        runAt: someTime,
        leaseUntil: 0,
        leaseOwner: null,
        epoch: 2
      }
    })
  })
  it("requires another contact of the same workspace", () => {
    expect(refused(merge({ other: contact }, { contact_id: a })).details).toEqual({
      contact_id: ["must be another contact than the one that it is folded into"]
    })
    const message = ["must be the id of a contact of the same workspace"]
    expect(refused(merge({ other: undefined })).details).toEqual({ contact_id: message })
    expect(refused(merge({ other: { ...other, workspaceId: c } })).details).toEqual({ contact_id: message })
    expect(refused(merge({ other: undefined }, {})).details).toEqual({ contact_id: ["is required"] })
  })
  it("is refused beyond the limit of handles and tags", () => {
    const having = (identities: number, tags: number) => ({
      ...contact,
      identities: Array.from({ length: identities }, (_, n) => ({ ...email, handle: `${n}@example.org` })),
      tags: Array.from({ length: tags }, (_, n) => `tag ${n}`)
    })
    const tagged = { ...other, tags: ["New"] }
    agreed(merge({ contact: having(9, 19), other: tagged }))
    expect(refused(merge({ contact: having(10, 20), other: tagged })).details).toEqual({
      contact_id: [
        "must have at most 10 identities together with the contact that it is folded into",
        "must have at most 20 tags together with the contact that it is folded into"
      ]
    })
    // A contact beyond the limit may be merged with one that adds nothing.
    agreed(merge({ contact: having(12, 20), other: { ...other, identities: [{ ...email, handle: "3@example.org" }] } }))
  })
})
