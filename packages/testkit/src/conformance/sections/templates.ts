import { expect } from "vitest"
import { page, resource, wrongFields } from "../Answers.js"
import { freshNumber } from "../Handles.js"
import { SendAcknowledgement, Template } from "../Resources.js"
import { once, type Section } from "../Suite.js"

const rack = once(async (world) => {
  const tenant = await world.tenant(["whatsapp"])
  const made = [
    { name: "zebra", language: "en", body: "Hello {{1}}, {{2}} and {{1}}", category: "utility" },
    { name: "Apple", language: "de", body: "Hallo", category: "marketing" },
    { name: "mango", language: "en", body: "Hi" },
    ...["draft", "pending", "rejected", "paused"].map((status) => ({ name: `kiwi ${status}`, language: "fr", status }))
  ]
  for (const fields of made) await tenant.template(fields)
  return tenant
})

/** Templates (docs/reference/templates.md#listing-templates). */
export const templates: Section = ({ proves }) => {
  const list = async (world: Parameters<typeof rack>[0], query = {}) =>
    page(await (await rack(world)).app.api.get("/templates", query), Template)

  proves("GET /templates · is a page-numbered list of the sendable ones, ordered by name", async (world) => {
    const { data, meta } = await list(world)
    expect(data.map(({ name }) => name)).toEqual(["Apple", "mango", "zebra"])
    expect(meta).toEqual({ current_page: 1, per_page: 25, total: 3, last_page: 1 })
  })
  proves(
    "Template · fields · are name, channel, language, category, status, is_sendable, body and slots",
    async (world) => {
      const zebra = (await list(world)).data[2]
      expect(zebra).toMatchObject({
        ...{ name: "zebra", channel: "whatsapp", language: "en", category: "utility", status: "approved" },
        ...{ is_sendable: true, body: "Hello {{1}}, {{2}} and {{1}}", variables: ["1", "2"] }
      })
    }
  )
  proves("GET /templates · language · filters", async (world) => {
    expect((await list(world, { language: "en" })).data.map(({ name }) => name)).toEqual(["mango", "zebra"])
    expect((await list(world, { language: "xx" })).data).toEqual([])
  })
  proves("GET /templates · include_unapproved · includes the others, with their status", async (world) => {
    const { data } = await list(world, { include_unapproved: true })
    expect(data.map(({ name, status, is_sendable }) => [name, status, is_sendable])).toEqual([
      ["Apple", "approved", true],
      ["kiwi draft", "draft", false],
      ["kiwi paused", "paused", false],
      ["kiwi pending", "pending", false],
      ["kiwi rejected", "rejected", false],
      ["mango", "approved", true],
      ["zebra", "approved", true]
    ])
    expect((await list(world, { include_unapproved: false })).data).toHaveLength(3)
    expect((await list(world, { include_unapproved: true, language: "fr" })).data).toHaveLength(4)
  })
  for (const [name, value] of [
    ["include_unapproved", "perhaps"],
    ["per_page", "101"],
    ["page", "0"],
    ["language", "x".repeat(11)]
  ] as const) {
    proves(`GET /templates · ${name} · a value out of range is 422`, async (world) => {
      expect(wrongFields(await (await rack(world)).app.api.get("/templates", { [name]: value }))).toEqual([name])
    })
  }
  proves("Template · is_sendable · is true for templates that can be sent", async (world) => {
    const { app } = await rack(world)
    for (const { name, language, variables, is_sendable } of (await list(world, { include_unapproved: true })).data) {
      const body = {
        channel: "whatsapp",
        to: freshNumber(),
        type: "template",
        message: { template: name, language, variables }
      }
      const answer = await app.api.post("/messages", body)
      if (is_sendable) resource(answer, 202, SendAcknowledgement)
      else expect(answer.status, name).toBe(422)
    }
  })
  proves("Template · status · a change takes effect at once", async (world) => {
    const { app, template } = await world.tenant(["whatsapp"])
    const { id } = await template({ name: "later", status: "pending" })
    const names = async () => page(await app.api.get("/templates"), Template).data.map(({ name }) => name)
    expect(await names()).toEqual([])
    await world.admin.patch(`/templates/${id}`, { status: "approved" })
    for (let host = 0; host < 2; host++) expect(await names()).toEqual(["later"])
  })
}
