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
} from "@parley/testkit"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { scopes } from "../../src/access/Scope.js"
import { type CreateLeadWorld, createLead } from "../../src/leads/createLead.js"
import { leadDraft, mostValue } from "../../src/leads/LeadInput.js"
import type { RowOf, TableName } from "../../src/ports/Changes.js"
import { agreed, inserted, refused } from "../admin/outcomes.js"

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
  occupant: undefined,
  subscribers: { endpoints: [], applications: [] }
}
const create = (body: object, more: Partial<CreateLeadWorld> = {}) =>
  createLead(
    { ...world, ...more },
    {
      draft: leadDraft({ contact_id: someContactId, ...body }),
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
  it("goes into the first stage of the oldest pipeline where nothing else is said", () => {
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
  it("goes where the body says", () => {
    expect(dataOf({ pipeline_id: renewals.id.toUpperCase() })).toMatchObject({ pipeline_id: renewals.id, stage: "due" })
    expect(dataOf({ stage: "won" })).toMatchObject({ pipeline_id: sales.id, stage: "won" })
  })
  it("takes blanks for nothing", () => {
    const blank = { pipeline_id: "", stage: null, title: "", value: null, currency: "" }
    expect(dataOf(blank)).toMatchObject({ stage: "new", title: null, value: null, currency: null })
  })
  it("upper-cases its currency", () => {
    expect(dataOf({ value: 12.5, currency: "eur" })).toMatchObject({ value: 12.5, currency: "EUR" })
  })
  it("is remembered under its key, and needs its contact until it is written", () => {
    const decision = agreed(create({}))
    expect(claimed(decision, "idempotency")).toMatchObject([{ key: "k", status: 201, body: decision.result.body }])
    expect(decision.changes?.expects).toContainEqual({ table: "contacts", key: { id: someContactId }, where: {} })
  })
  it("is told to every application that listens, once each", () => {
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
  it("is not made again under its key", () => {
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

describe("a lead that is refused", () => {
  it("has a contact that nobody has, or another workspace", () => {
    const words = { contact_id: ["must be the id of a contact of this workspace"] }
    expect(problems({}, { contact: undefined })).toEqual(words)
    expect(problems({}, { contact: aContact({ workspaceId: "01900000-0000-7000-8000-00000000dead" }) })).toEqual(words)
  })
  it("has a pipeline that the workspace does not have", () => {
    expect(problems({ pipeline_id: "01900000-0000-7000-8000-00000000dead" })).toEqual({
      pipeline_id: ["must be the id of a pipeline of this workspace"]
    })
  })
  it("is told what to do where there is no pipeline at all", () => {
    expect(problems({ stage: "new" }, { pipelines: [] })).toEqual({
      pipeline_id: ["has no default, because the workspace has no pipeline: ask its administrator to create one"]
    })
  })
  it("has a stage of another pipeline, or the name of one", () => {
    const words = { stage: ["must be the key of a stage of the pipeline"] }
    expect(problems({ stage: "due" })).toEqual(words)
    expect(problems({ stage: "Won" })).toEqual(words)
  })
  it("has every problem told at once", () => {
    const body = { pipeline_id: "x", stage: 1, title: "t".repeat(256), value: "1", currency: "EURO" }
    expect(problems({ contact_id: "nobody", ...body })).toEqual({
      contact_id: ["must be a UUID"],
      pipeline_id: ["must be a UUID"],
      stage: ["must be a string"],
      title: ["must be at most 255 characters"],
      value: [`must be a number from 0 to ${mostValue}`],
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
  it("is any number from zero to the most, as it was given", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: mostValue, noNaN: true }), (value) => {
        expect(dataOf({ value }).value).toBe(JSON.parse(JSON.stringify(value)))
      })
    )
  })
  it("is no other number", () => {
    const beyond = fc.oneof(
      fc.double({ min: mostValue, minExcluded: true }),
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
  it("is three letters, whatever else is given", () => {
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
  it("raises the version of a pipeline whose stage is empty", () => {
    expect(agreed(create({})).changes?.sets).toMatchObject([{ table: "pipelines", key: { id: sales.id } }])
  })
  it("leaves a pipeline alone whose stage has a lead, as long as that stays", () => {
    const occupant = aLead({ id: "01900000-0000-7000-8000-0000000000d1", pipelineId: sales.id })
    const { changes } = agreed(create({}, { occupant }))
    expect(changes?.sets).toEqual([])
    expect(changes?.expects).toContainEqual({ table: "leads", key: { id: occupant.id }, where: { stage: "new" } })
    expect(changes?.expects).toContainEqual({ table: "pipelines", key: { id: sales.id }, where: { version: 1 } })
  })
})
