import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aMessage, someTime } from "@parley/testkit/rows"
import { Effect, Option, Ref, Stream } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { type InboundAttachment, InboundEvent } from "../../../src/model/InboundEvent.js"
import type { Message, Receipt } from "../../../src/model/Message.js"
import type { TemplateStatus } from "../../../src/model/Template.js"
import { Blobs } from "../../../src/ports/Blobs.js"
import { changes, expect as expects, row, set } from "../../../src/ports/Changes.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { attachmentId } from "../../../src/resources/attachments/storeInboundFile.js"
import { accept, engine, newTenant, Provider, send, type Tenant } from "../../harness.js"

const handle = "+491701000001"
const message = (providerMessageId: string, given: Partial<InboundEvent & { readonly _tag: "Message" }> = {}) =>
  InboundEvent.Message({
    providerMessageId,
    from: handle,
    body: "hello",
    subject: null,
    displayName: null,
    attachments: [],
    automatic: false,
    ...given
  })
const receipt = (
  providerMessageId: string,
  status: Receipt["status"],
  messageId: string | null = null,
  at = someTime
) => InboundEvent.Receipt({ providerMessageId, messageId, receipt: { status, at, error: null } })

const take = ({ connection }: Tenant, ...events: ReadonlyArray<InboundEvent>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.take(connection, events))

type Kept = "messages" | "contacts" | "conversations" | "unknownEvents" | "templates" | "events"
const all = <T extends Kept>(tenant: Tenant, from: T) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list<T>({ from, where: { workspaceId: tenant.workspace.id } as never, after: null, limit: 1_000 })
  )
const inboundBodies = (tenant: Tenant) =>
  Effect.map(all(tenant, "messages"), (messages) =>
    messages.filter(({ direction }) => direction === "inbound").map(({ body }) => body)
  )
const messageOf = (id: string) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.read({ messages: lookup("messages", { id }) }), ({ messages }) => messages[0])
  )

