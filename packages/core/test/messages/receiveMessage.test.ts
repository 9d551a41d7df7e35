import {
  aConnection,
  aContact,
  aConversation,
  aMessage,
  anApplication,
  aProviderMessage,
  makeTestIds,
  someTime
} from "@parley/testkit"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { type InboundWorld, receiveMessage } from "../../src/messages/receiveMessage.js"
import type { RowOf, TableName } from "../../src/ports/Changes.js"

const now = someTime + 1_000
const handle = "+491701234567"
const connection = aConnection({ channel: "whatsapp" })
const contact = aContact({ identities: [{ channel: "whatsapp", handle, displayName: null }] })
const conversation = aConversation({
  connectionId: connection.id,
  handle,
  contactId: contact.id,
  status: "open",
  version: 5
})
const inbound = { providerMessageId: "in-1", from: handle, body: "hello", displayName: "Ada" }
const stranger: InboundWorld = {
  known: undefined,
  message: undefined,
  contact: undefined,
  conversation: undefined,
  subscribers: { endpoints: [], applications: [anApplication()] }
}

const receive = (world: Partial<InboundWorld>, on = connection, from = inbound) => {
  const { changes, result } = Either.getOrThrow(
    receiveMessage({ ...stranger, ...world }, on, from, 24, now, makeTestIds())
  )
  const rows = <T extends TableName>(table: T) =>
    [...(changes?.claims ?? []), ...(changes?.inserts ?? [])]
      .filter((one) => one.table === table)
      .map((one) => (one as unknown as RowOf<T>).row)
  return { changes, message: result, rows, events: rows("events").map(({ type }) => type) }
}

describe("an inbound message", () => {
  it("of a stranger makes contact and conversation, with an open window", () => {
    const { events, message, rows } = receive({})
    expect(message).toMatchObject({ direction: "inbound", status: "delivered", receivedAt: now, applicationId: null })
    expect(rows("contacts")).toMatchObject([
      { firstName: "Ada", phone: handle, identities: [{ handle, displayName: "Ada" }] }
    ])
    expect(rows("conversations")).toMatchObject([{ lastInboundAt: now, status: "open" }])
    expect(rows("providerMessages")).toMatchObject([{ providerMessageId: "in-1", messageId: message.id }])
    expect(events).toEqual(["contact.created", "conversation.created", "message.received"])
  })
  it("of a known customer only bumps", () => {
    const { changes, events } = receive({ contact, conversation })
    expect(changes?.bumps).toMatchObject([
      { table: "contacts", greatest: { lastActivityAt: now } },
      { table: "conversations", greatest: { lastActivityAt: now, lastInboundAt: now } }
    ])
    expect(changes?.sets).toEqual([])
    // that both are there still, whatever their versions
    expect(changes?.expects).toMatchObject([
      { table: "contacts", key: { id: contact.id }, where: {} },
      { table: "conversations", key: { id: conversation.id }, where: { contactId: contact.id } }
    ])
    expect(changes?.expects.map(({ where }) => Object.keys(where))).toEqual([[], ["contactId", "status"]])
    expect(events).toEqual(["message.received"])
  })
  it("of a known customer on another connection raises the contact's version", () => {
    const { changes } = receive({ contact })
    expect(changes?.sets).toEqual([{ table: "contacts", key: { id: contact.id }, values: {} }])
  })
  it("takes its conversation along where the handle belongs to another contact now, and raises that one's version", () => {
    const other = aContact({ ...contact, id: "01900000-0000-7000-8000-0000000000bb" })
    const { changes, message, rows } = receive({ contact: other, conversation })
    expect(message.contactId).toBe(other.id)
    expect(changes?.sets).toEqual([
      { table: "contacts", key: { id: other.id }, values: {} },
      { table: "conversations", key: { id: conversation.id }, values: { contactId: other.id } }
    ])
    expect(rows("jobs")).toMatchObject([
      { lane: "housekeeping", reference: conversation.id, payload: { task: "move_messages" } }
    ])
  })
  it("gives a handle back to the contact that it was taken from", () => {
    const without = { ...contact, identities: [{ channel: "email" as const, handle: "a@b.org", displayName: null }] }
    const { changes } = receive({ contact: without, conversation })
    expect(changes?.claims).toContainEqual({
      table: "addresses",
      row: { workspaceId: contact.workspaceId, space: "phone", handle, contactId: contact.id }
    })
    expect(changes?.sets).toMatchObject([{ table: "contacts", values: { identities: [{}, { handle }] } }])
  })
  it.each(["resolved", "closed"] as const)("reopens a conversation that is %s", (status) => {
    const { changes, events, rows } = receive({ contact, conversation: { ...conversation, status } })
    expect(changes?.sets).toMatchObject([{ table: "conversations", values: { status: "open" } }])
    expect(events).toEqual(["conversation.status_changed", "message.received"])
    expect(JSON.parse(rows("events")[0]?.data ?? "{}")).toMatchObject({
      previous_status: status,
      conversation: { status: "open" }
    })
  })
  it("that came before is answered as it was stored", () => {
    const message = aMessage({ id: "01900000-0000-7000-8000-0000000000aa" })
    const again = receive({ known: aProviderMessage({ messageId: message.id }), message })
    expect(again.changes).toBeNull()
    expect(again.message).toBe(message)
  })
  it("of a web chat visitor gives them a name but no identity and no address", () => {
    const { rows } = receive({}, aConnection({ channel: "webchat" }), { ...inbound, from: "visitor-1" })
    expect(rows("contacts")).toMatchObject([{ identities: [], visitorName: "Ada", firstName: null }])
    expect(rows("addresses")).toEqual([])
  })
})
