import type { Schema } from "effect"
import { expect } from "vitest"
import { resource } from "../Answers.js"
import { expectDelivery, isSignedWith } from "../Deliveries.js"
import { type Behaviour, freshEmail, freshHandle, freshNumber } from "../Handles.js"
import type { Arrival } from "../Receiver.js"
import {
  Contact,
  Conversation,
  InboundMessage,
  Lead,
  OutboundMessage,
  SendAcknowledgement,
  uuidPattern
} from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { shaped } from "../shaped.js"
import { eventTypes } from "../Tables.js"
import type { Endpoint } from "../Workspace.js"
import type { World } from "../World.js"

/** A workspace whose application subscribes to every event. */
const hub = once(async (world) => {
  const tenant = await world.tenant(["whatsapp", "telegram", "email"])
  await world.admin.post("/pipelines", {
    ...{ workspace_id: tenant.workspaceId, name: "Sales" },
    stages: ["new", "won"].map((key) => ({ key, name: key }))
  })
  const receiver = await tenant.endpoint(tenant.app, world.inbox())
  return { ...tenant, receiver, api: tenant.app.api }
})

/** The webhook about this resource, checked as every delivery is. */
const delivered = async (world: World, { arrivals, secret }: Endpoint, type: string, id: string): Promise<Arrival> => {
  const about = String(eventTypes[type]?.[0])
  const arrival = await world.until(`${type} of ${id}`, () =>
    arrivals.find(({ body }) => body.type === type && (body.data[about] as { readonly id: string }).id === id)
  )
  expectDelivery(arrival, secret)
  expect(Object.keys(arrival.body.data).sort()).toEqual([...(eventTypes[type] ?? [])].sort())
  return arrival
}

const of = <A, I>(schema: Schema.Schema<A, I>, arrival: Arrival): A =>
  shaped(schema, Object.values(arrival.body.data)[0], arrival.body.type)

const send = async (world: World, behaviour: Behaviour, fields: object = {}) => {
  const { api } = await hub(world)
  const body = { channel: "telegram", to: freshHandle("telegram", behaviour), type: "text", message: { body: "Hello" } }
  return resource(await api.post("/messages", { ...body, ...fields }), 202, SendAcknowledgement)
}

/** A message that its customer reads. */
const journey = once(async (world) => {
  const { connections, inbound } = await hub(world)
  const to = freshNumber()
  await inbound(connections.whatsapp, to)
  return send(world, "deliver", { channel: "whatsapp", to, external_reference: "order 7" })
})

