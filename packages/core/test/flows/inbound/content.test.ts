import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Option } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { emptyEnvelope } from "../../../src/model/Message.js"
import type { ContentOf, MessageContent } from "../../../src/model/MessageContent.js"
import { Blobs } from "../../../src/ports/Blobs.js"
import { changes, expect as expects, row, set } from "../../../src/ports/Changes.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { attachmentId } from "../../../src/resources/attachments/storeInboundFile.js"
import { envelopeResource } from "../../../src/resources/messages/EnvelopeResource.js"
import { engine, newTenant, send, type Tenant } from "../../harness.js"

type Given = Partial<InboundEvent & { readonly _tag: "Message" }>

const ada = "+491701000001"
const message = (providerMessageId: string, given: Given = {}) =>
  InboundEvent.Message({
    providerMessageId,
    from: ada,
    body: "",
    subject: null,
    displayName: null,
    attachments: [],
    automatic: false,
    ...given
  })

const take = ({ connection }: Tenant, ...events: ReadonlyArray<InboundEvent>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.take(connection, events))

const rowsOf = <T extends "messages" | "conversations" | "contacts" | "events" | "unknownEvents" | "attachedFiles">(
  tenant: Tenant,
  from: T
) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list<T>({ from, where: { workspaceId: tenant.workspace.id } as never, after: null, limit: 1_000 })
  )
const received = (tenant: Tenant, providerMessageId: string) =>
  Effect.map(rowsOf(tenant, "messages"), (messages) => {
    const found = messages.find((one) => one.providerMessageId === providerMessageId)
    if (found === undefined) throw new Error(`no message ${providerMessageId}`)
    return found
  })
const conversationOf = (tenant: Tenant) => Effect.map(rowsOf(tenant, "conversations"), ([first]) => first)

const location: ContentOf<"location"> = {
  type: "location",
  latitude: 52.52,
  longitude: 13.405,
  name: "Bakery",
  address: null,
  url: null
}
const about = (type: "reaction" | "edit" | "deletion"): MessageContent =>
  type === "reaction" ? { type, emoji: "👍" } : { type }

