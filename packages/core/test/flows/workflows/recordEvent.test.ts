import {
  aContact,
  anAddress,
  anApplication,
  anIdempotencyRecord,
  aWorkflow,
  aWorkspace,
  makeTestIds,
  someContactId,
  someTime
} from "@parley/testkit/rows"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { decodeBusinessEventInput } from "../../../src/flows/workflows/BusinessEventInput.js"
import { type RecordEventWorld, recordEvent } from "../../../src/flows/workflows/recordEvent.js"
import { scopes } from "../../../src/model/Scope.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const idOf = (n: number) => `01900000-0000-7000-8000-0000000000f${n}`
const other = "01900000-0000-7000-8000-0000000000d9"
const contact = aContact()
const address = anAddress()
const world: RecordEventWorld = {
  caller: { application: anApplication(), workspace: aWorkspace(), scopes, credentialId: "c" },
  record: undefined,
  contact: undefined,
  address: undefined,
  workflows: [],
  taken: []
}
const identity = { channel: "whatsapp", external_id: "+49 151 12345678" }
const record = (body: object, more: Partial<RecordEventWorld> = {}) =>
  recordEvent(
    { ...world, ...more },
    { decoded: decodeBusinessEventInput({ ...body }), idempotency: { key: "order-1", fingerprint: "f" } },
    someTime,
    makeTestIds()
  )
const shipped = { event: "order.shipped", contact_id: someContactId }
const eventOf = (body: object, more: Partial<RecordEventWorld>) =>
  inserted(agreed(record(body, more)), "businessEvents")
const problems = (body: object, more: Partial<RecordEventWorld> = {}) => refused(record(body, more)).details

describe("a business event", () => {
  it("is stored with contact, data and keys in the commit of its response", () => {
    const body = { ...shipped, dedupe_key: "order-1 shipped", data: { order: { id: 7 } } }
    const { changes, result } = agreed(record(body, { contact }))
    expect(inserted({ changes, result }, "businessEvents")).toEqual([
      {
        id: expect.any(String),
        workspaceId: contact.workspaceId,
        applicationId: world.caller.application.id,
        name: "order.shipped",
        contactId: someContactId,
        dedupeKey: "order-1 shipped",
        idempotencyKey: "order-1",
        data: { order: { id: 7 } },
        createdAt: someTime
      }
    ])
    expect(changes?.claims).toMatchObject([{ table: "idempotency", row: { key: "order-1", status: 202 } }])
    expect(changes?.expects).toMatchObject([{ table: "contacts", key: { id: someContactId } }])
    expect(result).toEqual({ status: 202, body: '{"data":{"workflows_matched":0}}', replayed: false })
  })
  it("needs neither a dedupe key nor data", () => {
    expect(eventOf(shipped, { contact })).toMatchObject([{ dedupeKey: null, data: {} }])
    expect(eventOf({ ...shipped, dedupe_key: "", data: null }, { contact })).toMatchObject([
      { dedupeKey: null, data: {} }
    ])
  })
  it("stores data of any shape unchanged", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (given) => {
        const data = JSON.parse(JSON.stringify(given))
        const decided = record({ ...shipped, data }, { contact })
        if (Either.isLeft(decided)) return expect(decided.left.details).toEqual({ data: [expect.any(String)] })
        expect(JSON.stringify(inserted(decided.right, "businessEvents")[0]?.data)).toBe(JSON.stringify(data))
      })
    )
  })
  it("counts the published workflows with exactly its name", () => {
    const names = ["order.shipped", "Order.shipped", "order.shipped ", " order.shipped", "order.shipped.late", "order"]
    const named = names.map((eventName, n) => aWorkflow({ id: idOf(n), eventName }))
    const resting = (["draft", "unpublished"] as const).map((status, n) => aWorkflow({ id: idOf(n + 7), status }))
    const matched = (event: string) => {
      const workflows = [...named, ...resting, aWorkflow({ id: idOf(9) })]
      return JSON.parse(agreed(record({ ...shipped, event }, { contact, workflows })).result.body).data
    }
    expect(matched("order.shipped")).toEqual({ workflows_matched: 2 })
    expect(matched("order.shipped ")).toEqual({ workflows_matched: 1 })
    expect(matched("ORDER.SHIPPED")).toEqual({ workflows_matched: 0 })
  })
  it("replays the response of a used idempotency key and writes nothing", () => {
    const known = anIdempotencyRecord({ key: "order-1", fingerprint: "f", body: '{"data":{"workflows_matched":3}}' })
    expect(agreed(record({ event: 7 }, { record: known }))).toEqual({
      changes: null,
      result: { status: 202, body: known.body, replayed: true }
    })
    expect(refused(record(shipped, { contact, record: { ...known, fingerprint: "g" } })).code).toBe(
      "idempotency_conflict"
    )
  })
})

