import {
  aConnection,
  aContact,
  aConversation,
  aMessage,
  anApplication,
  aProviderMessage,
  makeTestIds,
  someTime
} from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import type { InboundMessage } from "../../../src/flows/inbound/InboundMessage.js"
import {
  type InboundCapabilities,
  type InboundWorld,
  receiveMessage
} from "../../../src/flows/inbound/receiveMessage.js"
import { hour, minute } from "../../../src/model/Instant.js"
import type { RowOf, TableName } from "../../../src/ports/Changes.js"

const now = someTime + 1_000
const handle = "+491701234567"
const connection = aConnection({ channel: "whatsapp" })
const contact = aContact({ identities: [{ channel: "whatsapp", handle, displayName: "Ada" }] })
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
  quoted: undefined,
  knownQuoted: undefined,
  edits: [],
  shownFiles: new Map(),
  removed: {},
  recent: [],
  contact: undefined,
  conversation: undefined,
  bots: [],
  subscribers: { endpoints: [], applications: [anApplication()] }
}

const receive = (
  world: Partial<InboundWorld>,
  on = connection,
  from: InboundMessage = inbound,
  has: Partial<InboundCapabilities> = {}
) => {
  const { changes, result } = Either.getOrThrow(
    receiveMessage(
      { ...stranger, ...world },
      on,
      from,
      { identity: "whatsapp", serviceWindowHours: 24, profiles: false, ...has },
      now,
      makeTestIds()
    )
  )
  const rows = <T extends TableName>(table: T) =>
    [...(changes?.claims ?? []), ...(changes?.inserts ?? []), ...(changes?.ensures ?? [])]
      .filter((one) => one.table === table)
      .map((one) => (one as unknown as RowOf<T>).row)
  return { changes, message: result, rows, events: rows("events").map(({ type }) => type) }
}

