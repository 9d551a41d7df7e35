import { expect } from "vitest"
import type { Answer } from "../Answer.js"
import { resource, wrongFields } from "../Answers.js"
import { freshEmail, freshHandle } from "../Handles.js"
import { Contact, EventAcknowledgement } from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { otherTenant, shop } from "../shared.js"

const unknownId = "01890a5d-ac96-774b-bcce-b302099a8057"

const works = once(async (world) => {
  const tenant = await shop(world)
  const { api } = tenant.app
  const [email, handle] = [freshEmail(), freshHandle("telegram")]
  const identities = [{ channel: "telegram", handle }]
  const { id } = resource(await api.post("/contacts", { email, identities }), 201, Contact)
  await tenant.workflow("order.shipped")
  return { ...tenant, api, contactId: id, email, handle }
})

const matched = (answer: Answer): number => resource(answer, 202, EventAcknowledgement).workflows_matched

/** Business events (docs/reference/events.md#business-events). */
export const businessEvents: Section = ({ proves }) => {
  proves("POST /events · answers 202 with workflows_matched; 0 without a matching workflow", async (world) => {
    const { api, contactId } = await works(world)
    expect(matched(await api.post("/events", { event: "order.shipped", contact_id: contactId }))).toBe(1)
    expect(matched(await api.post("/events", { event: "order.lost", contact_id: contactId }))).toBe(0)
  })
  proves("POST /events · event · is matched exactly", async (world) => {
    const { api, contactId, workflow } = await works(world)
    await workflow("Exact.Name")
    for (const [event, count] of [
      ["Exact.Name", 1],
      ["exact.name", 0],
      ["Exact.Name ", 0],
      ["Exact", 0],
      ["Exact.*", 0]
    ] as const) {
      expect(matched(await api.post("/events", { event, contact_id: contactId })), event).toBe(count)
    }
  })
  proves("POST /events · event · is required text", async (world) => {
    const { api, contactId } = await works(world)
    for (const event of [undefined, "", 5, "x".repeat(256)]) {
      expect(wrongFields(await api.post("/events", { event, contact_id: contactId }))).toEqual(["event"])
    }
  })
  proves("Automations · one event can start several workflows, and only published ones", async (world) => {
    const { api, contactId, workflow, workspaceId } = await works(world)
    const body = { event: "several", contact_id: contactId }
    const decoded = {
      workspace_id: workspaceId,
      name: "Draft",
      trigger: { type: "external_event", event: "several" },
      actions: [{ type: "add_tag", tag: "told" }]
    }
    const { id } = await world.admin.post("/workflows", decoded)
    expect(matched(await api.post("/events", body))).toBe(0)
    await workflow("several")
    await workflow("several")
    expect(matched(await api.post("/events", body))).toBe(2)
    await world.admin.post(`/workflows/${id}/publish`)
    expect(matched(await api.post("/events", body))).toBe(3)
    await world.admin.post(`/workflows/${id}/unpublish`)
    expect(matched(await api.post("/events", body))).toBe(2)
  })
  proves("Automations · a workflow of another workspace does not count", async (world) => {
    const { api, contactId } = await works(world)
    await (await otherTenant(world)).workflow("elsewhere")
    expect(matched(await api.post("/events", { event: "elsewhere", contact_id: contactId }))).toBe(0)
  })

  proves("POST /events · identity · names the contact by channel and external_id, in any form", async (world) => {
    const { api, contactId, email, handle } = await works(world)
    for (const identity of [
      { channel: "email", external_id: email.toUpperCase() },
      { channel: "telegram", external_id: handle }
    ]) {
      expect(matched(await api.post("/events", { event: "order.shipped", identity }))).toBe(1)
      expect(matched(await api.post("/events", { event: "order.shipped", identity, contact_id: contactId }))).toBe(1)
    }
  })
  proves("POST /events · contact_id or identity · one is needed, and they must agree", async (world) => {
    const { api, email } = await works(world)
    expect(wrongFields(await api.post("/events", { event: "x" }))).toEqual(["contact_id", "identity"])
    const other = resource(await api.post("/contacts", { email: freshEmail() }), 201, Contact)
    const identity = { channel: "email", external_id: email }
    expect(wrongFields(await api.post("/events", { event: "x", contact_id: other.id, identity }))).not.toEqual([])
  })
  proves("POST /events · contact_id · an unknown, invisible or malformed one is 422", async (world) => {
    const { api } = await works(world)
    const elsewhere = (await otherTenant(world)).app.api
    const { id } = resource(await elsewhere.post("/contacts", { email: freshEmail() }), 201, Contact)
    for (const contact_id of [unknownId, id, "none", 5]) {
      expect(wrongFields(await api.post("/events", { event: "x", contact_id }))).toEqual(["contact_id"])
    }
  })
  proves("POST /events · identity · an unknown one is 422, as one that is malformed", async (world) => {
    const { api } = await works(world)
    const post = (identity: unknown) => api.post("/events", { event: "x", identity })
    expect(wrongFields(await post({ channel: "email", external_id: "nobody@customer.example" }))).toEqual(["identity"])
    expect(wrongFields(await post({ channel: "fax" }))).toEqual(["identity.channel", "identity.external_id"])
    expect(wrongFields(await post("grace"))).toEqual(["identity"])
  })

  proves("POST /events · dedupe_key · a duplicate is accepted, and still counts matching workflows", async (world) => {
    const { api, contactId } = await works(world)
    const body = { event: "order.shipped", contact_id: contactId, dedupe_key: "shipment 7" }
    for (let time = 0; time < 2; time++) expect(matched(await api.post("/events", body))).toBe(1)
    for (const dedupe_key of [5, "x".repeat(256)]) {
      expect(wrongFields(await api.post("/events", { ...body, dedupe_key }))).toEqual(["dedupe_key"])
    }
  })
  proves("POST /events · data · is a free-form object of at most 32 levels", async (world) => {
    const { api, contactId } = await works(world)
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
    const post = (data: unknown) => api.post("/events", { event: "order.shipped", contact_id: contactId, data })
    expect(matched(await post({ order: { number: "A-1", lines: [1, null, true, "é"] } }))).toBe(1)
    expect(matched(await post(nested(32)))).toBe(1)
    for (const data of [nested(33), "text", ["list"], 5]) expect(wrongFields(await post(data))).toEqual(["data"])
  })
}
