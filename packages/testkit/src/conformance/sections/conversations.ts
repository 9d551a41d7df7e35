import { expect } from "vitest"
import { cursorPage, refusal, resource, wrongFields } from "../Answers.js"
import { freshEmail, freshHandle } from "../Handles.js"
import { Conversation, Message, SendAcknowledgement } from "../Resources.js"
import { once, type Section } from "../Suite.js"

/** A workspace with three conversations; the first one has the latest activity. */
const desk = once(async (world) => {
  const tenant = await world.tenant(["email", "telegram"])
  const hidden = await tenant.connection("telegram", { handle: "hidden-bot" })
  const { telegram, email } = tenant.connections
  const ada = freshHandle("telegram")
  const first = await tenant.inbound(telegram, ada, "one")
  const second = await tenant.inbound(telegram, freshHandle("telegram"))
  const third = await tenant.inbound(email, freshEmail())
  const invisible = await tenant.inbound(hidden.id, ada)
  const { api } = tenant.app
  const reply = { channel: "telegram", to: ada, type: "text", message: { body: "two" } }
  const sent = resource(await api.post("/messages", reply), 202, SendAcknowledgement)
  const last = await tenant.inbound(telegram, ada, "three")
  return { ...tenant, api, ada, first, second, third, invisible, hidden: hidden.id, sent, last }
})

/** Conversations (docs/reference/conversations.md#conversation-fields). */
export const conversations: Section = ({ proves }) => {
  proves("GET /conversations · is a cursor list by last activity, newest first", async (world) => {
    const { api, first, second, third } = await desk(world)
    const { data, meta, links } = cursorPage(await api.get("/conversations"), Conversation)
    expect(data.map(({ id }) => id)).toEqual([first, third, second].map(({ conversation_id }) => conversation_id))
    expect(meta).toEqual({ per_page: 25, has_more: false })
    expect(links).toEqual({ next: null, prev: null })
  })
  proves("GET /conversations · contact_id · filters", async (world) => {
    const { api, third } = await desk(world)
    const { data } = cursorPage(await api.get("/conversations", { contact_id: third.contact_id }), Conversation)
    expect(data.map(({ id }) => id)).toEqual([third.conversation_id])
  })
  proves("GET /conversations · connection_id · filters", async (world) => {
    const { api, connections, first, second } = await desk(world)
    const query = { connection_id: connections.telegram }
    const { data } = cursorPage(await api.get("/conversations", query), Conversation)
    expect(data.map(({ id }) => id)).toEqual([first.conversation_id, second.conversation_id])
  })
  proves("GET /conversations · connection_id · an invisible one returns an empty list", async (world) => {
    const { api, hidden, invisible } = await desk(world)
    expect(cursorPage(await api.get("/conversations", { connection_id: hidden }), Conversation).data).toEqual([])
    const { data } = cursorPage(await api.get("/conversations", { contact_id: invisible.contact_id }), Conversation)
    expect(data.map(({ id }) => id)).not.toContain(invisible.conversation_id)
  })
  proves("GET /conversations · status · filters by the four values", async (world) => {
    const { api } = await desk(world)
    for (const [status, found] of [
      ["open", 3],
      ["pending", 0],
      ["resolved", 0],
      ["closed", 0]
    ] as const) {
      expect(cursorPage(await api.get("/conversations", { status }), Conversation).data).toHaveLength(found)
    }
  })
  const wrong = [
    ["contact_id", "none"],
    ["connection_id", "1"],
    ["status", "Open"],
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "2.5"],
    ["cursor", "none"]
  ] as const
  for (const [name, value] of wrong) {
    proves(`GET /conversations · ${name} · ${value} is 422`, async (world) => {
      expect(wrongFields(await (await desk(world)).api.get("/conversations", { [name]: value }))).toEqual([name])
    })
  }

  proves("Conversation · fields · of a conversation that a customer started", async (world) => {
    const { api, connections, first, last } = await desk(world)
    const answer = await api.get(`/conversations/${first.conversation_id}`)
    expect(resource(answer, 200, Conversation)).toMatchObject({
      ...{ contact_id: first.contact_id, connection_id: connections.telegram, channel: "telegram", status: "open" },
      ...{ assigned_user_id: null, assigned_team_id: null, service_window_expires_at: null },
      last_activity_at: last.received_at
    })
  })
  proves("Conversation · one per connection and handle", async (world) => {
    const { first, last, invisible } = await desk(world)
    expect(last.conversation_id).toBe(first.conversation_id)
    expect(invisible.conversation_id).not.toBe(first.conversation_id)
    expect(invisible.contact_id).toBe(first.contact_id)
  })
  proves("GET /conversations/{id} · an unknown or invisible id is 404", async (world) => {
    const { api, invisible } = await desk(world)
    for (const id of [invisible.conversation_id, invisible.id, "none", "%00"]) {
      refusal(await api.get(`/conversations/${id}`), 404, "not_found")
      refusal(await api.get(`/conversations/${id}/messages`), 404, "not_found")
    }
  })

  proves("GET /conversations/{id}/messages · is a cursor list, newest first", async (world) => {
    const { api, first, sent, last } = await desk(world)
    const { data, meta } = cursorPage(await api.get(`/conversations/${first.conversation_id}/messages`), Message)
    expect(data.map(({ id }) => id)).toEqual([last.id, sent.message_id, first.id])
    expect(data.map(({ body }) => body)).toEqual(["three", "two", "one"])
    expect(meta).toEqual({ per_page: 25, has_more: false })
  })
  for (const [name, value] of [
    ["limit", "0"],
    ["limit", "101"],
    ["cursor", "none"]
  ] as const) {
    proves(`GET /conversations/{id}/messages · ${name} · ${value} is 422`, async (world) => {
      const { api, first } = await desk(world)
      const answer = await api.get(`/conversations/${first.conversation_id}/messages`, { [name]: value })
      expect(wrongFields(answer)).toEqual([name])
    })
  }

  proves("Conversation status · can change to any other; the same is 409", async (world) => {
    const tenant = await world.tenant(["telegram"])
    const from = freshHandle("telegram")
    const { conversation_id } = await tenant.inbound(tenant.connections.telegram, from)
    const path = `/conversations/${conversation_id}`
    for (const status of ["pending", "resolved", "closed", "open", "resolved", "pending", "closed"]) {
      expect((await world.admin.patch(path, { status })).status).toBe(status)
      refusal(await world.admin.caller.patch(path, { status }), 409, "invalid_transition")
    }
    await tenant.inbound(tenant.connections.telegram, from)
    const read = async () => resource(await tenant.app.api.get(path), 200, Conversation).status
    // A customer's message reopens it.
    expect(await read()).toBe("open")
  })
}