/** Webhooks: event types, delivery and signature (docs/reference/events.md#event-types). */
export const webhooks: Section = ({ proves }) => {
  const steps = ["queued", "sent", "delivered", "read"] as const
  for (const [index, status] of steps.entries()) {
    proves(`Event types · message.${status} · has the message at that time, with its reference`, async (world) => {
      const { message_id } = await journey(world)
      const arrival = await delivered(world, (await hub(world)).receiver, `message.${status}`, message_id)
      const message = of(OutboundMessage, arrival)
      expect(message.status).toBe(status)
      expect([message.sent_at, message.delivered_at, message.read_at].map((time) => time !== null)).toEqual(
        [1, 2, 3].map((step) => step <= index)
      )
      expect([arrival.body.external_reference, message.external_reference]).toEqual(["order 7", "order 7"])
    })
  }
  proves("Event types · message.failed · has the error", async (world) => {
    const { message_id } = await send(world, "fail")
    const arrival = await delivered(world, (await hub(world)).receiver, "message.failed", message_id)
    expect(of(OutboundMessage, arrival)).toMatchObject({ status: "failed", error: { code: "provider_error" } })
  })
  proves("Event types · message.failed · is also sent for a send that was answered 502", async (world) => {
    const { api, receiver: endpoint } = await hub(world)
    const body = { channel: "email", to: freshEmail("reject"), type: "text", message: { body: "Hello" } }
    const { json } = await api.post("/messages", body)
    await delivered(world, endpoint, "message.failed", (json as any).error.details.message_id)
  })
  proves("Event types · message.received · has the inbound message, without a reference", async (world) => {
    const { connections, receiver: endpoint, inbound } = await hub(world)
    const { id } = await inbound(connections.telegram, freshHandle("telegram"), "Where is it?")
    const arrival = await delivered(world, endpoint, "message.received", id)
    expect(of(InboundMessage, arrival).body).toBe("Where is it?")
    expect(arrival.body).not.toHaveProperty("external_reference")
  })
  proves("Event types · conversation.created and contact.created · by an inbound message", async (world) => {
    const { connections, receiver: endpoint, inbound } = await hub(world)
    const message = await inbound(connections.whatsapp, freshNumber())
    const conversation = of(
      Conversation,
      await delivered(world, endpoint, "conversation.created", message.conversation_id)
    )
    expect(conversation).toMatchObject({ status: "open", channel: "whatsapp", contact_id: message.contact_id })
    const closes = Date.parse(message.received_at) + 24 * 3_600_000
    expect(conversation.service_window_expires_at).toBe(new Date(closes).toISOString())
    const arrival = await delivered(world, endpoint, "contact.created", message.contact_id)
    expect(of(Contact, arrival).identities).toHaveLength(1)
    expect(arrival.body).not.toHaveProperty("external_reference")
  })
  proves("Event types · conversation.created and contact.created · by a send", async (world) => {
    const { receiver: endpoint } = await hub(world)
    const { contact_id, conversation_id } = await send(world, "deliver")
    await delivered(world, endpoint, "conversation.created", conversation_id)
    await delivered(world, endpoint, "contact.created", contact_id)
  })
  proves("Event types · contact.created · by the API, equal to the response", async (world) => {
    const { api, receiver: endpoint } = await hub(world)
    const made = resource(await api.post("/contacts", { email: freshEmail(), tags: ["vip"] }), 201, Contact)
    expect(of(Contact, await delivered(world, endpoint, "contact.created", made.id))).toEqual(made)
  })
  proves("Event types · contact.updated · an identity was added", async (world) => {
    const { api, connections, receiver: endpoint, inbound } = await hub(world)
    const phone = freshNumber()
    const { id } = resource(await api.post("/contacts", { phone }), 201, Contact)
    await inbound(connections.whatsapp, phone)
    const contact = of(Contact, await delivered(world, endpoint, "contact.updated", id))
    expect(contact.identities.map(({ channel }) => channel).sort()).toEqual(["phone", "whatsapp"])
  })
  proves("Event types · lead.created and lead.stage_changed · with both stages", async (world) => {
    const { api, receiver: endpoint } = await hub(world)
    const contact = resource(await api.post("/contacts", { email: freshEmail() }), 201, Contact)
    const lead = resource(await api.post("/leads", { contact_id: contact.id, title: "Big" }), 201, Lead)
    expect(of(Lead, await delivered(world, endpoint, "lead.created", lead.id))).toEqual(lead)
    await world.admin.patch(`/leads/${lead.id}`, { stage: "won" })
    const arrival = await delivered(world, endpoint, "lead.stage_changed", lead.id)
    expect(of(Lead, arrival).stage).toBe("won")
    expect(arrival.body.data).toMatchObject({ from_stage: "new", to_stage: "won" })
  })
  proves("Event types · conversation.status_changed · with the previous status", async (world) => {
    const { connections, receiver: endpoint, inbound } = await hub(world)
    const { conversation_id } = await inbound(connections.telegram, freshHandle("telegram"))
    await world.admin.patch(`/conversations/${conversation_id}`, { status: "resolved" })
    const arrival = await delivered(world, endpoint, "conversation.status_changed", conversation_id)
    expect(of(Conversation, arrival).status).toBe("resolved")
    expect(arrival.body.data.previous_status).toBe("open")
  })
  proves("Event types · conversation.assigned · with the previous assignee", async (world) => {
    const { connections, receiver: endpoint, inbound, workspaceId } = await hub(world)
    const { conversation_id } = await inbound(connections.telegram, freshHandle("telegram"))
    const agent = await world.admin.post("/agents", { workspace_id: workspaceId, name: "Grace" })
    await world.admin.patch(`/conversations/${conversation_id}`, { assigned_user_id: agent.id })
    const arrival = await delivered(world, endpoint, "conversation.assigned", conversation_id)
    expect(of(Conversation, arrival).assigned_user_id).toBe(agent.id)
    expect(arrival.body.data).toMatchObject({ previous_user_id: null, previous_team_id: null })
  })
  proves("Event types · webhook.test · on demand, to one endpoint, independent of its subscriptions", async (world) => {
    const { app, receiver, endpoint } = await hub(world)
    const one = await endpoint(app, world.inbox(), ["lead.created"])
    await world.admin.post(`/webhook-endpoints/${one.id}/test`)
    const arrival = await world.until("the test", () => one.arrivals.find(({ body }) => body.type === "webhook.test"))
    expectDelivery(arrival, one.secret)
    expect(arrival.body.data).toEqual({ test: { message: expect.any(String), endpoint_id: one.id } })
    const others = await world.admin.list(`/webhook-endpoints/${receiver.id}/deliveries`, { limit: 100 })
    expect(others.map(({ event_type }) => event_type)).not.toContain("webhook.test")
  })
  proves("Delivery · external_reference · is null by default", async (world) => {
    const { message_id } = await send(world, "deliver")
    const arrival = await delivered(world, (await hub(world)).receiver, "message.queued", message_id)
    expect(arrival.body).toHaveProperty("external_reference", null)
  })
  proves(
    "Delivery · X-Webhook-ID · is the event id: the same at every endpoint, with one delivery each",
    async (world) => {
      const { api, app, receiver, endpoint } = await hub(world)
      const second = await endpoint(app, world.inbox(), ["contact.created"])
      const { id } = resource(await api.post("/contacts", { email: freshEmail() }), 201, Contact)
      const [one, other] = [
        await delivered(world, receiver, "contact.created", id),
        await delivered(world, second, "contact.created", id)
      ]
      expect(one.raw.equals(other.raw)).toBe(true)
      expect(one.headers["x-webhook-id"]).toBe(other.headers["x-webhook-id"])
      expect(one.headers["x-delivery-id"]).not.toBe(other.headers["x-delivery-id"])
      expect(one.headers["x-delivery-attempt"]).toBe("1")
      expect(isSignedWith(receiver.secret, other)).toBe(false)
    }
  )

  proves("Subscribing · secret · begins with whsec_ and is shown once", async (world) => {
    const { app, receiver: endpoint } = await hub(world)
    expect(endpoint.secret).toMatch(/^whsec_\S{16,}$/)
    const shown = [
      await world.admin.get(`/webhook-endpoints/${endpoint.id}`),
      await world.admin.list(`/applications/${app.id}/webhook-endpoints`)
    ]
    expect(JSON.stringify(shown)).not.toContain("whsec_")
    expect(endpoint.id).toMatch(uuidPattern)
  })
  proves("Subscribing · rotation takes effect at once, and the old secret stops working", async (world) => {
    const { app, endpoint } = await hub(world)
    const one = await endpoint(app, world.inbox(), ["lead.created"])
    const { secret } = await world.admin.post(`/webhook-endpoints/${one.id}/rotate-secret`)
    expect(secret).not.toBe(one.secret)
    await world.admin.post(`/webhook-endpoints/${one.id}/test`)
    const arrival = await world.until("the test", () => one.arrivals[0])
    expect([isSignedWith(one.secret, arrival), isSignedWith(String(secret), arrival)]).toEqual([false, true])
  })
  proves("Subscribing · events · are those of the list, or all by *", async (world) => {
    const tenant = await world.tenant(["telegram"])
    const { app, connections } = tenant
    const types = async (events: ReadonlyArray<string>) => {
      const { id } = await tenant.endpoint(app, world.inbox(), events)
      return async () =>
        (await world.admin.list(`/webhook-endpoints/${id}/deliveries`)).map(({ event_type }) => event_type).sort()
    }
    const one = await types(["message.received"])
    const two = await types(["contact.created", "conversation.created"])
    const all = await types(["*"])
    await tenant.inbound(connections.telegram, freshHandle("telegram"))
    expect(await one()).toEqual(["message.received"])
    expect(await two()).toEqual(["contact.created", "conversation.created"])
    expect(await all()).toEqual(["contact.created", "conversation.created", "message.received"])
  })
  proves("Subscribing · events · accept each type of the table", async (world) => {
    const { app } = await hub(world)
    const body = { url: world.inbox().url, events: Object.keys(eventTypes) }
    const made = await world.admin.post(`/applications/${app.id}/webhook-endpoints`, body)
    expect(made.events).toEqual(body.events)
    await world.admin.delete(`/webhook-endpoints/${made.id}`)
  })
}
