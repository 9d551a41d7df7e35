import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aBot } from "@parley/testkit/rows"
import { Effect, Option, Ref } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import type { Connection } from "../../../src/model/Connection.js"
import { InboundEvent, type PastMessage } from "../../../src/model/InboundEvent.js"
import { originOf } from "../../../src/model/Message.js"
import { Blobs } from "../../../src/ports/Blobs.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { Storage, StorageUnavailable } from "../../../src/ports/Storage.js"
import { accept, engine, newTenant, Provider, send, type Tenant } from "../../harness.js"

const ada = "+491701000001"
const spring = Date.UTC(2026, 3, 1)

type History = InboundEvent & { readonly _tag: "History" }

const past = (providerMessageId: string, given: Partial<PastMessage> = {}): PastMessage => ({
  providerMessageId,
  direction: "inbound",
  at: spring,
  body: `text ${providerMessageId}`,
  attachments: [],
  ...given
})
const chat = (messages: ReadonlyArray<PastMessage>, given: Partial<History> = {}) =>
  InboundEvent.History({ handle: ada, displayName: "Ada", messages, ...given }) as History
const photo = { type: "image", contentType: "image/png", fileName: null, content: { reference: "photo-1" } } as const

const imported = ({ connection }: { readonly connection: Connection }, ...conversations: ReadonlyArray<History>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.importHistory(connection, conversations))
const take = ({ connection }: Tenant, ...events: ReadonlyArray<InboundEvent>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.take(connection, events))
const write = (tenant: Tenant, providerMessageId: string, body: string) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(tenant.connection, { providerMessageId, from: ada, body, displayName: null })
  )

const rowsOf = <
  T extends
    | "attachedFiles"
    | "contacts"
    | "conversations"
    | "events"
    | "jobs"
    | "messages"
    | "notifications"
    | "unknownEvents"
>(
  { workspace }: Tenant,
  from: T
) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list<T>({ from, where: { workspaceId: workspace.id } as never, after: null, limit: 1_000 })
  )
/** The provider message ids, in the order of lists: newest first. */
const listed = (tenant: Tenant) =>
  Effect.map(rowsOf(tenant, "messages"), (all) => all.map(({ providerMessageId }) => providerMessageId))

