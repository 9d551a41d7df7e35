import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Option, Ref } from "effect"
import { eraseEvents } from "../../../src/erasure/eraseEvents.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { type InboundAttachment, InboundEvent } from "../../../src/model/InboundEvent.js"
import { Blobs } from "../../../src/ports/Blobs.js"
import { changes, expect as expectRow, set } from "../../../src/ports/Changes.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { Storage } from "../../../src/ports/Storage.js"
import { attachmentId } from "../../../src/resources/attachments/storeInboundFile.js"
import { accept, engine, newTenant as newScriptedTenant, Provider, send, type Tenant } from "../../harness.js"

const ada = "+491701000001"

/** Vendors with echoes do not dedupe by our id. */
const newTenant = Effect.gen(function* () {
  const tenant = yield* newScriptedTenant
  const { id, version, workspaceId } = tenant.connection
  yield* (yield* Storage).commit(
    changes(workspaceId, {
      expects: [expectRow("connections", { id }, { version })],
      sets: [set("connections", { id }, { provider: "repeating" })]
    })
  )
  return { ...tenant, connection: { ...tenant.connection, provider: "repeating", version: version + 1 } }
})

type EchoFields = Partial<InboundEvent & { readonly _tag: "Echo" }>
const echo = (providerMessageId: string, given: EchoFields = {}) =>
  InboundEvent.Echo({ providerMessageId, to: ada, at: 1_000, body: "We are open", attachments: [], ...given })
const deletion = { type: "deletion" } as const
const fromCustomer = (providerMessageId: string, given: Partial<InboundEvent & { readonly _tag: "Message" }>) =>
  InboundEvent.Message({
    ...{ providerMessageId, from: ada, body: "Message deleted", subject: null, displayName: null },
    ...{ attachments: [], automatic: false },
    ...given
  })
const file = { type: "image", contentType: "image/png", fileName: null, content: new Uint8Array([1]) } as const
const receipt = (providerMessageId: string, status: "delivered" | "read") =>
  InboundEvent.Receipt({ providerMessageId, messageId: null, receipt: { status, at: 2_000, error: null } })

const take = ({ connection }: Tenant, ...events: ReadonlyArray<InboundEvent>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.take(connection, events))

const rowsOf = <T extends "messages" | "conversations" | "events" | "jobs" | "attachedFiles" | "unknownEvents">(
  tenant: Tenant,
  from: T
) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list<T>({ from, where: { workspaceId: tenant.workspace.id } as never, after: null, limit: 1_000 })
  )
const eventsOf = (tenant: Tenant) =>
  Effect.map(rowsOf(tenant, "events"), (events) => events.map(({ type }) => type).sort())
const texts = (tenant: Tenant) =>
  Effect.map(rowsOf(tenant, "messages"), (messages) =>
    messages.map(({ body, providerMessageId, status }) => ({ body, providerMessageId, status }))
  )

/** Sends a text whose provider call runs `during` before it answers with the id `p-1`. */
const sendDuring = (tenant: Tenant, body: string, during: Effect.Effect<void, unknown, Inbound>) =>
  Effect.gen(function* () {
    const { answer } = yield* Provider
    const inbound = yield* Inbound
    yield* Ref.set(answer, () =>
      during.pipe(
        Effect.provideService(Inbound, inbound),
        Effect.orDie,
        Effect.as(SendOutcome.Accepted({ providerMessageId: "p-1", receipts: [] }))
      )
    )
    const sent = yield* send(tenant, ada, body, body)
    yield* Ref.set(answer, accept)
    return sent
  })