describe("an inbound message", () => {
  it("of an unknown sender creates contact and conversation with an open service window", () => {
    const { events, message, rows } = receive({})
    expect(message).toMatchObject({ direction: "inbound", status: "delivered", receivedAt: now, applicationId: null })
    expect(rows("contacts")).toMatchObject([
      { firstName: "Ada", phone: handle, identities: [{ handle, displayName: "Ada" }] }
    ])
    expect(rows("conversations")).toMatchObject([{ lastInboundAt: now, status: "open" }])
    expect(rows("providerMessages")).toMatchObject([{ providerMessageId: "in-1", messageId: message.id }])
    expect(events).toEqual(["contact.created", "conversation.created", "message.received"])
  })
  it("of a known customer only bumps activity times", () => {
    const { changes, events } = receive({ contact, conversation })
    expect(changes?.bumps).toMatchObject([
      { table: "contacts", greatest: { lastActivityAt: now } },
      { table: "conversations", greatest: { lastActivityAt: now, lastInboundAt: now } }
    ])
    expect(changes?.sets).toEqual([])
    // Expects that both rows exist, without their versions.
    expect(changes?.expects).toMatchObject([
      { table: "contacts", key: { id: contact.id }, where: {} },
      { table: "conversations", key: { id: conversation.id }, where: { contactId: contact.id } }
    ])
    expect(changes?.expects.map(({ where }) => Object.keys(where))).toEqual([
      [],
      ["botSessionId", "contactId", "status"]
    ])
    expect(events).toEqual(["message.received"])
  })
  it("opens the service window when the customer wrote, however late it is delivered", () => {
    const late = { ...inbound, at: now - 6 * hour }
    expect(receive({}, connection, late).rows("conversations")).toMatchObject([
      { lastInboundAt: now - 6 * hour, lastActivityAt: now }
    ])
    const { changes, message } = receive({ contact, conversation }, connection, late)
    expect(changes?.bumps).toMatchObject([
      { table: "contacts", greatest: { lastActivityAt: now } },
      { table: "conversations", greatest: { lastActivityAt: now, lastInboundAt: now - 6 * hour } }
    ])
    expect(message).toMatchObject({ createdAt: now, receivedAt: now })
  })
  it("with a stop or start word that is older than the last changes no opt-out", () => {
    const said = (body: string, at: number) => ({ ...inbound, body, at })
    for (const [body, optedOut] of [
      ["STOP", false],
      ["START", true]
    ] as const) {
      const known = { ...contact, optedOut, optedOutAt: now - 1 }
      const late = receive({ contact: known, conversation }, connection, said(body, now - 2 - 5 * minute))
      expect(late.events).toEqual(["message.received"])
      expect(late.changes?.sets).toEqual([])
      const next = receive({ contact: known, conversation }, connection, said(body, now - 1))
      expect(next.events).toEqual(["contact.updated", "message.received"])
      expect(next.changes?.sets).toMatchObject([{ values: { optedOut: !optedOut, optedOutAt: now - 1 } }])
    }
    expect(receive({}, connection, said("STOP", now - 5)).rows("contacts")).toMatchObject([
      { optedOut: true, optedOutAt: now - 5 }
    ])
  })
  it("with a stop word opts out also if clocks alone may have put it before the last start word, and not the reverse", () => {
    const said = (body: string, at: number) => ({ ...inbound, body, at })
    const inThen = { ...contact, optedOut: false, optedOutAt: now - minute }
    const stop = receive({ contact: inThen, conversation }, connection, said("STOP", now - 6 * minute))
    expect(stop.changes?.sets).toMatchObject([{ values: { optedOut: true, optedOutAt: now - minute } }])
    const outThen = { ...inThen, optedOut: true }
    const start = receive({ contact: outThen, conversation }, connection, said("START", now - 2 * minute))
    expect(start.changes?.sets).toEqual([])
  })
  it("sets the name of a contact without one", () => {
    const unnamed = {
      firstName: null,
      lastName: null,
      identities: [{ channel: "whatsapp" as const, handle, displayName: null }]
    }
    const { changes, events } = receive({ contact: { ...contact, ...unnamed }, conversation })
    expect(changes?.sets).toMatchObject([
      { table: "contacts", values: { firstName: "Ada", identities: [{ handle, displayName: "Ada" }] } }
    ])
    expect(events).toEqual(["contact.updated", "message.received"])
    const stopped = receive({ contact: { ...contact, ...unnamed }, conversation }, connection, {
      ...inbound,
      body: "STOP"
    })
    expect(stopped.changes?.sets.map(({ values }) => values)).toMatchObject([
      { optedOut: true },
      { firstName: "Ada", identities: [{ handle, displayName: "Ada" }] }
    ])
  })
  it("of a known customer on another connection bumps the contact's version", () => {
    const { changes } = receive({ contact })
    expect(changes?.sets).toEqual([{ table: "contacts", key: { id: contact.id }, values: {} }])
  })
  it("moves the conversation to the handle's current contact and bumps that contact's version", () => {
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
  it("returns a removed handle to its contact", () => {
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
  it("that is redelivered returns the stored message", () => {
    const message = aMessage({ id: "01900000-0000-7000-8000-0000000000aa" })
    const again = receive({ known: aProviderMessage({ messageId: message.id }), message })
    expect(again.changes).toBeNull()
    expect(again.message).toBe(message)
  })
  it("of a web chat visitor sets a visitor name, without identity and address", () => {
    const on = aConnection({ channel: "webchat" })
    const { rows } = receive({}, on, { ...inbound, from: "visitor-1" }, { identity: null })
    expect(rows("contacts")).toMatchObject([{ identities: [], visitorName: "Ada", firstName: null }])
    expect(rows("addresses")).toEqual([])
  })
  it("takes over a provider id with parked receipts", () => {
    const known = aProviderMessage({ providerMessageId: "in-1", messageId: null, version: 3 })
    const { changes, message } = receive({ known })
    expect(changes?.claims.map(({ table }) => table)).not.toContain("providerMessages")
    expect(changes?.expects).toContainEqual({
      table: "providerMessages",
      key: { connectionId: connection.id, providerMessageId: "in-1" },
      where: { version: 3 }
    })
    expect(changes?.sets).toMatchObject([{ values: { messageId: message.id, parked: [] } }])
  })
  it("stores its subject", () => {
    expect(receive({}, connection, { ...inbound, subject: "Order 7" }).message.subject).toBe("Order 7")
  })
})

describe("an automatic inbound message", () => {
  const automatic = { ...inbound, body: "STOP", automatic: true }
  it("is stored with its event, without reopening, service window and opt-out", () => {
    const closed = { ...conversation, status: "closed" as const, lastInboundAt: 0 }
    const { changes, events, rows } = receive({ contact, conversation: closed }, connection, automatic)
    expect(rows("messages")).toMatchObject([{ envelope: { automatic: true } }])
    expect(events).toEqual(["message.received"])
    expect(changes?.sets).toEqual([])
    expect(changes?.bumps).toMatchObject([{ table: "contacts" }, { greatest: { lastActivityAt: now } }])
    expect(changes?.bumps[1]?.greatest).not.toHaveProperty("lastInboundAt")
  })
  it("of an unknown sender creates a conversation without a service window", () => {
    const { rows } = receive({}, connection, automatic)
    expect(rows("conversations")).toMatchObject([{ lastInboundAt: 0, status: "open" }])
    expect(rows("contacts")).toMatchObject([{ optedOut: false }])
  })
})

describe("opt-out keywords of an inbound message", () => {
  const saying = (body: string, subject: string | null = null) => ({ ...inbound, body, subject })
  it("STOP opts the contact out in the same commit, with its event first", () => {
    const { changes, events } = receive({ contact, conversation }, connection, saying("Stop."))
    expect(events).toEqual(["contact.updated", "message.received"])
    expect(changes?.sets).toEqual([
      { table: "contacts", key: { id: contact.id }, values: { optedOut: true, optedOutAt: expect.any(Number) } }
    ])
    expect(changes?.expects).toContainEqual({
      table: "contacts",
      key: { id: contact.id },
      where: { version: contact.version }
    })
  })
  it("START opts the contact in again", () => {
    const { changes, events } = receive(
      { contact: { ...contact, optedOut: true }, conversation },
      connection,
      saying("START")
    )
    expect(events).toEqual(["contact.updated", "message.received"])
    expect(changes?.sets).toMatchObject([{ values: { optedOut: false } }])
  })
  it("a repeated STOP changes its time only", () => {
    const { changes, events } = receive(
      { contact: { ...contact, optedOut: true }, conversation },
      connection,
      saying("STOP")
    )
    expect(events).toEqual(["message.received"])
    expect(changes?.sets).toMatchObject([{ values: { optedOut: true, optedOutAt: expect.any(Number) } }])
  })
  it("STOP as the first message creates an opted-out contact", () => {
    const { events, rows } = receive({}, connection, saying("STOP"))
    expect(rows("contacts")).toMatchObject([{ optedOut: true, version: 1 }])
    expect(events).toEqual(["contact.created", "conversation.created", "message.received"])
  })
  it("STOP from a new handle of a contact opts out and adds the handle", () => {
    const { changes } = receive({ contact: { ...contact, identities: [] } }, connection, saying("STOP"))
    expect(changes?.sets.map(({ values }) => Object.keys(values))).toEqual([
      ["optedOut", "optedOutAt"],
      ["identities", "nameKey", "searchKey"],
      []
    ])
  })
  it("unsubscribe in the subject counts for an empty mail only", () => {
    const said = (body: string) => receive({ contact, conversation }, connection, saying(body, "Unsubscribe")).events
    expect(said(" ")).toEqual(["contact.updated", "message.received"])
    expect(said("Hello")).toEqual(["message.received"])
  })
  it("are in what the customer writes or presses, not in the title of an option that they name by its number", () => {
    const titles = ["Subscribe", "Unsubscribe"]
    const options = titles.map((title) => ({ id: title, title, description: null }))
    const question = aMessage({
      id: "question",
      type: "choices",
      status: "sent",
      content: { type: "choices", options, button: null }
    })
    const known = { contact, conversation, recent: [question] }
    const numbered = receive(known, connection, saying("2"))
    expect(numbered.message).toMatchObject({ type: "choice", body: "Unsubscribe", content: { id: "Unsubscribe" } })
    expect(numbered.events).toEqual(["message.received"])
    expect(receive(known, connection, saying("unsubscribe")).events).toEqual(["contact.updated", "message.received"])
    const pressed = {
      ...saying("Unsubscribe"),
      content: { type: "choice", id: "Unsubscribe", title: "Unsubscribe" }
    } as const
    expect(receive(known, connection, pressed).events).toEqual(["contact.updated", "message.received"])
  })
  it("follow the settings of the connection", () => {
    const own = aConnection({ channel: "whatsapp", config: { opt_out: false } })
    expect(receive({ contact, conversation }, own, saying("STOP")).events).toEqual(["message.received"])
  })
})

describe("the files of an inbound message", () => {
  const attachment = {
    id: "01900000-0000-8000-8000-0000000000f1",
    type: "image",
    contentType: "image/png",
    fileName: null,
    size: 0
  } as const
  const stored = { ...attachment, id: "01900000-0000-8000-8000-0000000000f2", size: 7 }
  const files = [
    { attachment, status: "waiting", reference: "media-1" },
    { attachment: stored, status: "stored", reference: null }
  ] as const
  it("are attached, and fetched if they are a vendor's reference", () => {
    const { message, rows } = receive({}, connection, { ...inbound, files })
    expect(message.attachments).toEqual([attachment, stored])
    expect(rows("attachedFiles")).toMatchObject([
      { id: attachment.id, messageId: message.id, status: "waiting", reference: "media-1" },
      { id: stored.id, status: "stored", reference: null }
    ])
    expect(rows("jobs")).toMatchObject([
      {
        id: attachment.id,
        lane: "fetches",
        subject: connection.id,
        reference: attachment.id,
        payload: { task: "fetch_file" }
      }
    ])
  })
})

describe("the name of an unknown sender", () => {
  const nameless = { ...inbound, displayName: null }
  it("is fetched if the message has none and the provider can look it up", () => {
    const { message, rows } = receive({}, connection, nameless, { profiles: true })
    expect(rows("jobs")).toMatchObject([
      { lane: "fetches", reference: message.contactId, payload: { task: "fetch_profile", handle } }
    ])
  })
  it("is not fetched otherwise", () => {
    expect(receive({}, connection, nameless).rows("jobs")).toEqual([])
    expect(receive({}, connection, inbound, { profiles: true }).rows("jobs")).toEqual([])
    expect(receive({ contact }, connection, nameless, { profiles: true }).rows("jobs")).toEqual([])
  })
})
