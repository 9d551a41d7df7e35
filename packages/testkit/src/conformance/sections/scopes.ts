import { expect } from "vitest"
import type { Answer } from "../Answer.js"
import { page, refusal, resource } from "../Answers.js"
import type { Caller } from "../Caller.js"
import { freshEmail, freshNumber } from "../Handles.js"
import { scopes as all, Contact, ListedChannel, OutboundMessage, SendAcknowledgement } from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { shop } from "../shared.js"
import type { World } from "../World.js"

const text = () => ({ channel: "email", to: freshEmail(), type: "text", message: { body: "Hi" } })
const template = () => ({ channel: "whatsapp", to: freshNumber(), type: "template", message: { template: "greeting" } })

/** Applications with one scope each, one without scopes, and a resource of each kind. */
const testTenant = once(async (world) => {
  const tenant = await shop(world)
  await tenant.template({ name: "greeting" })
  const contact = resource(await tenant.app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
  const inbound = await tenant.inbound(tenant.connections.email, freshEmail())
  const withScope = new Map<string, Caller>()
  for (const scope of ["", ...all]) {
    withScope.set(scope, (await tenant.application({ scopes: scope === "" ? [] : [scope] })).api)
  }
  return { ...tenant, contact, inbound, with: (scope: string) => withScope.get(scope) as Caller }
})
type TestTenant = Awaited<ReturnType<typeof testTenant>>

/** Each endpoint with its scopes, of which a caller needs one (docs/reference/authentication.md#scopes-by-endpoint). */
const rows: ReadonlyArray<
  readonly [what: string, scopes: ReadonlyArray<string>, call: (api: Caller, tenant: TestTenant) => Promise<Answer>]
> = [
  ["GET /contacts", ["contacts.read"], (api) => api.get("/contacts")],
  ["GET /contacts/{contact}", ["contacts.read"], (api, { contact }) => api.get(`/contacts/${contact.id}`)],
  ["POST /contacts", ["contacts.write"], (api) => api.post("/contacts", { email: freshEmail() })],
  ["POST /messages · text", ["messages.send"], (api) => api.post("/messages", text())],
  ["POST /messages · template", ["templates.send"], (api) => api.post("/messages", template())],
  ["GET /conversations", ["messages.read"], (api) => api.get("/conversations")],
  [
    "GET /conversations/{id}",
    ["messages.read"],
    (api, { inbound }) => api.get(`/conversations/${inbound.conversation_id}`)
  ],
  [
    "GET /conversations/{id}/messages",
    ["messages.read"],
    (api, { inbound }) => api.get(`/conversations/${inbound.conversation_id}/messages`)
  ],
  ["GET /templates", ["templates.read"], (api) => api.get("/templates")],
  ["POST /leads", ["leads.create"], (api, { contact }) => api.post("/leads", { contact_id: contact.id })],
  ["POST /events", ["events.send"], (api, { contact }) => api.post("/events", { event: "x", contact_id: contact.id })]
]

const sendAs = async (world: World, scopes: ReadonlyArray<string>) => {
  const { api, id } = await (await testTenant(world)).application({ scopes })
  const sent = resource(await api.post("/messages", text()), 202, SendAcknowledgement)
  return { api, id, sent }
}

/** Scopes (docs/reference/authentication.md#scopes). */
export const scopes: Section = ({ proves }) => {
  for (const [what, needed, call] of rows) {
    proves(`Scopes · ${what} · ${needed.join(" or ")} is sufficient and required`, async (world) => {
      const there = await testTenant(world)
      for (const scope of ["", ...all]) {
        const answer = await call(there.with(scope), there)
        if (needed.includes(scope)) expect(answer.status, `${scope}: ${answer.text}`).toBeLessThan(300)
        else {
          const { required_scope } = refusal(answer, 403, "forbidden")
          // A caller with neither scope of a send is refused before the body is read; the error names one of the two.
          expect(what.startsWith("POST /messages") ? ["messages.send", "templates.send"] : needed).toContain(
            required_scope
          )
        }
      }
    })
  }
  proves("Scopes · POST /messages · requires the scope of the type", async (world) => {
    const there = await testTenant(world)
    const textual = await there.with("templates.send").post("/messages", text())
    expect(refusal(textual, 403, "forbidden")).toEqual({ required_scope: "messages.send" })
    const templated = await there.with("messages.send").post("/messages", template())
    expect(refusal(templated, 403, "forbidden")).toEqual({ required_scope: "templates.send" })
  })
  proves("Scopes · GET /channels · any valid credential", async (world) => {
    for (const scope of ["", ...all]) page(await (await testTenant(world)).with(scope).get("/channels"), ListedChannel)
  })
  proves(
    "Scopes · GET /messages/{id} · messages.read reads inbound messages, messages.status does not",
    async (world) => {
      const there = await testTenant(world)
      const path = `/messages/${there.inbound.id}`
      expect((await there.with("messages.read").get(path)).status).toBe(200)
      refusal(await there.with("messages.status").get(path), 404, "not_found")
      for (const scope of ["", ...all.filter((one) => one !== "messages.read" && one !== "messages.status")]) {
        const { required_scope } = refusal(await there.with(scope).get(path), 403, "forbidden")
        expect(["messages.read", "messages.status"]).toContain(required_scope)
      }
    }
  )
  proves("Scopes · messages.status · reads the messages that the application sent", async (world) => {
    const { api, sent } = await sendAs(world, ["messages.send", "messages.status"])
    resource(await api.get(`/messages/${sent.message_id}`), 200, OutboundMessage)
    refusal(
      await (await testTenant(world)).with("messages.status").get(`/messages/${sent.message_id}`),
      404,
      "not_found"
    )
    refusal(await api.get("/conversations"), 403, "forbidden")
  })
  proves("Scopes · webhooks.receive · is required to register an endpoint and to receive events", async (world) => {
    const tenant = await world.tenant([])
    const app = await tenant.application({ scopes: ["contacts.write"] })
    const path = `/applications/${app.id}/webhook-endpoints`
    const body = { url: world.inbox().url, events: ["contact.created"] }
    const refused = await world.admin.caller.post(path, body, { key: null })
    expect(refusal(refused, 403, "forbidden")).toEqual({ required_scope: "webhooks.receive" })
    await world.admin.patch(`/applications/${app.id}`, { scopes: ["contacts.write", "webhooks.receive"] })
    const { id } = await tenant.endpoint(app, world.inbox(), ["contact.created"])
    const deliveries = async () => (await world.admin.list(`/webhook-endpoints/${id}/deliveries`)).length
    resource(await app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
    expect(await deliveries()).toBe(1)
    await world.admin.patch(`/applications/${app.id}`, { scopes: ["contacts.write"] })
    resource(await app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
    expect(await deliveries()).toBe(1)
  })
  proves("Scopes · an application can have the eleven scopes, and no other", async (world) => {
    const { application, workspaceId } = await testTenant(world)
    await application({ scopes: all })
    const body = { workspace_id: workspaceId, name: "x", mode: "test", scopes: ["contacts.delete"] }
    refusal(await world.admin.caller.post("/applications", body), 422, "validation_failed")
  })
}
