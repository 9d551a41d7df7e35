import { expect } from "vitest"
import { resource, wrongFields } from "../Answers.js"
import { freshEmail } from "../Handles.js"
import { Contact, Lead } from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { otherTenant } from "../shared.js"

const unknownId = "01890a5d-ac96-774b-bcce-b302099a8057"

const sales = once(async (world) => {
  const tenant = await world.tenant([])
  const { workspaceId, app } = tenant
  const pipeline = (name: string, ...keys: ReadonlyArray<string>) =>
    world.admin.post("/pipelines", {
      ...{ workspace_id: workspaceId, name },
      stages: keys.map((key) => ({ key, name: key.toUpperCase() }))
    })
  const first = await pipeline("Sales", "new", "won")
  const second = await pipeline("Support", "opened", "solved")
  const contact = resource(await app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
  const post = (fields: object) => app.api.post("/leads", { contact_id: contact.id, ...fields })
  return { ...tenant, first: first.id, second: second.id, contactId: contact.id, post }
})

/** Leads (docs/reference/leads.md#creating-a-lead). */
export const leads: Section = ({ proves }) => {
  proves("POST /leads · answers 201 with the lead, in the first stage of the default pipeline", async (world) => {
    const { post, first, contactId } = await sales(world)
    const lead = resource(await post({}), 201, Lead)
    expect(lead).toMatchObject({
      ...{ contact_id: contactId, pipeline_id: first, stage: "new", title: null, value: null, currency: null },
      updated_at: lead.created_at
    })
  })
  proves("POST /leads · takes pipeline, stage, title, value and currency", async (world) => {
    const { post, second } = await sales(world)
    const given = { pipeline_id: second, stage: "solved", title: "A big one", value: 12.5, currency: "EUR" }
    expect(resource(await post(given), 201, Lead)).toMatchObject(given)
    expect(resource(await post({ pipeline_id: second }), 201, Lead).stage).toBe("opened")
    expect(resource(await post({ stage: "won" }), 201, Lead).stage).toBe("won")
  })
  const wrong: ReadonlyArray<readonly [field: string, ...values: ReadonlyArray<unknown>]> = [
    ["contact_id", undefined, null, unknownId, "none", 5],
    ["pipeline_id", unknownId, "none", 5],
    ["stage", "opened", "nowhere", 5],
    ["title", 5, "x".repeat(256)],
    ["value", "12", -1, true],
    ["currency", "EURO", 5]
  ]
  for (const [field, ...values] of wrong) {
    proves(`POST /leads · ${field} · an unknown or malformed value is 422`, async (world) => {
      const { post } = await sales(world)
      for (const value of values) expect(wrongFields(await post({ [field]: value })), String(value)).toEqual([field])
    })
  }
  proves("POST /leads · contact_id and pipeline_id · those of another workspace are unknown", async (world) => {
    const { post, contactId, first } = await sales(world)
    const elsewhere = await otherTenant(world)
    const stages = [{ key: "new", name: "New" }]
    await world.admin.post("/pipelines", { workspace_id: elsewhere.workspaceId, name: "Theirs", stages })
    const foreign = resource(await elsewhere.app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
    expect(wrongFields(await post({ contact_id: foreign.id }))).toEqual(["contact_id"])
    const theirs = await elsewhere.app.api.post("/leads", { contact_id: foreign.id, pipeline_id: first })
    expect(wrongFields(theirs)).toEqual(["pipeline_id"])
    expect(wrongFields(await elsewhere.app.api.post("/leads", { contact_id: contactId }))).toEqual(["contact_id"])
  })
  proves("POST /leads · pipeline_id · is required if the workspace has no pipeline", async (world) => {
    const { app } = await world.tenant([])
    const { id } = resource(await app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
    expect(wrongFields(await app.api.post("/leads", { contact_id: id }))).toEqual(["pipeline_id"])
  })
}
