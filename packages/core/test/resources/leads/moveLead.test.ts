import { aLead, anApplication, anEndpoint, aPipeline, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { decodeLeadPatch } from "../../../src/resources/leads/LeadInput.js"
import { type MoveLeadWorld, moveLead } from "../../../src/resources/leads/moveLead.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const pipeline = aPipeline({ id: "01900000-0000-7000-8000-0000000000b1" })
const lead = aLead({ id: "01900000-0000-7000-8000-0000000000d1", pipelineId: pipeline.id, value: 10, currency: "EUR" })
const world: MoveLeadWorld = {
  lead,
  pipeline,
  leadInStage: undefined,
  subscribers: {
    endpoints: [anEndpoint({ events: ["lead.stage_changed"] })],
    applications: [anApplication({ scopes: ["webhooks.receive"] })]
  }
}
const later = someTime + 1_000
const move = (body: { readonly [field: string]: unknown }, more: Partial<MoveLeadWorld> = {}) =>
  moveLead({ ...world, ...more }, decodeLeadPatch(body), later, makeTestIds())

describe("a lead that moves", () => {
  it("has the new stage and the present time", () => {
    const decision = agreed(move({ stage: "won" }))
    expect(decision.result).toEqual({ ...lead, stage: "won", updatedAt: later, version: 2 })
    expect(decision.changes?.expects).toContainEqual({ table: "leads", key: { id: lead.id }, where: { version: 1 } })
    expect(decision.changes?.expects).toContainEqual({ table: "contacts", key: { id: lead.contactId }, where: {} })
    expect(decision.changes?.sets).toContainEqual({
      table: "leads",
      key: { id: lead.id },
      values: { stage: "won", updatedAt: later }
    })
  })
  it("reports the old and the new stage", () => {
    const decision = agreed(move({ stage: "won" }))
    const [event, ...rest] = inserted(decision, "events")
    expect(rest).toEqual([])
    expect(event).toMatchObject({ type: "lead.stage_changed", applicationId: null, connectionId: null })
    expect(JSON.parse(event?.data ?? "")).toEqual({
      lead: {
        id: lead.id,
        contact_id: lead.contactId,
        pipeline_id: pipeline.id,
        stage: "won",
        title: null,
        value: 10,
        currency: "EUR",
        created_at: new Date(someTime).toISOString(),
        updated_at: new Date(later).toISOString()
      },
      from_stage: "new",
      to_stage: "won"
    })
    expect(inserted(decision, "deliveries")).toHaveLength(1)
  })
  it("cannot move to its present stage", () => {
    expect(refused(move({ stage: "new" })).code).toBe("invalid_transition")
  })
  it("moves from the stage that its caller expects only", () => {
    expect(agreed(move({ stage: "won", expect: { stage: "new" } })).result.stage).toBe("won")
    const lost = { ...lead, stage: "lost" }
    expect(refused(move({ stage: "won", expect: { stage: "new" } }, { lead: lost }))).toMatchObject({
      code: "invalid_transition",
      details: { "expect.stage": ["has another value now"] }
    })
  })
  it("cannot move to a stage that its pipeline does not have", () => {
    for (const stage of ["Won", "gone", ""]) {
      expect(refused(move({ stage })).details).toEqual({ stage: ["must be the key of a stage of the pipeline"] })
    }
    expect(refused(move({ stage: null })).details).toEqual({ stage: ["must be a string"] })
  })
  it("keeps its other fields, and may repeat them", () => {
    const other = "01900000-0000-7000-8000-00000000dead"
    expect(refused(move({ contact_id: other, pipeline_id: other, workspace_id: other })).details).toEqual({
      contact_id: ["cannot be changed"],
      pipeline_id: ["cannot be changed"],
      workspace_id: ["cannot be changed"]
    })
    expect(refused(move({ title: "Yearly plan", value: 11, currency: "USD", stage: "won" })).details).toEqual({
      title: ["cannot be changed"],
      value: ["cannot be changed"],
      currency: ["cannot be changed"]
    })
    const same = { contact_id: lead.contactId, pipeline_id: pipeline.id, title: null, value: 10, currency: "EUR" }
    expect(agreed(move(same)).changes).toBeNull()
  })
})
