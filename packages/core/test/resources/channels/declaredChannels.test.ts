import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aConnection } from "@parley/testkit/rows"
import { Effect, Either } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import type { Connection } from "../../../src/model/Connection.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { fingerprint } from "../../../src/resources/access/fingerprint.js"
import { Messages } from "../../../src/resources/messages/Messages.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import { engine, newTenant, type Tenant } from "../../harness.js"

const number = "+491701000077"
const visitor = "visitor 7"

const newConnection = (tenant: Tenant, channel: string, more: Partial<Connection> = {}) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const id = ids.next(1_700_000_000_000)
    const connection = aConnection({ ...tenant.connection, id, channel, provider: "declaring", handle: id, ...more })
    yield* (yield* Storage).commit(changes(tenant.workspace.id, { inserts: [row("connections", connection)] }))
    return connection
  })

/** Connects a channel, and gives the application no other one. */
const connected = (tenant: Tenant, channel: string) =>
  Effect.map(newConnection(tenant, channel), (connection) => ({ connection, tenant: allowed(tenant, connection) }))

const allowed = (tenant: Tenant, ...connections: ReadonlyArray<Connection>): Tenant => {
  const application = { ...tenant.application, connectionIds: connections.map(({ id }) => id) }
  return { ...tenant, application, caller: { ...tenant.caller, application } }
}

const write = (connection: Connection, from: string, providerMessageId: string) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.take(connection, [
      InboundEvent.Message({
        providerMessageId,
        from,
        body: "hello",
        subject: null,
        displayName: "Ada",
        attachments: [],
        automatic: false
      })
    ])
  )

const send = (
  { caller }: Tenant,
  channel: string,
  to: string,
  message: object = { body: "hi" },
  connectionId: string | null = null
) =>
  Effect.gen(function* () {
    const json = { channel, to, type: "text", message, connection_id: connectionId }
    const sent = yield* Effect.either(
      (yield* Messages).send(caller, {
        decoded: decodeSendMessageInput(json),
        idempotency: {
          key: `${channel} ${to} ${Object.keys(message)} ${connectionId}`,
          fingerprint: fingerprint("POST", "/messages", json)
        },
        requestId: "request"
      })
    )
    return Either.match(sent, {
      onLeft: (error) =>
        error._tag !== "Refusal" ? error : Object.keys(error.details).length > 0 ? error.details : error.code,
      onRight: ({ body }) => JSON.parse(body).data as Acknowledgement
    })
  })

interface Acknowledgement {
  readonly contact_id: string
  readonly conversation_id: string
  readonly connection_id: string
}

const contactsOf = ({ workspace }: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list({ from: "contacts", where: { workspaceId: workspace.id }, after: null, limit: 10 })
  )

