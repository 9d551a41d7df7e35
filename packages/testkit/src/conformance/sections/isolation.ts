import { expect } from "vitest"
import { cursorPage, page, refusal, resource, wrongFields } from "../Answers.js"
import { freshEmail, freshHandle, freshNumber } from "../Handles.js"
import {
  Contact,
  Conversation,
  ListedChannel,
  ListedContact,
  Message,
  OutboundMessage,
  SendAcknowledgement,
  Template
} from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { otherTenant } from "../shared.js"
import type { Application } from "../Workspace.js"
import type { World } from "../World.js"

const text = (to: string, fields: object = {}) => ({
  ...{ channel: "telegram", to, type: "text", message: { body: "Hello" } },
  ...fields
})

const send = async ({ api }: Application, body: object) =>
  resource(await api.post("/messages", body), 202, SendAcknowledgement)

const eventsTo = async (world: World, endpoint: { readonly id: string }) =>
  (await world.admin.list(`/webhook-endpoints/${endpoint.id}/deliveries`, { limit: 100 })).map(
    ({ event_type }) => event_type
  )

/** Two applications on the same connections, in a conversation with messages of both and of the customer. */
const neighbours = once(async (world) => {
  const tenant = await world.workspace(["telegram"])
  const one = await tenant.application()
  const other = await tenant.application()
  const [oneEndpoint, otherEndpoint] = [
    await tenant.endpoint(one, world.inbox()),
    await tenant.endpoint(other, world.inbox())
  ]
  const to = freshHandle("telegram")
  const inbound = await tenant.inbound(tenant.connections.telegram, to)
  const [mine, theirs] = [await send(one, text(to)), await send(other, text(to))]
  for (const [app, { message_id }] of [
    [one, mine],
    [other, theirs]
  ] as const) {
    await world.until("it is sent", async () =>
      resource(await app.api.get(`/messages/${message_id}`), 200, OutboundMessage).status === "sent" ? true : undefined
    )
  }
  return { one, other, oneEndpoint, otherEndpoint, incoming: inbound, mine, theirs }
})

/**
 * Isolation of applications, workspaces and modes, and the effects of suspension
 * (docs/reference/authentication.md#visibility).
 */