for (const [name, storage] of databases) {
  layer(engine(storage, 30_000), { excludeTestServices: true, timeout: 60_000 })(
    `what providers bring on ${name}`,
    (it) => {
      it.effect("is applied once, for all events of a redelivered batch", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const batch = [
            message("1", { body: "one" }),
            message("1", { body: "one" }),
            message("2", { body: "two" }),
            message("3", { body: "three", from: "+49 170 1000002", displayName: "Grace" })
          ]
          yield* take(tenant, ...batch)
          yield* Effect.all([take(tenant, ...batch), take(tenant, ...batch)], { concurrency: "unbounded" })
          expect((yield* inboundBodies(tenant)).sort()).toEqual(["one", "three", "two"])
          expect((yield* all(tenant, "contacts")).map(({ firstName }) => firstName).sort()).toEqual(["Grace", null])
          expect(yield* all(tenant, "conversations")).toHaveLength(2)
          const events = yield* all(tenant, "events")
          expect(events.filter(({ type }) => type === "message.received")).toHaveLength(3)
        })
      )

      const userId = "US.1349"
      const handlesOf = (tenant: Tenant) =>
        Effect.map(all(tenant, "contacts"), (contacts) =>
          contacts.map(({ identities }) => identities.map((identity) => identity.handle))
        )

      it.effect("links two handles that come together, and joins the messages from both", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, message("1", { otherHandle: userId }))
          yield* take(tenant, message("2", { from: userId, substitute: true }))
          yield* take(tenant, message("3", { otherHandle: userId }))
          expect(yield* handlesOf(tenant)).toEqual([[handle, userId]])
          expect((yield* all(tenant, "conversations")).map((one) => one.handle)).toEqual([handle])
          expect(yield* all(tenant, "messages")).toHaveLength(3)
        })
      )

      it.effect("joins a number that comes after the id that stood for it", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, message("1", { from: userId, substitute: true }))
          yield* take(tenant, message("2", { otherHandle: userId }))
          yield* take(tenant, message("3", { from: userId, substitute: true }), message("4"))
          expect(yield* handlesOf(tenant)).toEqual([[userId, handle]])
          const conversations = yield* all(tenant, "conversations")
          const [first] = conversations.filter((one) => one.handle === userId)
          const messages = yield* all(tenant, "messages")
          expect(messages.filter(({ providerMessageId }) => providerMessageId !== "4")).toEqual(
            Array(3).fill(expect.objectContaining({ conversationId: first?.id, contactId: first?.contactId }))
          )
        })
      )

      it.effect("does not link a handle of another contact, and applies both at the same time", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, message("1"), message("2", { from: userId, substitute: true }))
          yield* take(tenant, message("3", { otherHandle: userId }))
          expect((yield* handlesOf(tenant)).sort()).toEqual([[handle], [userId]])
          const other = yield* newTenant
          yield* Effect.all(
            [
              take(other, message("1", { otherHandle: userId })),
              take(other, message("2", { from: userId, substitute: true })),
              take(other, message("3", { otherHandle: userId }))
            ],
            { concurrency: "unbounded" }
          )
          expect(yield* all(other, "messages")).toHaveLength(3)
          expect((yield* handlesOf(other)).flat().sort()).toEqual([handle, userId])
        })
      )

      it.effect("disconnects a connection once if a receipt says that the vendor refuses it", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const store = yield* Storage
          const key = { id: tenant.connection.id }
          const { id } = yield* send(tenant, handle, "refused later")
          const refusal = { providerCode: "131042\u0000", providerMessage: "it cannot be billed" }
          const failed = InboundEvent.Receipt({ ...receipt("p", "failed", id), refusal })
          const status = Effect.map(store.read({ found: lookup("connections", key) }), ({ found }) => found[0]?.status)
          yield* take(tenant, failed, failed)
          expect(yield* status).toBe("disconnected")
          const { notifications } = yield* store.read({
            notifications: lookup("notifications", { workspaceId: tenant.workspace.id })
          })
          expect(notifications.filter(({ kind }) => kind === "connection.disconnected")).toHaveLength(1)
          yield* store.commit(
            changes(tenant.workspace.id, {
              expects: [expects("connections", key)],
              sets: [set("connections", key, { status: "active" })]
            })
          )
          yield* take(tenant, failed)
          expect(yield* status).toBe("active")
        })
      )

      it.effect("marks the contact of a message whose receipt says that it opted out", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* send(tenant, handle, "unwanted")
          const optOut = "marketing" as const
          yield* take(tenant, InboundEvent.Receipt({ ...receipt(`p-${id}`, "failed", id), optOut }))
          expect(yield* all(tenant, "contacts")).toMatchObject([{ marketingOptedOut: true, optedOut: false }])
          expect(yield* all(tenant, "unknownEvents")).toEqual([])
        })
      )

      it.effect("stores events that cannot be applied as unknown, and applies the others", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, message("0"), message("other", { from: "+491701000009" }))
          yield* take(
            tenant,
            message("1", { from: "nobody" }),
            message("2", { body: "a\u0000\ud800b" }),
            InboundEvent.OptOut({ handle: "+491709999999", scope: "all", optedOut: true }),
            InboundEvent.HandleChanged({ from: handle, to: "+491701000009" }),
            InboundEvent.HandleChanged({ from: "+491709999999", to: "+491709999998" }),
            InboundEvent.TemplateStatus({ name: "unheard_of", language: "en", status: "approved" }),
            InboundEvent.Unknown({ kind: "reaction", raw: "{\u0000}" }),
            // Invalid events that a provider should not return.
            InboundEvent.Receipt({ providerMessageId: "p", messageId: null, receipt: null as never }),
            message("3", { body: "three" })
          )
          expect((yield* inboundBodies(tenant)).sort()).toEqual(["ab", "hello", "hello", "three"])
          const kept = yield* all(tenant, "unknownEvents")
          expect(kept.map(({ kind }) => kind).sort()).toEqual([
            "handle_changed",
            "handle_changed",
            "message",
            "opt_out",
            "reaction",
            "receipt",
            "template_status"
          ])
          expect(kept.find(({ kind }) => kind === "reaction")?.raw).toBe("{}")
          expect(kept.find(({ kind }) => kind === "message")?.raw).toContain("must be a phone number")
        })
      )

      it.effect("advances messages by receipts in any order and number", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* send(tenant, handle, "shuffled")
          const all = [receipt(`p-${id}`, "read"), receipt(`p-${id}`, "sent"), receipt(`p-${id}`, "delivered")]
          yield* take(tenant, ...all)
          yield* take(tenant, ...[...all].reverse())
          expect(yield* messageOf(id)).toMatchObject({ status: "read" })
          const { id: failed } = yield* send(tenant, handle, "failed")
          yield* take(tenant, receipt(`p-${failed}`, "failed"), receipt(`p-${failed}`, "delivered"))
          expect(yield* messageOf(failed)).toMatchObject({ status: "failed", deliveredAt: null })
        })
      )

      it.effect("applies a receipt that arrives before the provider's answer to the send", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { answer } = yield* Provider
          const inbound = yield* Inbound
          yield* Ref.set(answer, (message) =>
            inbound
              .take(tenant.connection, [
                receipt(`p-${message.id}`, "delivered"),
                receipt(`p-${message.id}`, "delivered")
              ])
              .pipe(Effect.orDie, Effect.zipRight(accept(message)))
          )
          const { id } = yield* send(tenant, handle, "early")
          yield* Ref.set(answer, accept)
          expect(yield* messageOf(id)).toMatchObject({ status: "delivered", providerMessageId: `p-${id}` })
        })
      )

      it.effect("resolves a send of unknown outcome by a receipt with our id", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { answer } = yield* Provider
          yield* Ref.set(answer, () => Effect.succeed(SendOutcome.Unknown({ reason: "no answer" })))
          const { id } = yield* send(tenant, handle, "unknown")
          yield* Ref.set(answer, accept)
          expect(yield* messageOf(id)).toMatchObject({ status: "queued" })
          yield* take(tenant, receipt("w-1", "delivered", id))
          yield* take(tenant, receipt("w-1", "read"))
          expect(yield* messageOf(id)).toMatchObject({ status: "read", providerMessageId: "w-1" })
          // The id of another tenant's message is ignored.
          const other = yield* newTenant
          yield* take(other, receipt("w-2", "failed", id), receipt("w-3", "failed", "no id"))
          expect(yield* messageOf(id)).toMatchObject({ status: "read" })
        })
      )

      it.effect("advances all messages up to a watermark, and no later ones", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { connection, workspace } = tenant
          yield* take(tenant, message("first"))
          const [conversation] = yield* all(tenant, "conversations")
          if (conversation === undefined) throw new Error("no conversation")
          const ids = yield* Ids
          const storage = yield* Storage
          const sent = Array.from({ length: 250 }, (_, n) =>
            aMessage({
              id: ids.next(Date.now()),
              workspaceId: workspace.id,
              connectionId: connection.id,
              conversationId: conversation.id,
              contactId: conversation.contactId,
              applicationId: null,
              // The last 120 are newer than the watermark.
              status: n % 10 === 9 ? "failed" : "sent",
              createdAt: n < 130 ? someTime : someTime + 60_000,
              sentAt: n < 130 ? someTime + 100 : someTime + 60_000
            })
          )
          yield* storage.commit(changes(workspace.id, { ensures: sent.map((one) => row("messages", one)) }))
          const statuses = Effect.map(
            Effect.forEach(sent, ({ id }) => messageOf(id), { concurrency: "unbounded" }),
            (messages) => messages.map((one) => one?.status)
          )
          const expected = (status: "delivered" | "read") =>
            sent.map((one, n) => (n < 130 && one.status === "sent" ? status : one.status))
          const mark = (status: "delivered" | "read", upTo: number) =>
            take(tenant, InboundEvent.Watermark({ handle, status, upTo }))
          yield* mark("delivered", someTime)
          expect(yield* statuses).toEqual(expected("delivered"))
          yield* mark("read", someTime)
          yield* mark("delivered", someTime - 5_000)
          yield* mark("read", someTime)
          expect(yield* statuses).toEqual(expected("read"))
          const [marked] = yield* all(tenant, "conversations")
          expect(marked).toMatchObject({ deliveredUpTo: someTime, readUpTo: someTime })
          const events = yield* all(tenant, "events")
          expect(events.filter(({ type }) => type === "message.delivered")).toHaveLength(117)
          expect(events.filter(({ type }) => type === "message.read")).toHaveLength(117)
          // There is no conversation with this handle.
          yield* take(tenant, InboundEvent.Watermark({ handle: "+491709999999", status: "read", upTo: someTime }))
          expect(yield* all(tenant, "unknownEvents")).toEqual([])
        })
      )

      it.effect("advances messages up to a watermark behind many later ones and many of the customer's", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { connection, workspace } = tenant
          yield* take(tenant, message("first"))
          const [conversation] = yield* all(tenant, "conversations")
          if (conversation === undefined) throw new Error("no conversation")
          const ids = yield* Ids
          const storage = yield* Storage
          const store = (count: number, given: Partial<Message>) => {
            const messages = Array.from({ length: count }, () =>
              aMessage({
                id: ids.next(Date.now()),
                workspaceId: workspace.id,
                connectionId: connection.id,
                conversationId: conversation.id,
                contactId: conversation.contactId,
                applicationId: null,
                createdAt: given.sentAt ?? someTime,
                ...given
              })
            )
            const rows = { ensures: messages.map((one) => row("messages", one)) }
            return Effect.as(storage.commit(changes(workspace.id, rows)), messages)
          }
          const mark = (status: "delivered" | "read", upTo: number) =>
            take(tenant, InboundEvent.Watermark({ handle, status, upTo }))
          const statuses = (messages: ReadonlyArray<Message>) =>
            Effect.forEach(messages, ({ id }) => Effect.map(messageOf(id), (one) => one?.status))

          const first = yield* store(2, { status: "sent", sentAt: someTime })
          yield* store(1, { status: "sent", sentAt: someTime + 60_000 })
          yield* store(120, { direction: "inbound", status: "delivered", sentAt: null, deliveredAt: someTime })
          yield* mark("delivered", someTime)
          expect(yield* statuses(first)).toEqual(["delivered", "delivered"])

          yield* store(120, { status: "sent", sentAt: someTime + 60_000 })
          yield* mark("delivered", someTime + 60_000)
          yield* mark("read", someTime)
          expect(yield* statuses(first)).toEqual(["read", "read"])
        })
      )

      it.effect("applies a watermark that arrives before the provider's answer to the send", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { connection, workspace } = tenant
          const { answer } = yield* Provider
          const inbound = yield* Inbound
          const key = { id: connection.id }
          yield* (yield* Storage).commit(
            changes(workspace.id, {
              expects: [expects("connections", key)],
              sets: [set("connections", key, { provider: "marking" })]
            })
          )
          const mark = (status: "delivered" | "read") =>
            Effect.suspend(() =>
              inbound.take(connection, [InboundEvent.Watermark({ handle, status, upTo: Date.now() })])
            )
          yield* Ref.set(answer, (message) => Effect.zipRight(Effect.orDie(mark("delivered")), accept(message)))
          const { id } = yield* send(tenant, handle, "marked")
          yield* Ref.set(answer, accept)
          expect(yield* messageOf(id)).toMatchObject({ status: "delivered" })
          yield* mark("read")
          expect(yield* messageOf(id)).toMatchObject({ status: "read" })
        })
      )

      it.effect("refuses sends after STOP until START", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, message("1", { body: "Stop" }))
          const refusal = yield* Effect.flip(send(tenant, handle, "after stop"))
          expect(refusal).toMatchObject({ code: "validation_failed", details: { to: [expect.any(String)] } })
          yield* take(tenant, message("2", { body: "stop" }), message("3", { body: "start" }))
          expect(yield* send(tenant, handle, "after start")).toMatchObject({ status: 202 })
          expect(
            (yield* all(tenant, "events")).map(({ type }) => type).filter((type) => type.startsWith("contact"))
          ).toEqual(["contact.updated", "contact.created"])
        })
      )

      it.effect("stores opt-outs and handle changes from the vendor", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* take(tenant, message("1", { displayName: "Ada" }))
          yield* take(
            tenant,
            InboundEvent.OptOut({ handle, scope: "marketing", optedOut: true }),
            InboundEvent.HandleChanged({ from: handle, to: "+491701000007" }),
            message("2", { from: "+491701000007", body: "from there" })
          )
          const [contact, ...others] = yield* all(tenant, "contacts")
          expect(others).toEqual([])
          expect(contact).toMatchObject({
            optedOut: false,
            marketingOptedOut: true,
            identities: [
              { handle: "+491701000007", displayName: "Ada" },
              { handle, displayName: "Ada" }
            ]
          })
        })
      )

      it.effect("lets a redelivered opt-out or opt-in not undo a later one", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const contact = Effect.map(all(tenant, "contacts"), ([first]) => first)
          const preference = (optedOut: boolean, at: number) =>
            InboundEvent.OptOut({ handle, scope: "marketing", optedOut, at })
          yield* take(tenant, message("1"), preference(false, someTime), preference(true, someTime + 1))
          yield* take(tenant, preference(false, someTime))
          expect(yield* contact).toMatchObject({ marketingOptedOut: true, optedOut: false })
          yield* take(tenant, preference(true, someTime + 2), preference(false, someTime + 1))
          expect(yield* contact).toMatchObject({ marketingOptedOut: true })
          yield* take(tenant, preference(false, someTime + 3), preference(true, someTime + 2))
          expect(yield* contact).toMatchObject({ marketingOptedOut: false })
          // A stop word has the present time.
          yield* take(tenant, message("2", { body: "stop" }))
          yield* take(tenant, InboundEvent.OptOut({ handle, scope: "all", optedOut: false, at: someTime }))
          expect(yield* contact).toMatchObject({ optedOut: true })
          yield* take(tenant, InboundEvent.OptOut({ handle, scope: "all", optedOut: false }))
          expect(yield* contact).toMatchObject({ optedOut: false })
        })
      )

      it.effect("takes a message for an opt-out or opt-in if the vendor does, once", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const contact = Effect.map(all(tenant, "contacts"), ([first]) => first)
          const arret = message("1", { body: "ARRET", optOut: true })
          yield* take(tenant, arret)
          expect(yield* contact).toMatchObject({ optedOut: true })
          yield* take(tenant, message("2", { body: "OUI", optOut: false }))
          expect(yield* contact).toMatchObject({ optedOut: false })
          yield* take(tenant, arret)
          expect(yield* contact).toMatchObject({ optedOut: false })
        })
      )

      it.effect("applies template status changes, unless they are older than the last", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const reported = (status: TemplateStatus, at: number) =>
            InboundEvent.TemplateStatus({ name: "hello", language: "en", status, at })
          yield* take(tenant, reported("approved", someTime), reported("paused", someTime + 1))
          yield* take(tenant, reported("approved", someTime))
          expect(yield* all(tenant, "templates")).toMatchObject([{ name: "hello", status: "paused" }])
          yield* take(tenant, reported("approved", someTime + 2), reported("paused", someTime + 1))
          expect(yield* all(tenant, "templates")).toMatchObject([{ name: "hello", status: "approved" }])
        })
      )

      it.effect("stores the bytes of files, or the vendor's reference to fetch them", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const blobs = yield* Blobs
          const bytes = new TextEncoder().encode("a picture")
          const file = (content: InboundAttachment["content"], contentType: string | null = "image/png") => ({
            type: "image" as const,
            contentType,
            fileName: "a/b.png",
            content
          })
          const attachments = [
            file(bytes),
            file({ reference: "media-7" }, null),
            file({ reference: "x".repeat(4_001) })
          ]
          yield* take(tenant, message("1", { attachments }))
          // Redelivered with other bytes: the stored file stays.
          yield* take(tenant, message("1", { attachments: [file(new Uint8Array(3))] }))
          const [stored] = yield* all(tenant, "messages")
          const id = (position: number) => attachmentId(tenant.connection.id, "1", position)
          expect(stored?.attachments).toEqual([
            { id: id(0), type: "image", contentType: "image/png", fileName: "b.png", size: bytes.length },
            { id: id(1), type: "image", contentType: "application/octet-stream", fileName: "b.png", size: 0 },
            { id: id(2), type: "image", contentType: "image/png", fileName: "b.png", size: 0 }
          ])
          const blob = Option.getOrThrow(yield* blobs.get(id(0)))
          expect(Buffer.concat([...(yield* Stream.runCollect(blob.bytes))]).toString()).toBe("a picture")
          const { files, jobs } = yield* (yield* Storage).read({
            files: lookup("attachedFiles", { messageId: stored?.id ?? "" }),
            jobs: lookup("jobs", { id: id(1) })
          })
          expect(files.map(({ id, reference, status }) => [id, status, reference]).sort()).toEqual(
            [
              [id(0), "stored", null],
              [id(1), "waiting", "media-7"],
              [id(2), "failed", null]
            ].sort()
          )
          expect(jobs).toMatchObject([{ lane: "fetches", payload: { task: "fetch_file" } }])
        })
      )
    }
  )
}