/** The conversation with the visitor on a connection. */
const conversationOn = (connection: Connection) =>
  Effect.flatMap(Storage, (storage) =>
    storage.read({ conversations: lookup("conversations", { connectionId: connection.id, handle: visitor }) })
  ).pipe(Effect.map(({ conversations }) => conversations[0]))

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true, timeout: 60_000 })(`a declared channel on ${name}`, (it) => {
    it.effect("of numbers has the contacts that have the number on other channels", () =>
      Effect.gen(function* () {
        const { connection: sms, tenant } = yield* connected(yield* newTenant, "sms")
        yield* write(tenant.connection, number, "1")
        yield* write(sms, "0049 170 1000077", "2")
        const [contact, ...others] = yield* contactsOf(tenant)
        expect(others).toEqual([])
        expect(contact?.identities.map(({ channel, handle }) => `${channel} ${handle}`)).toEqual([
          `whatsapp ${number}`,
          `phone ${number}`
        ])
        expect(yield* send(tenant, "sms", number)).toMatchObject({ contact_id: contact?.id })
      })
    )
    it.effect("names the new contact of a send by its kind of handle", () =>
      Effect.gen(function* () {
        const { tenant } = yield* connected(yield* newTenant, "sms")
        yield* send(tenant, "sms", "+49 (170) 1000078")
        expect(yield* contactsOf(tenant)).toMatchObject([
          { phone: "+491701000078", email: null, identities: [{ channel: "phone", handle: "+491701000078" }] }
        ])
      })
    )
    it.effect("without identities is addressed by conversation", () =>
      Effect.gen(function* () {
        const { connection: kiosk, tenant } = yield* connected(yield* newTenant, "kiosk")
        yield* write(kiosk, visitor, "1")
        const [contact] = yield* contactsOf(tenant)
        expect(contact).toMatchObject({ identities: [], visitorName: "Ada", firstName: null })
        const id = (yield* conversationOn(kiosk))?.id ?? ""
        expect(yield* send(tenant, "kiosk", id)).toMatchObject({ conversation_id: id })
      })
    )
    it.effect("without identities has a contact for each connection with the handle", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const [one, other, third] = yield* Effect.replicateEffect(newConnection(tenant, "kiosk"), 3)
        if (one === undefined || other === undefined || third === undefined) throw new Error("not connected")
        yield* write(one, visitor, "1")
        yield* write(other, visitor, "2")
        const before = { one: yield* conversationOn(one), other: yield* conversationOn(other) }
        expect(before.one?.contactId).not.toEqual(before.other?.contactId)
        const both = allowed(tenant, one, other, third)
        expect(yield* send(both, "kiosk", visitor, undefined, one.id)).toMatchObject({
          contact_id: before.one?.contactId
        })
        expect(yield* send(both, "kiosk", visitor, undefined, other.id)).toMatchObject({
          contact_id: before.other?.contactId
        })
        // A conversation that the send begins is with a new contact.
        yield* send(both, "kiosk", visitor, undefined, third.id)
        const after = [one, other, third].map(conversationOn)
        const contacts = (yield* Effect.all(after)).map((conversation) => conversation?.contactId)
        expect(contacts.slice(0, 2)).toEqual([before.one?.contactId, before.other?.contactId])
        expect(new Set(contacts).size).toBe(3)
        expect((yield* contactsOf(tenant)).length).toBe(3)
      })
    )
    it.effect("without identities sends to a conversation on its own connection", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const one = yield* newConnection(tenant, "kiosk")
        const other = yield* newConnection(tenant, "kiosk")
        yield* write(one, visitor, "1")
        yield* write(other, visitor, "2")
        const id = (yield* conversationOn(one))?.id ?? ""
        const both = allowed(tenant, one, other)
        // The other conversation is the one with the latest activity.
        yield* send(both, "kiosk", visitor, undefined, other.id)
        expect(yield* send(both, "kiosk", id)).toMatchObject({ conversation_id: id, connection_id: one.id })
        expect(yield* send(both, "kiosk", id.toUpperCase(), undefined, one.id)).toMatchObject({ conversation_id: id })
        expect(yield* send(both, "kiosk", id, undefined, other.id)).toEqual({
          connection_id: ["must be the connection of the conversation"]
        })
      })
    )
    it.effect("without identities does not leave a paused connection of a conversation", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const paused = yield* newConnection(tenant, "kiosk", { status: "paused" })
        const active = yield* newConnection(tenant, "kiosk")
        yield* write(paused, visitor, "1")
        const id = (yield* conversationOn(paused))?.id ?? ""
        expect(yield* send(allowed(tenant, paused, active), "kiosk", id)).toBe("channel_unavailable")
        expect(yield* conversationOn(active)).toBeUndefined()
      })
    )
    it.effect("that does not exist for the workspace is refused with the names that do", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        for (const channel of ["fax", "sms"]) {
          expect(yield* send(tenant, channel, "nobody")).toEqual({ channel: ["must be one of whatsapp, email"] })
        }
        const { tenant: connectedTenant } = yield* connected(tenant, "sms")
        expect(yield* send(connectedTenant, "fax", "nobody")).toEqual({
          channel: ["must be one of whatsapp, email, sms"]
        })
        expect(yield* send(connectedTenant, "sms", number, { body: "hi", subject: "Hello" })).toMatchObject({
          "message.subject": ["is not possible on this channel"]
        })
      })
    )
  })
}