for (const [name, storage] of databases) {
  layer(engine(storage, 30_000), { excludeTestServices: true, timeout: 60_000 })(
    `what the business writes elsewhere on ${name}`,
    (it) => {
      it.effect("is an outbound message of a conversation that is created where needed", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(
            tenant,
            echo("1", { to: "+49 170 1000001", attachments: [file], quoted: { providerMessageId: "0", body: "Open?" } })
          )
          const [message] = yield* rowsOf(tenant, "messages")
          expect(message).toMatchObject({
            ...{ direction: "outbound", status: "sent", type: "media", body: "We are open", applicationId: null },
            ...{ sentAt: 1_000, providerMessageId: "1", envelope: { quoted: { messageId: null, body: "Open?" } } }
          })
          const bytes = yield* (yield* Blobs).get(attachmentId(tenant.connection.id, "1", 0))
          expect(bytes).not.toBeNull()
          const [conversation] = yield* rowsOf(tenant, "conversations")
          expect(conversation).toMatchObject({ handle: ada, lastInboundAt: 0, id: message?.conversationId })
          expect(yield* eventsOf(tenant)).toEqual(["contact.created", "conversation.created", "message.sent"])
          const events = yield* rowsOf(tenant, "events")
          const event = events.find(({ type }) => type === "message.sent")
          expect(event?.applicationId).toBeNull()
          expect(JSON.parse(event?.data ?? "").message).toMatchObject({ origin: "external", status: "sent" })
          const lanes = (yield* rowsOf(tenant, "jobs")).map(({ lane }) => lane)
          expect(lanes.filter((lane) => lane !== "deliveries")).toEqual([])
        })
      )

      it.effect("keeps that it was forwarded and its album", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, echo("1", { forwarded: true, groupId: "album 1" }), echo("2"))
          const envelopes = (yield* rowsOf(tenant, "messages")).map(({ envelope }) => envelope)
          expect(envelopes).toContainEqual(expect.objectContaining({ forwarded: true, groupId: "album 1" }))
          expect(envelopes).toContain(null)
        })
      )

      it.effect("is not one that carries the id of our message, whose send it confirms", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { answer } = yield* Provider
          yield* Ref.set(answer, () => Effect.succeed(SendOutcome.Unknown({ reason: "no answer" })))
          const { id: messageId } = yield* send(tenant, ada, "We are open", "We are open")
          yield* Ref.set(answer, accept)
          yield* take(tenant, echo("p-1", { messageId, attachments: [file] }))
          expect(yield* texts(tenant)).toEqual([{ body: "We are open", providerMessageId: "p-1", status: "sent" }])
          expect(yield* (yield* Blobs).get(attachmentId(tenant.connection.id, "p-1", 0))).toEqual(Option.none())
        })
      )

      it.effect("is a message also with the id of another program, or of a message of another connection", () =>
        Effect.gen(function* () {
          const other = yield* newTenant
          const { id } = yield* send(other, ada, "We are open", "We are open")
          const tenant = yield* newTenant
          for (const messageId of [id, "01900000-0000-7000-8000-0000000000ff", "order 7"]) {
            yield* take(tenant, echo(messageId, { messageId }))
          }
          expect(yield* texts(tenant)).toHaveLength(3)
          expect(yield* texts(other)).toHaveLength(1)
        })
      )

      it.effect("is one message, however often it comes", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, echo("1"), echo("1"))
          yield* take(tenant, echo("1", { mayBeOwn: true, attachments: [file] }))
          expect(yield* texts(tenant)).toHaveLength(1)
        })
      )

      it.effect("moves with its receipts, also with those that come first", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, receipt("1", "delivered"), echo("1"))
          expect(yield* texts(tenant)).toMatchObject([{ status: "delivered" }])
          yield* take(tenant, receipt("1", "read"))
          expect(yield* texts(tenant)).toMatchObject([{ status: "read" }])
          expect(yield* eventsOf(tenant)).toEqual([
            ...["contact.created", "conversation.created", "message.delivered", "message.read", "message.sent"]
          ])
        })
      )

      it.effect("moves with the watermarks of its conversation, also with those that come first", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const upTo = (at: number) => InboundEvent.Watermark({ handle: ada, status: "read", upTo: at })
          yield* take(tenant, echo("1"), upTo(50_000), echo("2", { at: 40_000 }), echo("3", { at: 60_000 }))
          const statuses = Effect.map(texts(tenant), (all) => all.map(({ status }) => status).sort())
          expect(yield* statuses).toEqual(["read", "read", "sent"])
        })
      )

      it.effect("is edited by a message that quotes it", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const edit = echo("2", {
            body: "We are closed",
            content: { type: "edit" },
            quoted: { providerMessageId: "1" }
          })
          yield* take(tenant, echo("1"), edit, edit)
          const messages = yield* rowsOf(tenant, "messages")
          const target = messages.find(({ providerMessageId }) => providerMessageId === "1")
          expect(target).toMatchObject({ body: "We are open", envelope: null })
          expect(messages.filter(({ type }) => type === "edit")).toMatchObject([
            {
              ...{ direction: "outbound", status: "sent", body: "We are closed", receivedAt: expect.any(Number) },
              envelope: { quoted: { messageId: target?.id } }
            }
          ])
          const sent = (yield* eventsOf(tenant)).filter((type) => type.startsWith("message."))
          expect(sent).toEqual(["message.sent", "message.sent"])
        })
      )

      it.effect("is not edited by a report that shows its present text and files", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const edit = (id: string, of: string, body: string, ...attachments: ReadonlyArray<InboundAttachment>) =>
            echo(id, { body, content: { type: "edit" }, quoted: { providerMessageId: of }, attachments })
          const picture = (reference: string): InboundAttachment => ({ ...file, content: { reference } })
          yield* take(
            tenant,
            echo("1"),
            edit("2", "1", "We are open"),
            edit("3", "1", "Closed"),
            edit("4", "1", "Closed")
          )
          yield* take(tenant, edit("5", "1", "We are open "))
          yield* take(tenant, echo("6", { attachments: [picture("a")] }), edit("7", "6", "We are open", picture("a")))
          yield* take(tenant, edit("8", "6", "We are open", picture("b")), edit("9", "6", "We are open", picture("b")))
          yield* take(tenant, edit("10", "6", "We are open"))
          yield* sendDuring(tenant, "hello", Effect.void)
          yield* take(tenant, edit("11", "p-1", "hello"), edit("12", "p-1", "bye"))
          const edits = (yield* rowsOf(tenant, "messages")).filter(({ type }) => type === "edit")
          expect(edits.map(({ providerMessageId }) => Number(providerMessageId)).sort((a, b) => a - b)).toEqual([
            3, 5, 8, 10, 12
          ])
        })
      )

      it.effect("is erased with its edits and files once it is deleted, whichever side the vendor names", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const quoted = { providerMessageId: "1" }
          const raw = '{"text":"secret"}'
          yield* take(
            tenant,
            echo("1", { body: "secret", attachments: [file], raw }),
            echo("2", { body: "secret 2", content: { type: "edit" }, quoted, raw }),
            echo("3", { content: deletion, body: "Message deleted", quoted }),
            echo("4", { body: "secret 3", content: { type: "edit" }, quoted, raw }),
            echo("5", { body: "secret 4", raw }),
            fromCustomer("6", { content: deletion, quoted: { providerMessageId: "5" } })
          )
          const bodies = (yield* rowsOf(tenant, "messages")).map((message) => [message.type, message.body])
          expect(bodies.sort()).toEqual([
            ["deletion", "Message deleted"],
            ["deletion", "Message deleted"],
            ["edit", ""],
            ["media", ""],
            ["text", ""]
          ])
          expect(yield* (yield* Blobs).get(attachmentId(tenant.connection.id, "1", 0))).toEqual(Option.none())
          expect(yield* rowsOf(tenant, "attachedFiles")).toEqual([])
          expect((yield* rowsOf(tenant, "events")).filter(({ raw }) => raw !== null)).toEqual([])
        })
      )

      it.effect("is not stored after its deletion, which creates no contact", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const deleted = (id: string, of: string) =>
            echo(id, { content: deletion, body: "Message deleted", quoted: { providerMessageId: of } })
          yield* take(tenant, deleted("1", "0"))
          expect(yield* rowsOf(tenant, "conversations")).toEqual([])
          expect(yield* rowsOf(tenant, "unknownEvents")).toMatchObject([
            { kind: "echo", raw: expect.stringContaining('"quoted":{"providerMessageId":"0"') }
          ])
          yield* take(tenant, echo("2", { body: "hello" }), deleted("3", "4"), echo("4", { body: "secret" }))
          expect((yield* texts(tenant)).map(({ body }) => body).sort()).toEqual(["Message deleted", "hello"])
          yield* take(tenant, receipt("6", "delivered"), deleted("5", "6"), echo("6", { body: "secret" }))
          expect((yield* texts(tenant)).map(({ body }) => body).sort()).toEqual([
            ...["Message deleted", "Message deleted", "hello"]
          ])
        })
      )

      it.effect("leaves a message of ours and its deletion elsewhere that comes before the answer of its send", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const deleted = echo("2", {
            content: deletion,
            body: "Message deleted",
            quoted: { providerMessageId: "p-1" }
          })
          const { id } = yield* sendDuring(tenant, "hello", take(tenant, echo("1"), deleted))
          yield* take(tenant, receipt("p-1", "delivered"))
          const messages = yield* rowsOf(tenant, "messages")
          expect(messages.find((message) => message.id === id)).toMatchObject({ body: "hello", status: "delivered" })
          expect(messages.filter(({ type }) => type === "deletion")).toMatchObject([{ status: "sent" }])
        })
      )

      it.effect(
        "leaves the receipts of our message to its send, if they come with its deletion before the answer",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const deleted = echo("2", {
              content: deletion,
              body: "Message deleted",
              quoted: { providerMessageId: "p-1" }
            })
            const before = take(tenant, echo("1"), receipt("p-1", "delivered"), deleted, receipt("p-1", "read"))
            const { id } = yield* sendDuring(tenant, "hello", before)
            const messages = yield* rowsOf(tenant, "messages")
            const sent = messages.find((message) => message.id === id)
            expect([sent?.status, sent?.deliveredAt]).toEqual(["read", expect.any(Number)])
            expect(messages.filter(({ type }) => type === "deletion")).toMatchObject([{ status: "sent" }])
          })
      )

      it.effect("is an edit even if it may be an echo and has the text of a message whose send is not answered", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const content = { type: "edit" } as const
          const edit = echo("2", { content, body: "hello", quoted: { providerMessageId: "1" }, mayBeOwn: true })
          yield* sendDuring(tenant, "hello", take(tenant, echo("1"), edit))
          const messages = yield* rowsOf(tenant, "messages")
          expect(messages.filter(({ type }) => type === "edit")).toMatchObject([{ providerMessageId: "2" }])
          expect(messages.filter(({ providerMessageId }) => providerMessageId === "p-1")).toHaveLength(1)
        })
      )

      it.effect("leaves a message of ours as it was sent when it is deleted elsewhere", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* sendDuring(tenant, "hello", Effect.void)
          yield* take(
            tenant,
            echo("2", { content: deletion, body: "Message deleted", quoted: { providerMessageId: "p-1" } })
          )
          const messages = yield* rowsOf(tenant, "messages")
          expect(messages.find((message) => message.id === id)).toMatchObject({ body: "hello" })
          expect(messages.filter(({ type }) => type === "deletion")).toMatchObject([
            { direction: "outbound", envelope: { quoted: { messageId: id } } }
          ])
        })
      )

      it.effect("is not an echo of a message of ours", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* sendDuring(tenant, "hello", Effect.void)
          yield* take(tenant, echo("p-1", { body: "hello" }), echo("p-1", { body: "hello", mayBeOwn: true }))
          expect(yield* rowsOf(tenant, "messages")).toMatchObject([{ id, receivedAt: null }])
        })
      )

      it.effect("is not an echo of a message of ours that comes before the answer of its send", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const before = take(tenant, echo("p-1", { body: " hello ", mayBeOwn: true }))
          const { id } = yield* sendDuring(tenant, "hello", before)
          yield* take(tenant, receipt("p-1", "delivered"))
          const messages = yield* rowsOf(tenant, "messages")
          expect(messages).toMatchObject([{ id, receivedAt: null, status: "delivered", providerMessageId: "p-1" }])
          const types = yield* eventsOf(tenant)
          expect(types.filter((type) => type === "message.sent")).toHaveLength(1)
        })
      )

      it.effect("is not an echo of a message of the same text that waits for its next try", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { answer } = yield* Provider
          yield* Ref.set(answer, () => Effect.succeed(SendOutcome.Transient({ reason: "away" })))
          const { id } = yield* send(tenant, ada, "We are open", "We are open")
          yield* Ref.set(answer, accept)
          yield* take(tenant, echo("1", { mayBeOwn: true }))
          const messages = yield* rowsOf(tenant, "messages")
          expect(messages.find((message) => message.id === id)).toMatchObject({ status: "queued" })
          expect(messages.filter((message) => message.id !== id)).toMatchObject([
            { status: "sent", providerMessageId: "1", receivedAt: expect.any(Number) }
          ])
        })
      )

      it.effect("is replaced by the message of ours if only the answer of the send shows that it is one", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const changed = echo("p-1", { body: "hello, as the vendor changed it", mayBeOwn: true, attachments: [file] })
          const { id } = yield* sendDuring(tenant, "hello", take(tenant, changed, receipt("p-1", "delivered")))
          const stored = yield* rowsOf(tenant, "messages")
          expect(stored).toMatchObject([{ id, status: "delivered", deliveredAt: expect.any(Number) }])
          expect(yield* rowsOf(tenant, "attachedFiles")).toEqual([])
          yield* take(tenant, receipt("p-1", "read"), changed)
          expect(yield* texts(tenant)).toMatchObject([{ body: "hello", status: "read" }])
        })
      )

      it.effect("leaves no event to an erasure of the message of ours that replaced it", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const changed = echo("p-1", { body: "hello, changed", mayBeOwn: true, raw: '{"text":"hello, changed"}' })
          const { id } = yield* sendDuring(tenant, "hello", take(tenant, changed))
          const ofCopy = (yield* rowsOf(tenant, "events")).filter(({ data }) => data.includes("hello, changed"))
          expect(ofCopy).toMatchObject([{ type: "message.sent", subjectId: id }])
          yield* eraseEvents(yield* Storage, tenant.workspace.id, [id])
          expect((yield* eventsOf(tenant)).filter((type) => type.startsWith("message."))).toEqual([])
        })
      )

      it.effect("is a message of its own beside a queued one of the same text if the vendor marks our echoes", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* sendDuring(tenant, "hello", take(tenant, echo("2", { body: "hello" })))
          const ids = (yield* texts(tenant)).map(({ providerMessageId }) => providerMessageId).sort()
          expect(ids).toEqual(["2", "p-1"])
        })
      )
    }
  )
}