for (const [name, storage] of databases) {
  layer(engine(storage, 30_000), { excludeTestServices: true, timeout: 60_000 })(
    `content of customers' messages on ${name}`,
    (it) => {
      it.effect("is stored with its type and readable text, and is in the event", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const referral = {
            ...{ source: "ad", sourceId: "120", clickId: "c", headline: "Bread" },
            ...{ body: null, url: null, ref: null }
          }
          yield* take(
            tenant,
            message("1", { content: location, forwarded: true, groupId: "album", referral, fullText: "all" })
          )
          const stored = yield* received(tenant, "1")
          expect(stored).toMatchObject({ type: "location", body: "Bakery\n52.52, 13.405", content: location })
          expect(stored.envelope).toMatchObject({
            forwarded: true,
            groupId: "album",
            referral,
            quoted: null,
            fullText: "all"
          })
          const events = yield* rowsOf(tenant, "events")
          const event = events.find(({ type }) => type === "message.received")
          expect(JSON.parse(event?.data ?? "").message).toMatchObject({
            type: "location",
            content: location,
            origin: "customer",
            forwarded: true,
            group_id: "album",
            full_text: "all",
            referral: { source: "ad", source_id: "120", click_id: "c", headline: "Bread" }
          })
        })
      )

      it.effect("says that a program wrote it, and nothing where a person did", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, message("1", { automatic: true }), message("2"))
          for (const [id, automatic] of [
            ["1", true],
            ["2", undefined]
          ] as const) {
            const stored = yield* received(tenant, id)
            expect(envelopeResource(stored.envelope, null).automatic).toBe(automatic)
            const said = (yield* rowsOf(tenant, "events")).map(({ data }) => JSON.parse(data).message)
            expect(said.find((one) => one?.id === stored.id)?.automatic).toBe(automatic)
          }
        })
      )

      it.effect("keeps a message whose content is too large, as unsupported", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const answers = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [key, "x".repeat(5_000)]))
          yield* take(tenant, message("1", { body: "the form", content: { type: "form", name: "n", answers } }))
          const { body, content, type } = yield* received(tenant, "1")
          expect({ body, type }).toEqual({ body: "the form", type: "unsupported" })
          expect(content?.type).toBe("unsupported")
        })
      )

      it.effect("is media if there are files and nothing else", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const attachments = [
            { type: "voice", contentType: "audio/ogg", fileName: null, content: new Uint8Array([1]) } as const
          ]
          yield* take(tenant, message("1", { attachments }), message("2", { attachments, content: location }))
          expect((yield* received(tenant, "1")).type).toBe("media")
          expect((yield* received(tenant, "2")).type).toBe("location")
        })
      )

      it.effect("quotes the newest message of the same conversation whose id starts with the given one", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const quoted = { providerMessageId: "1", isPrefix: true }
          yield* take(tenant, message("1 a"), message("1 b"), message("10 c"), message("2", { quoted }))
          const others = [
            message("3", { quoted: { providerMessageId: "1" } }),
            message("4", { from: "+491701000002", quoted })
          ]
          yield* take(tenant, ...others)
          const target = yield* received(tenant, "1 b")
          const quoteOf = (id: string) => Effect.map(received(tenant, id), ({ envelope }) => envelope?.quoted)
          expect(yield* quoteOf("2")).toMatchObject({ messageId: target.id, providerMessageId: "1" })
          expect(yield* quoteOf("3")).toMatchObject({ messageId: null })
          expect(yield* quoteOf("4")).toMatchObject({ messageId: null })
        })
      )

      it.effect("quotes a message of the same conversation by our id, and others by the vendor's", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const sent = yield* send(tenant, ada, "hello")
          const quoted = { providerMessageId: `p-${sent.id}`, body: "what the vendor repeats" }
          yield* take(
            tenant,
            InboundEvent.Receipt({
              providerMessageId: quoted.providerMessageId,
              messageId: sent.id,
              receipt: { status: "sent", at: 1, error: null }
            }),
            message("1", { body: "yes", quoted }),
            message("2", { body: "yes", quoted: { providerMessageId: "elsewhere", body: "older" } }),
            message("3", { from: "+491701000002", body: "yes", quoted })
          )
          const quoteOf = (id: string) => Effect.map(received(tenant, id), ({ envelope }) => envelope?.quoted)
          expect(yield* quoteOf("1")).toEqual({
            messageId: sent.id,
            providerMessageId: quoted.providerMessageId,
            applicationId: tenant.application.id,
            body: null
          })
          expect(yield* quoteOf("2")).toMatchObject({ messageId: null, body: "older" })
          expect(yield* quoteOf("3")).toMatchObject({ messageId: null, applicationId: null })
        })
      )

      for (const type of ["reaction", "edit", "deletion"] as const) {
        it.effect(`a ${type} is a message that opens no window and reopens nothing`, () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { commit } = yield* Storage
            yield* take(tenant, message("1", { body: "hello" }))
            const before = yield* conversationOf(tenant)
            const key = { id: before?.id ?? "" }
            yield* commit(
              changes(tenant.workspace.id, {
                expects: [expects("conversations", key)],
                sets: [set("conversations", key, { status: "closed", lastInboundAt: 5 })]
              })
            )
            yield* take(
              tenant,
              message("2", { body: "STOP", content: about(type), quoted: { providerMessageId: "1" } })
            )
            expect(yield* conversationOf(tenant)).toMatchObject({ status: "closed", lastInboundAt: 5 })
            const stored = yield* received(tenant, "2")
            const target = yield* received(tenant, "1")
            expect(stored).toMatchObject({ type, envelope: { quoted: { messageId: target.id } } })
            const events = (yield* rowsOf(tenant, "events")).map(({ type }) => type)
            expect(events.filter((one) => one === "message.received")).toHaveLength(2)
            expect(events).not.toContain("contact.updated")
            yield* take(tenant, message("3", { content: about(type), opensWindow: true }))
            expect((yield* conversationOf(tenant))?.status).toBe("open")
          })
        )
      }

      it.effect("a deletion erases text, files and content of the customer's message, also if it is redelivered", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { get } = yield* Blobs
          const file = {
            type: "image",
            contentType: "image/png",
            fileName: null,
            content: new Uint8Array([7])
          } as const
          const blob = attachmentId(tenant.connection.id, "1", 0)
          yield* take(
            tenant,
            message("1", { body: "secret", attachments: [file], subject: "private", forwarded: true })
          )
          expect(Option.isSome(yield* get(blob))).toBe(true)
          const deletion = message("2", { content: { type: "deletion" }, quoted: { providerMessageId: "1" } })
          yield* Effect.all([take(tenant, deletion), take(tenant, deletion)], { concurrency: "unbounded" })
          yield* take(tenant, deletion)
          expect(yield* received(tenant, "1")).toMatchObject({
            ...{ body: "", subject: null, attachments: [], content: null, type: "media" },
            envelope: { ...emptyEnvelope, isDeleted: true }
          })
          expect(Option.isNone(yield* get(blob))).toBe(true)
          expect(yield* rowsOf(tenant, "attachedFiles")).toEqual([])
          const deletions = (yield* rowsOf(tenant, "messages")).filter(({ type }) => type === "deletion")
          expect(deletions.map(({ body }) => body)).toEqual(["Message deleted"])
        })
      )

      it.effect("a deletion keeps a message that comes after it from being stored", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const deletion = (id: string) =>
            message(id, { content: { type: "deletion" }, quoted: { providerMessageId: "2" } })
          const late = message("2", { body: "secret", raw: '{"text":"secret"}' })
          yield* take(tenant, message("1", { body: "hello" }), deletion("3"))
          // At once with another deletion, and redelivered.
          yield* Effect.all([take(tenant, late), take(tenant, deletion("4"))], { concurrency: "unbounded" })
          yield* take(tenant, late, deletion("3"))
          const messages = yield* rowsOf(tenant, "messages")
          expect(messages.map(({ body, type }) => [type, body]).sort()).toEqual([
            ["deletion", "Message deleted"],
            ["deletion", "Message deleted"],
            ["text", "hello"]
          ])
          expect((yield* rowsOf(tenant, "events")).filter(({ raw }) => raw !== null)).toEqual([])
        })
      )

      it.effect("a deletion keeps an edit that comes after it from being stored", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const of = (providerMessageId: string) => ({ quoted: { providerMessageId } })
          const edit = (id: string, edited: string) =>
            message(id, { body: "secret", content: { type: "edit" }, ...of(edited) })
          const deletion = (id: string, deleted: string) =>
            message(id, { content: { type: "deletion" }, ...of(deleted) })
          yield* take(tenant, message("1", { body: "secret" }), deletion("2", "1"), deletion("3", "never stored"))
          yield* take(tenant, edit("4", "1"), edit("5", "never stored"))
          // Of an empty message that was not deleted.
          yield* take(tenant, message("6", { body: "" }), edit("7", "6"))
          const messages = yield* rowsOf(tenant, "messages")
          expect(messages.map(({ body, type }) => [type, body]).sort()).toEqual([
            ["deletion", "Message deleted"],
            ["deletion", "Message deleted"],
            ["edit", "secret"],
            ["text", ""],
            ["text", ""]
          ])
        })
      )

      it.effect("a deletion erases the edits of the customer's message too", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const quoted = { providerMessageId: "1" }
          const edit = { content: { type: "edit" }, raw: '{"text":"secret"}' } as const
          yield* take(
            tenant,
            message("1", { body: "secret", raw: '{"text":"secret"}' }),
            message("2", { body: "other" }),
            message("3", { body: "secret 2", quoted, ...edit }),
            message("4", { body: "kept", quoted: { providerMessageId: "2" }, ...edit })
          )
          yield* take(tenant, message("5", { content: { type: "deletion" }, quoted }))
          const { id } = yield* received(tenant, "1")
          expect(yield* received(tenant, "3")).toMatchObject({
            ...{ type: "edit", body: "", content: null, envelope: { quoted: { messageId: id, body: null } } }
          })
          expect(yield* received(tenant, "4")).toMatchObject({ body: "kept" })
          const events = yield* rowsOf(tenant, "events")
          expect(events.filter(({ raw }) => raw !== null)).toHaveLength(1)
        })
      )

      it.effect("has the vendor's JSON in its event until the customer deletes it, at most 64 KiB", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const rawOf = (number: string) =>
            Effect.gen(function* () {
              const { id } = yield* received(tenant, number)
              const events = yield* rowsOf(tenant, "events")
              return events.filter(({ subjectId }) => subjectId === id).map(({ raw, type }) => [type, raw])
            })
          const raw = '{"text":"\\u0000 secret"}'
          yield* take(
            tenant,
            message("1", { body: "secret", raw }),
            message("2", { raw: "é".repeat(40_000) }),
            message("3")
          )
          expect(yield* rawOf("1")).toEqual([["message.received", raw]])
          expect(yield* rawOf("2")).toEqual([["message.received", "é".repeat(32_768)]])
          expect(yield* rawOf("3")).toEqual([["message.received", null]])
          const echo = InboundEvent.Echo({
            providerMessageId: "4",
            to: ada,
            at: 1,
            body: "",
            attachments: [],
            raw: "{}"
          })
          yield* take(tenant, echo)
          expect(yield* rawOf("4")).toEqual([["message.sent", "{}"]])
          yield* take(tenant, message("5", { content: { type: "deletion" }, quoted: { providerMessageId: "1" } }))
          expect(yield* rawOf("1")).toEqual([["message.received", null]])
        })
      )

      it.effect("a deletion by an unknown person creates no contact, and is kept as an unknown event", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, message("1", { content: { type: "deletion" }, quoted: { providerMessageId: "0" } }))
          for (const table of ["contacts", "conversations", "messages", "events"] as const) {
            expect(yield* rowsOf(tenant, table)).toEqual([])
          }
          expect(yield* rowsOf(tenant, "unknownEvents")).toMatchObject([{ kind: "message" }])
        })
      )

      it.effect("a deletion leaves messages of the business alone", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const store = yield* Storage
          const sent = yield* send(tenant, ada, "hello")
          yield* store.commit(
            changes(tenant.workspace.id, {
              ensures: [
                row("providerMessages", {
                  connectionId: tenant.connection.id,
                  providerMessageId: "ours",
                  workspaceId: tenant.workspace.id,
                  messageId: sent.id,
                  parked: [],
                  createdAt: 1,
                  version: 1
                })
              ]
            })
          )
          yield* take(tenant, message("2", { content: { type: "deletion" }, quoted: { providerMessageId: "ours" } }))
          const { messages } = yield* store.read({ messages: lookup("messages", { id: sent.id }) })
          expect(messages[0]?.body).toBe("hello")
        })
      )
    }
  )
}
