import {
  aContact,
  aLead,
  anApplication,
  anEndpoint,
  anIdempotencyRecord,
  aPipeline,
  aWorkspace,
  makeTestIds,
  someContactId,
  someTime
} from "@parley/testkit/rows"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { scopes } from "../../../src/model/Scope.js"
import type { RowOf, TableName } from "../../../src/ports/Changes.js"
import { type CreateLeadWorld, createLead } from "../../../src/resources/leads/createLead.js"
import { decodeLeadInput, maxValue } from "../../../src/resources/leads/LeadInput.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const workspace = aWorkspace()
const application = anApplication({ scopes })
const sales = aPipeline({ id: "01900000-0000-7000-8000-0000000000b1", createdAt: 1 })
const renewals = aPipeline({
  id: "01900000-0000-7000-8000-0000000000b0",
  createdAt: 2,
  stages: [{ key: "due", name: "Due" }]
})
const world: CreateLeadWorld = {
  caller: { application, workspace, scopes, credentialId: "c" },
  record: undefined,
  contact: aContact(),
  pipelines: [renewals, sales],
  leadInStage: undefined,
  subscribers: { endpoints: [], applications: [] }
}
const create = (body: object, more: Partial<CreateLeadWorld> = {}) =>
  createLead(
    { ...world, ...more },
    {
      decoded: decodeLeadInput({ contact_id: someContactId, ...body }),
      idempotency: { key: "k", fingerprint: "0".repeat(64) }
    },
    someTime,
    makeTestIds()
  )
const dataOf = (body: object) => JSON.parse(agreed(create(body)).result.body).data
const problems = (body: object, more: Partial<CreateLeadWorld> = {}) => {
  const refusal = refused(create(body, more))
  expect(refusal.code).toBe("validation_failed")
  return refusal.details
}
const claimed = (decision: ReturnType<typeof agreed>, table: TableName) =>
  (decision.changes?.claims ?? []).filter((one) => one.table === table).map((one) => (one as RowOf<TableName>).row)

describe("a new lead", () => {
  it("enters the first stage of the oldest pipeline by default", () => {
    const decision = agreed(create({}))
    expect(decision.result.status).toBe(201)
    const [lead] = inserted(decision, "leads")
    expect(JSON.parse(decision.result.body)).toEqual({
      data: {
        id: lead?.id,
        contact_id: someContactId,
        pipeline_id: sales.id,
        stage: "new",
        title: null,
        value: null,
        currency: null,
        created_at: new Date(someTime).toISOString(),
        updated_at: new Date(someTime).toISOString()
      }
    })
  })
  it("enters the requested stage", () => {
    expect(dataOf({ pipeline_id: renewals.id.toUpperCase() })).toMatchObject({ pipeline_id: renewals.id, stage: "due" })
    expect(dataOf({ stage: "won" })).toMatchObject({ pipeline_id: sales.id, stage: "won" })
  })
  it("treats blank fields as absent", () => {
    const blank = { pipeline_id: "", stage: null, title: "", value: null, currency: "" }
    expect(dataOf(blank)).toMatchObject({ stage: "new", title: null, value: null, currency: null })
  })
  it("upper-cases its currency", () => {
    expect(dataOf({ value: 12.5, currency: "eur" })).toMatchObject({ value: 12.5, currency: "EUR" })
  })
  it("stores its idempotency record and expects its contact", () => {
    const decision = agreed(create({}))
    expect(claimed(decision, "idempotency")).toMatchObject([{ key: "k", status: 201, body: decision.result.body }])
    expect(decision.changes?.expects).toContainEqual({ table: "contacts", key: { id: someContactId }, where: {} })
  })
  it("is reported once to each subscribed application", () => {
    const other = anApplication({ id: "01900000-0000-7000-8000-0000000000c2", scopes, connectionIds: [] })
    const endpoints = [
      anEndpoint(),
      anEndpoint({ id: "01900000-0000-7000-8000-0000000000c3", applicationId: other.id })
    ]
    const decision = agreed(create({}, { subscribers: { endpoints, applications: [application, other] } }))
    expect(inserted(decision, "events")).toMatchObject([
      { type: "lead.created", applicationId: null, connectionId: null, hasExternalReference: false }
    ])
    const [event] = inserted(decision, "events")
    expect(JSON.parse(event?.data ?? "")).toEqual({ lead: JSON.parse(decision.result.body).data })
    expect(inserted(decision, "deliveries").map(({ endpointId }) => endpointId)).toEqual(endpoints.map(({ id }) => id))
  })
  it("is not created again with the same key", () => {
    const record = anIdempotencyRecord({ key: "k", status: 201, body: "first" })
    expect(agreed(create({ stage: "gone" }, { record }))).toEqual({
      changes: null,
      result: { status: 201, body: "first", replayed: true }
    })
    expect(refused(create({}, { record: { ...record, fingerprint: "1".repeat(64) } })).code).toBe(
      "idempotency_conflict"
    )
  })
})