export const isolation: Section = ({ proves }) => {
  proves("Isolation · two applications of one workspace · never read each other's messages", async (world) => {
    const { one, other, incoming, mine, theirs } = await neighbours(world)
    for (const [app, own, foreign] of [
      [one, mine, theirs],
      [other, theirs, mine]
    ] as const) {
      refusal(await app.api.get(`/messages/${foreign.message_id}`), 404, "not_found")
      const list = cursorPage(await app.api.get(`/conversations/${incoming.conversation_id}/messages`), Message)
      expect(list.data.map(({ id }) => id)).toEqual([own.message_id, incoming.id])
    }
  })
  proves(
    "Isolation · two applications of one workspace · never receive events of each other's messages",
    async (world) => {
      const { mine, oneEndpoint, otherEndpoint, theirs } = await neighbours(world)
      for (const [endpoint, own] of [
        [oneEndpoint, mine],
        [otherEndpoint, theirs]
      ] as const) {
        const types = await eventsTo(world, endpoint)
        expect([...types].sort()).toEqual([
          ...["contact.created", "conversation.created", "message.queued", "message.received", "message.sent"]
        ])
        const received = await world.until("message.sent", () =>
          endpoint.arrivals.find(({ body }) => body.type === "message.sent")
        )
        expect((received.body.data.message as { readonly id: string }).id).toBe(own.message_id)
      }
    }
  )
  proves(
    "Isolation · allow-list · other connections are invisible and send no events; contacts are visible",
    async (world) => {
      const tenant = await world.workspace(["telegram", "email"])
      const narrow = await tenant.application({ connection_ids: [tenant.connections.email] })
      const endpoint = await tenant.endpoint(narrow, world.inbox())
      const { contact_id, conversation_id, id } = await tenant.inbound(
        tenant.connections.telegram,
        freshHandle("telegram")
      )
      refusal(await narrow.api.get(`/messages/${id}`), 404, "not_found")
      refusal(await narrow.api.get(`/conversations/${conversation_id}`), 404, "not_found")
      refusal(await narrow.api.get(`/conversations/${conversation_id}/messages`), 404, "not_found")
      expect(cursorPage(await narrow.api.get("/conversations"), Conversation).data).toEqual([])
      resource(await narrow.api.get(`/contacts/${contact_id}`), 200, Contact)
      expect(await eventsTo(world, endpoint)).toEqual(["contact.created"])
    }
  )
  proves("Isolation · two workspaces · are isolated from each other", async (world) => {
    const [ours, theirs] = [await world.tenant(["telegram", "whatsapp"]), await world.tenant(["telegram"])]
    const endpoint = await theirs.endpoint(theirs.app, world.inbox())
    await ours.template({ name: "ours" })
    const sent = await send(ours.app, text(freshHandle("telegram")))
    const { api } = theirs.app
    for (const path of [
      `/messages/${sent.message_id}`,
      `/contacts/${sent.contact_id}`,
      `/conversations/${sent.conversation_id}`
    ]) {
      refusal(await api.get(path), 404, "not_found")
    }
    expect(page(await api.get("/contacts"), ListedContact).meta.total).toBe(0)
    expect(page(await api.get("/templates", { include_unapproved: true }), Template).meta.total).toBe(0)
    expect(cursorPage(await api.get("/conversations"), Conversation).data).toEqual([])
    expect(page(await api.get("/channels"), ListedChannel).data.map(({ id }) => id)).toEqual([
      theirs.connections.telegram
    ])
    refusal(await api.post("/messages", text("ada", { connection_id: ours.connections.telegram })), 403, "forbidden")
    const template = { channel: "whatsapp", to: freshNumber(), type: "template", message: { template: "ours" } }
    expect(wrongFields(await api.post("/messages", template))).toEqual(["message.template"])
    expect(await eventsTo(world, endpoint)).toEqual([])
  })

  proves(
    "Authentication · rule 6 · a test application uses connections marked as test, a live one the others",
    async (world) => {
      const tenant = await world.workspace([])
      const [live, test] = [
        await tenant.connection("telegram", { is_test: false, handle: "live-bot" }),
        await tenant.connection("telegram", { is_test: true, handle: "test-bot" })
      ]
      for (const [mode, own, foreign] of [
        ["live", live, test],
        ["test", test, live]
      ] as const) {
        const app = await tenant.application({ mode, connection_ids: [own.id] })
        expect((await send(app, text(freshHandle("telegram")))).connection_id).toBe(own.id)
        refusal(await app.api.post("/messages", text("ada", { connection_id: foreign.id })), 403, "forbidden")
        const patch = await world.admin.caller.patch(`/applications/${app.id}`, {
          connection_ids: [own.id, foreign.id]
        })
        expect(wrongFields(patch).map((name) => name.split(".")[0])).toEqual(["connection_ids"])
      }
    }
  )
  proves(
    "Authentication · rule 6 · the interface and webhooks are otherwise the same, for a live application",
    async (world) => {
      const tenant = await world.workspace([])
      const { id } = await tenant.connection("telegram", { is_test: false })
      const app = await tenant.application({ mode: "live", connection_ids: [id] })
      const endpoint = await tenant.endpoint(app, world.inbox(), ["message.sent"])
      const { message_id } = await send(app, text(freshHandle("telegram")))
      const received = await world.until("message.sent", () => endpoint.arrivals[0])
      expect((received.body.data.message as { readonly id: string }).id).toBe(message_id)
      expect(page(await app.api.get("/channels"), ListedChannel).data).toMatchObject([{ id, is_test: false }])
    }
  )
  proves("Applications · an allow-list of another workspace's connections is refused", async (world) => {
    const [ours, theirs] = [await world.tenant([]), await otherTenant(world)]
    const body = { connection_ids: [theirs.connections.telegram] }
    const patch = await world.admin.caller.patch(`/applications/${ours.app.id}`, body)
    expect(wrongFields(patch).map((name) => name.split(".")[0])).toEqual(["connection_ids"])
  })

  proves("Suspended application · receives no webhooks; accepted messages are still sent", async (world) => {
    const tenant = await world.workspace(["telegram"])
    const app = await tenant.application()
    const endpoint = await tenant.endpoint(app, world.inbox(), ["contact.created", "message.received"])
    const { message_id } = await send(app, text(freshHandle("telegram", "throttle")))
    const delivered = await eventsTo(world, endpoint)
    await world.admin.patch(`/applications/${app.id}`, { status: "suspended" })
    await tenant.inbound(tenant.connections.telegram, freshHandle("telegram"))
    expect(await eventsTo(world, endpoint)).toEqual(delivered)
    await world.admin.patch(`/applications/${app.id}`, { status: "active" })
    await world.until("the message is sent", async () =>
      resource(await app.api.get(`/messages/${message_id}`), 200, OutboundMessage).status === "sent" ? true : undefined
    )
  })
  proves("Errors · workspace_suspended · 423: the workspace answers reads and refuses writes", async (world) => {
    const tenant = await world.tenant(["telegram"])
    const { app, workspaceId, connections } = tenant
    const from = freshHandle("telegram")
    const before = await tenant.inbound(connections.telegram, from)
    await world.admin.patch(`/workspaces/${workspaceId}`, { status: "suspended" })
    for (let host = 0; host < 2; host++) {
      for (const path of ["/contacts", "/conversations", "/templates", "/channels", `/messages/${before.id}`]) {
        expect((await app.api.get(path)).status, path).toBe(200)
      }
      const writes = [
        ["/contacts", { email: freshEmail() }],
        ["/messages", text(from)],
        ["/leads", {}],
        ["/events", {}]
      ] as const
      for (const [path, body] of writes) refusal(await app.api.post(path, body), 423, "workspace_suspended")
    }
    // Customers' messages are stored.
    const { conversation_id } = await tenant.inbound(connections.telegram, from, "Are you there?")
    const list = cursorPage(await app.api.get(`/conversations/${conversation_id}/messages`), Message)
    expect(list.data.map(({ body }) => body)).toEqual(["Are you there?", "Hi!"])
    await world.admin.patch(`/workspaces/${workspaceId}`, { status: "active" })
    await send(app, text(from))
  })
  proves(
    "Errors · workspace_unavailable · 423: the workspace refuses reads too, and becomes active again",
    async (world) => {
      const { app, workspaceId } = await world.tenant([])
      const move = (status: string) => world.admin.caller.patch(`/workspaces/${workspaceId}`, { status })
      await move("unavailable")
      refusal(await app.api.get("/contacts"), 423, "workspace_unavailable")
      refusal(await app.api.post("/contacts", { email: freshEmail() }), 423, "workspace_unavailable")
      for (const status of ["suspended", "unavailable"]) refusal(await move(status), 409, "invalid_tenant_transition")
      await move("active")
      page(await app.api.get("/contacts"), ListedContact)
    }
  )
}
