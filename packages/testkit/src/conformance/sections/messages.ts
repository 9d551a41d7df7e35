import { expect } from "vitest"
import { refusal, resource } from "../Answers.js"
import { type Behaviour, freshHandle } from "../Handles.js"
import { type Channel, Contact, InboundMessage, Message, OutboundMessage, SendAcknowledgement } from "../Resources.js"
import type { Section } from "../Suite.js"
import { shop } from "../shared.js"
import type { Tenant } from "../Workspace.js"
import type { World } from "../World.js"

const send = async (tenant: Tenant, channel: Channel, behaviour: Behaviour) => {
  const to = freshHandle(channel, behaviour)
  if (channel !== "telegram" && channel !== "email" && channel !== "webchat") {
    await tenant.inbound(tenant.connections[channel], to)
  }
  const body = { channel, to, type: "text", external_reference: behaviour, message: { body: "Hello" } }
  return resource(await tenant.app.api.post("/messages", body), 202, SendAcknowledgement)
}

const read = async ({ app }: Tenant, id: string) => resource(await app.api.get(`/messages/${id}`), 200, OutboundMessage)

const reaches = (world: World, tenant: Tenant, id: string, status: string) =>
  world.until(`message ${id} is ${status}`, async () => {
    const message = await read(tenant, id)
    return message.status === status ? message : undefined
  })

/** Messages and their status (docs/reference/messages.md#message-status). */
export const messages: Section = ({ proves }) => {
  const last: ReadonlyArray<
    readonly [channel: Channel, status: "sent" | "delivered" | "read", times: ReadonlyArray<boolean>]
  > = [
    ["whatsapp", "read", [true, true, true]],
    ["telegram", "sent", [true, false, false]],
    ["email", "delivered", [true, true, false]],
    ["webchat", "read", [true, true, true]],
    ["instagram", "read", [true, true, true]],
    ["facebook", "read", [true, true, true]]
  ]
  for (const [channel, status, times] of last) {
    proves(`Message status · queued → ${status} · on ${channel}, the last status there`, async (world) => {
      const tenant = await shop(world)
      const { message_id, ...acknowledged } = await send(tenant, channel, "deliver")
      const message = await reaches(world, tenant, message_id, status)
      const reached = [message.sent_at, message.delivered_at, message.read_at]
      expect(reached.map((time) => time !== null)).toEqual(times)
      const known = reached.filter((time) => time !== null)
      expect(known).toEqual([...known].sort())
      expect(message).toMatchObject({
        ...{ id: message_id, external_reference: "deliver", direction: "outbound", type: "text", body: "Hello" },
        ...{ attachments: [], error: null, connection_id: acknowledged.connection_id },
        ...{ conversation_id: acknowledged.conversation_id, contact_id: acknowledged.contact_id }
      })
    })
  }

  proves("Message status · sent → failed · the error has a code and a message", async (world) => {
    const tenant = await shop(world)
    const { message_id } = await send(tenant, "whatsapp", "fail")
    const message = await reaches(world, tenant, message_id, "failed")
    expect(message.error?.code).toBe("provider_error")
    expect([message.sent_at === null, message.delivered_at, message.read_at]).toEqual([false, null, null])
  })
  proves("Message status · delivered · is the last if the customer does not read", async (world) => {
    const tenant = await shop(world)
    const { message_id } = await send(tenant, "whatsapp", "unread")
    expect((await reaches(world, tenant, message_id, "delivered")).read_at).toBeNull()
    // Another message that was sent later is read by now; this one keeps its status.
    await reaches(world, tenant, (await send(tenant, "whatsapp", "deliver")).message_id, "read")
    expect((await read(tenant, message_id)).status).toBe("delivered")
  })
  proves("Message status · queued · is kept while the outcome is unknown", async (world) => {
    const tenant = await shop(world)
    const { message_id } = await send(tenant, "whatsapp", "timeout")
    await reaches(world, tenant, (await send(tenant, "whatsapp", "deliver")).message_id, "read")
    expect(await read(tenant, message_id)).toMatchObject({ status: "queued", sent_at: null, error: null })
  })
  proves("Message status · queued → sent · a throttled send stays queued and is not dropped", async (world) => {
    const tenant = await shop(world)
    const { message_id } = await send(tenant, "whatsapp", "throttle")
    await reaches(world, tenant, message_id, "read")
  })
  proves("Message status · queued → sent · a late verdict is 202 too", async (world) => {
    const tenant = await shop(world)
    const { message_id } = await send(tenant, "telegram", "slow")
    await reaches(world, tenant, message_id, "sent")
  })

  proves("Message · inbound · appears as delivered with received_at, without a reference", async (world) => {
    const tenant = await shop(world)
    const from = freshHandle("telegram")
    const { id } = await tenant.inbound(tenant.connections.telegram, from, "Where is my order?")
    const message = resource(await tenant.app.api.get(`/messages/${id}`), 200, InboundMessage)
    expect(message).toMatchObject({
      ...{ direction: "inbound", status: "delivered", type: "text", body: "Where is my order?" },
      ...{ external_reference: null, attachments: [], error: null, sent_at: null, delivered_at: null, read_at: null },
      connection_id: tenant.connections.telegram
    })
    const contact = resource(await tenant.app.api.get(`/contacts/${message.contact_id}`), 200, Contact)
    expect(contact.identities.map(({ handle }) => handle)).toEqual([from])
    expect(contact.last_activity_at >= message.received_at).toBe(true)
  })

  proves("GET /messages/{id} · an unknown or missing id is 404", async (world) => {
    const { api } = (await shop(world)).app
    for (const id of ["01890a5d-ac96-774b-bcce-b302099a8057", "none", "%00", "1"]) {
      refusal(await api.get(`/messages/${id}`), 404, "not_found")
    }
  })
  proves("GET /messages/{id} · only messages on allow-listed channels are visible; others give 404", async (world) => {
    const tenant = await shop(world)
    const inbound = await tenant.inbound(tenant.connections.telegram, freshHandle("telegram"))
    const narrow = await tenant.application({ connection_ids: [tenant.connections.email] })
    resource(await tenant.app.api.get(`/messages/${inbound.id}`), 200, Message)
    refusal(await narrow.api.get(`/messages/${inbound.id}`), 404, "not_found")
    await world.admin.patch(`/applications/${narrow.id}`, { connection_ids: [tenant.connections.telegram] })
    resource(await narrow.api.get(`/messages/${inbound.id}`), 200, Message)
  })
}