for (const [name, storage] of databases) {
  layer(engine(storage, 30_000), { excludeTestServices: true, timeout: 60_000 })(
    `messages of the past on ${name}`,
    (it) => {
      it.effect("have their own times and directions, and make the contact and the conversation", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const counts = yield* imported(
            tenant,
            chat([
              past("1", { body: " Open? " }),
              past("2", { direction: "outbound", at: spring + 60_000, status: "read" }),
              past("3", { direction: "outbound", at: spring + 61_000, status: "failed" })
            ])
          )
          expect(counts).toEqual({ imported: 3, known: 0 })
          const [failed, answer, question] = yield* rowsOf(tenant, "messages")
          expect(question).toMatchObject({
            ...{ direction: "inbound", status: "delivered", type: "text", createdAt: spring, sentAt: null },
            ...{ applicationId: null, workspaceId: tenant.workspace.id, connectionId: tenant.connection.id }
          })
          expect(answer).toMatchObject({
            ...{ direction: "outbound", status: "read", createdAt: spring + 60_000, sentAt: spring + 60_000 },
            // Vendors do not tell since when.
            ...{ deliveredAt: null, readAt: null }
          })
          expect(failed).toMatchObject({ status: "failed", sentAt: null, error: { code: "provider_error" } })
          expect([question, answer].map((message) => message && originOf(message))).toEqual(["customer", "external"])
          const [conversation] = yield* rowsOf(tenant, "conversations")
          expect(conversation).toMatchObject({
            ...{ id: question?.conversationId, handle: ada, status: "open" },
            ...{ lastActivityAt: spring + 61_000, lastInboundAt: 0 }
          })
          const [contact] = yield* rowsOf(tenant, "contacts")
          expect(contact).toMatchObject({ id: question?.contactId, firstName: "Ada", phone: ada, optedOut: false })
          expect(contact?.lastActivityAt).toBe(spring + 61_000)
        })
      )

      it.effect("emit nothing, start nothing and notify no one", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const bot = aBot({ id: (yield* Ids).next(1), workspaceId: tenant.workspace.id })
          yield* (yield* Storage).commit(changes(tenant.workspace.id, { inserts: [row("bots", bot)] }))
          yield* imported(tenant, chat([past("1"), past("2", { body: "STOP" })]))
          for (const from of ["events", "jobs", "notifications", "unknownEvents"] as const) {
            expect(yield* rowsOf(tenant, from)).toEqual([])
          }
          expect(yield* rowsOf(tenant, "contacts")).toMatchObject([{ optedOut: false }])
          expect(yield* rowsOf(tenant, "conversations")).toMatchObject([{ botSessionId: null }])
        })
      )

      it.effect("of a mailbox have subject, addresses, whole text and files", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const mail = { from: "Ada <ada@customer.example>", to: ["hello@bakery.example"], cc: [], replyTo: [] }
          const file = { ...photo, content: new Uint8Array([1, 2, 3]) }
          const given = past("1", { subject: "Order", mail, fullText: "text 1\n-- \nAda", attachments: [file] })
          expect(yield* imported(tenant, chat([given]))).toEqual({ imported: 1, known: 0 })
          const [message] = yield* rowsOf(tenant, "messages")
          expect(message).toMatchObject({
            ...{ type: "media", subject: "Order", body: "text 1", attachments: [{ size: 3 }] },
            envelope: { mail, fullText: "text 1\n-- \nAda", quoted: null }
          })
          const [stored] = yield* rowsOf(tenant, "attachedFiles")
          expect(stored).toMatchObject({ messageId: message?.id, status: "stored" })
          const blobs = yield* Blobs
          // A repeated import does not store the bytes again.
          yield* blobs.remove([stored?.id ?? ""])
          expect(yield* imported(tenant, chat([given, past("2")]))).toEqual({ imported: 1, known: 1 })
          expect(Option.isNone(yield* blobs.get(stored?.id ?? ""))).toBe(true)
        })
      )

      it.effect("are automatic if no one wrote them", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* imported(tenant, chat([past("1", { automatic: true }), past("2", { at: spring + 1_000 })]))
          const [written, automatic] = yield* rowsOf(tenant, "messages")
          expect(automatic?.envelope).toMatchObject({ automatic: true })
          expect(written?.envelope).toBe(null)
        })
      )

      it.effect("quote stored messages of their own conversation only", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* imported(tenant, chat([past("answer", { direction: "outbound" })]))
          const quoted = { providerMessageId: "answer" }
          yield* imported(
            tenant,
            chat([past("1", { at: spring + 1, quoted })]),
            chat([past("2", { at: spring + 2, quoted })], { handle: "+491701000002", displayName: "Eve" })
          )
          const [foreign, own, answer] = yield* rowsOf(tenant, "messages")
          expect(own?.envelope?.quoted).toMatchObject({ messageId: answer?.id })
          expect(foreign?.envelope?.quoted).toMatchObject({ messageId: null, providerMessageId: "answer" })
        })
      )

      it.effect("do not reopen a conversation, and change no name", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* write(tenant, "now", "Hello")
          const [before] = yield* rowsOf(tenant, "conversations")
          const closed = {
            table: "conversations",
            key: { id: before?.id ?? "" },
            values: { status: "closed" }
          } as const
          yield* (yield* Storage).commit(changes(tenant.workspace.id, { sets: [closed] }))
          yield* imported(tenant, chat([past("1")], { opensWindow: true }))
          const [after] = yield* rowsOf(tenant, "conversations")
          expect(after).toMatchObject({
            ...{ status: "closed", lastActivityAt: before?.lastActivityAt, lastInboundAt: before?.lastInboundAt }
          })
          expect(yield* rowsOf(tenant, "contacts")).toMatchObject([{ firstName: null }])
        })
      )

      it.effect("open the service window at their own time where the vendor counts them", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const answer = past("2", { direction: "outbound", at: spring + 5_000 })
          yield* imported(tenant, chat([past("1"), answer], { opensWindow: true }))
          expect(yield* rowsOf(tenant, "conversations")).toMatchObject([{ lastInboundAt: spring }])
        })
      )

      it.effect("stand in lists where they were written", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* write(tenant, "now", "Hello")
          yield* imported(
            tenant,
            chat([past("2", { at: spring + 2_000 }), past("1"), past("3", { at: spring + 3_000 })])
          )
          expect(yield* listed(tenant)).toEqual(["now", "3", "2", "1"])
        })
      )

      it.effect("are stored once, also if they arrived before or the import is repeated", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const live = yield* write(tenant, "1", "text 1")
          const messages = [past("1"), past("2"), past("2")]
          expect(yield* imported(tenant, chat(messages))).toEqual({ imported: 1, known: 2 })
          expect(yield* imported(tenant, chat(messages))).toEqual({ imported: 0, known: 3 })
          yield* take(tenant, chat(messages), InboundEvent.Echo({ ...past("2"), to: ada }))
          const stored = yield* rowsOf(tenant, "messages")
          expect(stored.map(({ providerMessageId }) => providerMessageId)).toEqual(["1", "2"])
          expect(stored[0]).toMatchObject({ id: live.id, createdAt: live.createdAt })
          expect(yield* rowsOf(tenant, "conversations")).toHaveLength(1)
        })
      )

      it.effect("go on after an import that was interrupted", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const messages = Array.from({ length: 130 }, (_, index) => past(`${index}`, { at: spring + index * 1_000 }))
          // The second commit of 50 messages is lost.
          const storage = yield* Storage
          let commits = 0
          const real = storage.commit
          const cut = (given: Parameters<typeof real>[0]) =>
            ++commits === 2 ? new StorageUnavailable({ cause: new Error("cut off") }) : real(given)
          Object.assign(storage, { commit: cut })
          const failed = yield* Effect.exit(imported(tenant, chat(messages)))
          Object.assign(storage, { commit: real })
          expect(failed._tag).toBe("Failure")
          expect(yield* listed(tenant)).toHaveLength(50)
          expect(yield* imported(tenant, chat(messages))).toEqual({ imported: 80, known: 50 })
          expect(yield* listed(tenant)).toEqual(messages.map(({ providerMessageId }) => providerMessageId).reverse())
        })
      )

      it.effect("quote each other and messages that are here", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const live = yield* write(tenant, "now", "Hello")
          const quotes = (providerMessageId: string) => ({ quoted: { providerMessageId, body: "as it was" } })
          yield* imported(
            tenant,
            chat([past("1"), past("2", quotes("1")), past("3", quotes("now")), past("4", quotes("lost"))])
          )
          const stored = yield* rowsOf(tenant, "messages")
          const quotedBy = (id: string) =>
            stored.find(({ providerMessageId }) => providerMessageId === id)?.envelope?.quoted
          const first = stored.find(({ providerMessageId }) => providerMessageId === "1")
          expect(quotedBy("2")).toMatchObject({ messageId: first?.id, body: null })
          expect(quotedBy("3")).toMatchObject({ messageId: live.id })
          expect(quotedBy("4")).toMatchObject({ messageId: null, body: "as it was" })
        })
      )

      it.effect("get their files, also those that the vendor sends later", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const placeholder = past("1", { content: { type: "unsupported", kind: "media_placeholder" } })
          yield* imported(tenant, chat([placeholder, past("2", { attachments: [photo] })]))
          expect((yield* rowsOf(tenant, "messages")).map(({ type }) => type).sort()).toEqual(["media", "unsupported"])
          // Of another direction than the message: that of the message counts.
          const file = past("1", { body: "Rose", direction: "outbound", attachments: [photo] })
          yield* take(tenant, chat([file]))
          expect(yield* imported(tenant, chat([file, placeholder]))).toEqual({ imported: 0, known: 2 })
          const complete = (yield* rowsOf(tenant, "messages")).find(
            ({ providerMessageId }) => providerMessageId === "1"
          )
          expect(complete).toMatchObject({
            ...{ providerMessageId: "1", direction: "inbound", type: "media", body: "Rose", content: null },
            attachments: [{ type: "image", contentType: "image/png", size: 0 }]
          })
          const files = yield* rowsOf(tenant, "attachedFiles")
          expect(files.map(({ reference, status }) => [reference, status])).toEqual([
            ["photo-1", "waiting"],
            ["photo-1", "waiting"]
          ])
          expect((yield* rowsOf(tenant, "jobs")).map(({ payload }) => payload?.task)).toEqual([
            ...["fetch_file", "fetch_file"]
          ])
          expect(yield* rowsOf(tenant, "events")).toEqual([])
        })
      )

      it.effect("take receipts that came first and those that come later", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const receipt = (status: "delivered" | "read") =>
            InboundEvent.Receipt({
              ...{ providerMessageId: "1", messageId: null },
              receipt: { status, at: spring + 9_000, error: null }
            })
          yield* take(tenant, receipt("delivered"))
          yield* imported(tenant, chat([past("1", { direction: "outbound" })]))
          expect(yield* rowsOf(tenant, "messages")).toMatchObject([
            { status: "delivered", deliveredAt: spring + 9_000 }
          ])
          yield* take(tenant, receipt("read"))
          expect(yield* rowsOf(tenant, "messages")).toMatchObject([{ status: "read" }])
        })
      )

      it.effect("are not copies of a send that awaits its outcome", () =>
        Effect.gen(function* () {
          for (const body of ["hello", "hello, as the vendor changed it"]) {
            const tenant = yield* newTenant
            const { answer } = yield* Provider
            const inbound = yield* Inbound
            yield* write(tenant, "0", "Hi")
            const own = past("p-1", { direction: "outbound", at: Date.now() + 60_000, body })
            yield* Ref.set(answer, () =>
              inbound
                .importHistory(tenant.connection, [chat([own])])
                .pipe(Effect.orDie, Effect.as(SendOutcome.Accepted({ providerMessageId: "p-1", receipts: [] })))
            )
            const { id } = yield* send(tenant, ada, body, "hello")
            yield* Ref.set(answer, accept)
            const stored = yield* rowsOf(tenant, "messages")
            expect(stored.filter(({ direction }) => direction === "outbound")).toMatchObject([
              { id, providerMessageId: "p-1", receivedAt: null }
            ])
          }
        })
      )

      it.effect("are kept as unknown events if their customer cannot be named", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          expect(yield* imported(tenant, chat([past("1")], { handle: "" }), chat([past("2")]))).toEqual({
            ...{ imported: 1, known: 0 }
          })
          expect(yield* rowsOf(tenant, "unknownEvents")).toMatchObject([{ kind: "history" }])
        })
      )
    }
  )
}
