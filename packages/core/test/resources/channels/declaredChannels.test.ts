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

/** Connects a channel, and gives the application no other one. */
const connected = (tenant: Tenant, channel: string) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const connection = aConnection({
      ...tenant.connection,
      id: ids.next(1_700_000_000_000),
      channel,
      provider: "declaring",
      handle: channel
    })
    yield* (yield* Storage).commit(changes(tenant.workspace.id, { inserts: [row("connections", connection)] }))
    const application = { ...tenant.application, connectionIds: [connection.id] }
    return { connection, tenant: { ...tenant, application, caller: { ...tenant.caller, application } } }
  })

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

const send = ({ caller }: Tenant, channel: string, to: string, message: object = { body: "hi" }) =>
  Effect.gen(function* () {
    const json = { channel, to, type: "text", message }
    const sent = yield* Effect.either(
      (yield* Messages).send(caller, {
        decoded: decodeSendMessageInput(json),
        idempotency: {
          key: `${channel} ${to} ${Object.keys(message)}`,
          fingerprint: fingerprint("POST", "/messages", json)
        },
        requestId: "request"
      })
    )
    return Either.match(sent, {
      onLeft: (error) => ("details" in error ? error.details : error),
      onRight: ({ body }) => JSON.parse(body).data as { readonly contact_id: string; readonly conversation_id: string }
    })
  })

const contactsOf = ({ workspace }: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list({ from: "contacts", where: { workspaceId: workspace.id }, after: null, limit: 10 })
  )

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
        yield* write(kiosk, "visitor 7", "1")
        const [contact] = yield* contactsOf(tenant)
        expect(contact).toMatchObject({ identities: [], visitorName: "Ada", firstName: null })
        const store = yield* Storage
        const { conversations } = yield* store.read({
          conversations: lookup("conversations", { connectionId: kiosk.id, handle: "visitor 7" })
        })
        const id = conversations[0]?.id ?? ""
        expect(yield* send(tenant, "kiosk", id)).toMatchObject({ conversation_id: id })
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