describe("a refused lead", () => {
  it("has a contact that is unknown or of another workspace", () => {
    const message = { contact_id: ["must be the id of a contact of this workspace"] }
    expect(problems({}, { contact: undefined })).toEqual(message)
    expect(problems({}, { contact: aContact({ workspaceId: "01900000-0000-7000-8000-00000000dead" }) })).toEqual(
      message
    )
  })
  it("has a pipeline that is not of the workspace", () => {
    expect(problems({ pipeline_id: "01900000-0000-7000-8000-00000000dead" })).toEqual({
      pipeline_id: ["must be the id of a pipeline of this workspace"]
    })
  })
  it("has a message with advice if there is no pipeline", () => {
    expect(problems({ stage: "new" }, { pipelines: [] })).toEqual({
      pipeline_id: ["has no default, because the workspace has no pipeline: ask its administrator to create one"]
    })
  })
  it("has a stage of another pipeline, or a stage name instead of a key", () => {
    const message = { stage: ["must be the key of a stage of the pipeline"] }
    expect(problems({ stage: "due" })).toEqual(message)
    expect(problems({ stage: "Won" })).toEqual(message)
  })
  it("reports all problems at once", () => {
    const body = { pipeline_id: "x", stage: 1, title: "t".repeat(256), value: "1", currency: "EURO" }
    expect(problems({ contact_id: "nobody", ...body })).toEqual({
      contact_id: ["must be a UUID"],
      pipeline_id: ["must be a UUID"],
      stage: ["must be a string"],
      title: ["must be at most 255 characters"],
      value: [`must be a number from 0 to ${maxValue}`],
      currency: ["must be a currency of ISO 4217: three letters"]
    })
    expect(problems({ contact_id: null })).toEqual({ contact_id: ["must be a UUID"] })
    expect(Object.keys(problems({ value: -1, stage: "gone" }, { contact: undefined })).sort()).toEqual([
      "contact_id",
      "stage",
      "value"
    ])
  })
})

describe("the value of a lead", () => {
  it("is any number from zero to the maximum, unchanged", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: maxValue, noNaN: true }), (value) => {
        expect(dataOf({ value }).value).toBe(JSON.parse(JSON.stringify(value)))
      })
    )
  })
  it("is no other number", () => {
    const beyond = fc.oneof(
      fc.double({ min: maxValue, minExcluded: true }),
      fc.double({ max: -Number.MIN_VALUE }),
      fc.constant(Number.NaN)
    )
    fc.assert(
      fc.property(beyond, (value) => {
        expect(Object.keys(problems({ value }))).toEqual(["value"])
      })
    )
  })
})

describe("the currency of a lead", () => {
  it("is three letters and nothing else", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z]{3}$/)), (currency) => {
        const result = create({ currency })
        if (/^[A-Za-z]{3}$/.test(currency)) {
          expect(JSON.parse(Either.getOrThrow(result).result.body).data.currency).toBe(currency.toUpperCase())
        } else if (currency !== "") {
          expect(Object.keys(refused(result).details)).toEqual(["currency"])
        }
      })
    )
  })
})

describe("entering a stage", () => {
  it("bumps the version of a pipeline whose stage is empty", () => {
    expect(agreed(create({})).changes?.sets).toMatchObject([{ table: "pipelines", key: { id: sales.id } }])
  })
  it("leaves a pipeline unchanged whose stage has a lead, and expects that lead", () => {
    const leadInStage = aLead({ id: "01900000-0000-7000-8000-0000000000d1", pipelineId: sales.id })
    const { changes } = agreed(create({}, { leadInStage }))
    expect(changes?.sets).toEqual([])
    expect(changes?.expects).toContainEqual({ table: "leads", key: { id: leadInStage.id }, where: { stage: "new" } })
    expect(changes?.expects).toContainEqual({ table: "pipelines", key: { id: sales.id }, where: { version: 1 } })
  })
})