describe("the contact of a business event", () => {
  it("is named by id, by identity, or by both in agreement", () => {
    expect(eventOf(shipped, { contact })).toMatchObject([{ contactId: someContactId }])
    expect(eventOf({ event: "order.shipped", identity }, { address })).toMatchObject([{ contactId: someContactId }])
    expect(eventOf({ ...shipped, identity }, { contact, address })).toMatchObject([{ contactId: someContactId }])
    expect(eventOf({ ...shipped, contact_id: someContactId.toUpperCase() }, { contact })).toHaveLength(1)
  })
  it("is required", () => {
    const wanted = {
      contact_id: ["is required unless identity is given"],
      identity: ["is required unless contact_id is given"]
    }
    expect(problems({ event: "order.shipped" })).toEqual(wanted)
    expect(problems({ event: "order.shipped", contact_id: "", identity: null })).toEqual(wanted)
  })
  it("must belong to the workspace", () => {
    const unknown = { contact_id: ["must be the id of a contact of this workspace"] }
    expect(problems(shipped)).toEqual(unknown)
    expect(problems(shipped, { contact: { ...contact, workspaceId: other } })).toEqual(unknown)
    expect(problems({ event: "order.shipped", identity })).toEqual({
      identity: ["must be an identity of a contact of this workspace"]
    })
    expect(Object.keys(problems({ ...shipped, identity }))).toEqual(["contact_id", "identity"])
    expect(Object.keys(problems({ ...shipped, identity }, { contact }))).toEqual(["identity"])
    expect(Object.keys(problems({ ...shipped, identity }, { address }))).toEqual(["contact_id"])
  })
  it("must be the same by id and by identity", () => {
    expect(problems({ ...shipped, identity }, { contact, address: { ...address, contactId: other } })).toEqual({
      identity: ["must be an identity of the contact that contact_id names"]
    })
  })
  it("has one problem per unreadable field", () => {
    expect(problems({ event: "e", contact_id: "7" })).toEqual({ contact_id: ["must be a UUID"] })
    expect(problems({ event: "e", identity: "+49" })).toEqual({ identity: ["must be an object"] })
    expect(Object.keys(problems({ event: "e", identity: { channel: "webchat" } }))).toEqual([
      "identity.channel",
      "identity.external_id"
    ])
    expect(problems({ event: "e", identity: { channel: "phone", external_id: "12" } })).toEqual({
      "identity.external_id": ["must be a phone number in E.164: + and 7 to 15 digits"]
    })
  })
})

it("reports all problems of an event at once", () => {
  const body = { event: "", contact_id: 1, identity: { channel: 1 }, dedupe_key: "x".repeat(256), data: [] }
  expect(problems(body)).toEqual({
    event: ["is required"],
    contact_id: [expect.stringMatching(/^must/)],
    "identity.channel": [expect.stringMatching(/^must/)],
    "identity.external_id": ["is required"],
    dedupe_key: ["must be at most 255 characters"],
    data: ["must be an object"]
  })
})
