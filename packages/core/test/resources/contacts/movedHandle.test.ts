import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aBotSession, aTask } from "@parley/testkit/rows"
import { Clock, Effect, Layer } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import { decodeReplyInput } from "../../../src/flows/agentReplies/ReplyInput.js"
import { timeOutJob } from "../../../src/flows/bots/botJobs.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { AdminMessages } from "../../../src/flows/messageAdmin/AdminMessages.js"
import { Housekeeping } from "../../../src/housekeeping/Housekeeping.js"
import { day } from "../../../src/model/Instant.js"
import { type Changes, changes, expect as expectRow, row, set } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { readById, Storage } from "../../../src/ports/Storage.js"
import { Access } from "../../../src/resources/access/Access.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { decodeContactInput, decodeContactPatch } from "../../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../../src/resources/contacts/Contacts.js"
import { decodeMergeInput } from "../../../src/resources/contacts/MergeInput.js"
import { Messages } from "../../../src/resources/messages/Messages.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import { tablesWith } from "../../erasure/everyRow.js"
import { engine, newTenant, type Tenant } from "../../harness.js"
import { heldCommits } from "../../heldCommits.js"

const handle = "+491701000002"
const idOf = ({ body }: { readonly body: string }): string => JSON.parse(body).data.id

const newContact = ({ caller }: Tenant, body: { readonly [field: string]: unknown }) =>
  Effect.flatMap(Contacts, (contacts) =>
    Effect.map(
      contacts.create(caller, {
        decoded: decodeContactInput(body),
        idempotency: { key: JSON.stringify(body), fingerprint: "contact" }
      }),
      idOf
    )
  )
const update = (id: string, body: { readonly [field: string]: unknown }) =>
  Effect.flatMap(AdminContacts, (contacts) => contacts.update(id, decodeContactPatch(body)))
const receive = ({ connection }: Tenant, providerMessageId: string) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, { providerMessageId, from: handle, body: "hello", displayName: null })
  )
const reply = (conversationId: string) =>
  Effect.flatMap(AdminMessages, (messages) => messages.reply(conversationId, decodeReplyInput({ body: "hello" })))
const read = <T extends "botSessions" | "contacts" | "conversations" | "jobs" | "messages" | "tasks">(
  table: T,
  id: string
) => Effect.flatMap(Storage, (storage) => readById(storage, table, id))

/**
 * A conversation that still belongs to the former contact of its handle, and the contact that claims the handle now.
 */
const movedHandle = (tenant: Tenant) =>
  Effect.gen(function* () {
    const { contactId, conversationId } = yield* receive(tenant, "before")
    yield* update(contactId, { email: "former@example.org", phone: null, identities: [] })
    const heir = yield* newContact(tenant, { identities: [{ channel: "whatsapp", handle }] })
    return { conversationId, former: contactId, heir }
  })

/** A bot's dialogue and a task in a conversation that still belongs to the former contact of its handle. */
const movedDialogue = (tenant: Tenant) =>
  Effect.gen(function* () {
    const moved = yield* movedHandle(tenant)
    const ids = yield* Ids
    const now = yield* Clock.currentTimeMillis
    const of = () => ({
      ...{ id: ids.next(now), workspaceId: tenant.workspace.id },
      ...{ contactId: moved.former, conversationId: moved.conversationId }
    })
    const [session, task, other] = [
      aBotSession({ ...of(), expiresAt: now + day }),
      aTask(of()),
      aTask({ ...of(), conversationId: null })
    ]
    yield* (yield* Storage).commit(
      changes(tenant.workspace.id, {
        expects: [expectRow("conversations", { id: moved.conversationId })],
        sets: [set("conversations", { id: moved.conversationId }, { botSessionId: session.id })],
        inserts: [row("botSessions", session), timeOutJob(session), row("tasks", task), row("tasks", other)]
      })
    )
    return {
      ...moved,
      sessionId: session.id,
      timeOutId: timeOutJob(session).row.id,
      taskId: task.id,
      otherId: other.id
    }
  })

/** A tenant with two connections, each of which has a conversation with another former contact of the handle. */
const formerContacts = Effect.gen(function* () {
  const tenant = yield* newTenant
  const { application, connection, workspace } = tenant
  const other = { ...connection, id: (yield* Ids).next(1) }
  const connections = [connection, other]
  yield* (yield* Storage).commit(
    changes(workspace.id, {
      expects: [expectRow("applications", { id: application.id })],
      sets: [set("applications", { id: application.id }, { connectionIds: connections.map(({ id }) => id) })],
      inserts: [row("connections", other)]
    })
  )
  const former = yield* Effect.forEach(connections, (connection) =>
    Effect.gen(function* () {
      const { contactId, conversationId } = yield* receive({ ...tenant, connection }, `on ${connection.id}`)
      yield* update(contactId, { email: `${contactId}@example.org`, phone: null, identities: [] })
      return { connectionId: connection.id, contactId, conversationId }
    })
  )
  return { former, caller: yield* (yield* Access).authenticate(tenant.key, "write") }
})

const erase = (id: string) => Effect.flatMap(AdminContacts, (contacts) => contacts.erase(id))

/** Runs the tenant's housekeeping jobs of these tasks; default: of all. */
const keepHouse = ({ workspace }: Tenant, ...tasks: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { list } = yield* Storage
    const where = { workspaceId: workspace.id, lane: "housekeeping" as const }
    const jobs = yield* list({ from: "jobs", where, after: null, limit: 100 })
    const { run } = yield* Housekeeping
    yield* Effect.forEach(
      jobs.filter(({ payload }) => tasks.length === 0 || tasks.includes(`${payload?.task}`)),
      run
    )
  })

const removesContact = ({ deletes }: Changes): boolean => deletes.some(({ table }) => table === "contacts")

for (const [name, storage] of databases) {
  const held = heldCommits()
  const live = Administration.layer.pipe(Layer.provideMerge(engine(held.over(storage))))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a moved handle on ${name}`, (it) => {
    it.effect("assigns an agent's reply and the conversation to the new contact", () =>
      Effect.gen(function* () {
        const { conversationId, heir } = yield* movedHandle(yield* newTenant)
        const { id } = yield* reply(conversationId)
        expect(yield* read("messages", id)).toMatchObject({ contactId: heir, conversationId })
        expect(yield* read("conversations", conversationId)).toMatchObject({ contactId: heir })
      })
    )

    it.effect.each([0, 1])("without a contact leaves the conversation that is sent to with its own", (index) =>
      Effect.gen(function* () {
        const { caller, former } = yield* formerContacts
        const { connectionId, contactId, conversationId } = former[index] as (typeof former)[number]
        const answer = yield* (yield* Messages).send(caller, {
          decoded: decodeSendMessageInput({
            channel: "whatsapp",
            to: handle,
            type: "text",
            connection_id: connectionId,
            message: { body: "hello" }
          }),
          idempotency: { key: "send", fingerprint: "send" },
          requestId: "request"
        })
        expect(JSON.parse(answer.body).data).toMatchObject({ contact_id: contactId, conversation_id: conversationId })
        expect(yield* read("conversations", conversationId)).toMatchObject({ contactId })
      })
    )

    it.effect("has the opt-out of the new contact, not of the former one", () =>
      Effect.gen(function* () {
        const { conversationId, former, heir } = yield* movedHandle(yield* newTenant)
        yield* update(former, { opted_out: true })
        yield* update(heir, { opted_out: true })
        expect(yield* Effect.either(reply(conversationId))).toMatchObject({
          left: { code: "validation_failed", details: { contact_id: ["has opted out of messages"] } }
        })
        yield* update(heir, { opted_out: false })
        expect(yield* reply(conversationId)).toMatchObject({ status: "queued" })
      })
    )

    it.effect("adds its conversation to an erasure that was decided before", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId, heir } = yield* movedHandle(tenant)
        yield* held.during(erase(heir), removesContact, 1, receive(tenant, "meanwhile"))
        expect(yield* read("contacts", heir)).toBeUndefined()
        expect(yield* read("conversations", conversationId)).toBeUndefined()
      })
    )

    it.effect("adds its conversation to a merge that was decided before", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId, heir } = yield* movedHandle(tenant)
        const kept = yield* newContact(tenant, { email: "kept@example.org" })
        const merge = Effect.flatMap(AdminContacts, (contacts) =>
          contacts.merge(kept, decodeMergeInput({ contact_id: heir }))
        )
        yield* held.during(merge, removesContact, 1, receive(tenant, "meanwhile"))
        expect(yield* read("contacts", heir)).toBeUndefined()
        expect(yield* read("conversations", conversationId)).toMatchObject({ contactId: kept })
      })
    )

    it.effect("moves bot sessions and tasks with the conversation, and none of other conversations", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId, former, heir, otherId, sessionId, taskId } = yield* movedDialogue(tenant)
        yield* receive(tenant, "after")
        yield* keepHouse(tenant)
        expect(yield* read("botSessions", sessionId)).toMatchObject({ contactId: heir, status: "active" })
        expect(yield* read("tasks", taskId)).toMatchObject({ contactId: heir })
        expect(yield* read("tasks", otherId)).toMatchObject({ contactId: former })
        yield* erase(former)
        yield* keepHouse(tenant)
        expect(yield* read("botSessions", sessionId)).toMatchObject({ contactId: heir, status: "active" })
        expect(yield* read("conversations", conversationId)).toMatchObject({ botSessionId: sessionId })
        expect(yield* read("tasks", otherId)).toBeUndefined()
      })
    )

    it.effect("keeps its bot session if the former contact is erased before the session has moved", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId, former, heir, sessionId, timeOutId } = yield* movedDialogue(tenant)
        yield* receive(tenant, "after")
        yield* erase(former)
        yield* keepHouse(tenant, "erase_contact")
        expect(yield* read("botSessions", sessionId)).toMatchObject({ contactId: heir, status: "active" })
        expect(yield* read("conversations", conversationId)).toMatchObject({ botSessionId: sessionId })
        expect(yield* read("jobs", timeOutId)).toBeDefined()
      })
    )

    it.effect("loses its bot session and task with the new contact, in any order of the jobs", () =>
      Effect.gen(function* () {
        for (const first of [["move_messages"], ["erase_contact"]]) {
          const tenant = yield* newTenant
          const { conversationId, former, heir, otherId, sessionId, taskId, timeOutId } = yield* movedDialogue(tenant)
          const { id } = yield* receive(tenant, "after")
          yield* erase(heir)
          yield* keepHouse(tenant, ...first)
          yield* keepHouse(tenant)
          expect(yield* read("messages", id)).toBeUndefined()
          expect(yield* read("botSessions", sessionId)).toBeUndefined()
          expect(yield* read("jobs", timeOutId)).toBeUndefined()
          expect(yield* read("tasks", taskId)).toBeUndefined()
          // The bot's job for the message remains; it ends when it finds no message.
          const left = ["idempotency.body", "jobs.reference", "jobs.subject"]
          expect(yield* tablesWith(conversationId, left)).toEqual([])
          expect(yield* read("contacts", former)).toBeDefined()
          expect(yield* read("tasks", otherId)).toBeDefined()
        }
      })
    )

    it.effect(
      "is erased with the conversation that has not followed yet, so that the next message is of a new contact",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { conversationId, former, heir, otherId, sessionId, taskId, timeOutId } = yield* movedDialogue(tenant)
          yield* erase(heir)
          expect(yield* read("conversations", conversationId)).toBeUndefined()
          yield* keepHouse(tenant)
          expect(yield* read("botSessions", sessionId)).toBeUndefined()
          expect(yield* read("jobs", timeOutId)).toBeUndefined()
          expect(yield* read("tasks", taskId)).toBeUndefined()
          expect(yield* tablesWith(conversationId, ["idempotency.body"])).toEqual([])
          expect(yield* read("contacts", former)).toBeDefined()
          expect(yield* read("tasks", otherId)).toBeDefined()
          const next = yield* receive(tenant, "next")
          expect([former, heir]).not.toContain(next.contactId)
          expect(yield* read("contacts", next.contactId)).toMatchObject({ phone: handle })
        })
    )

    it.effect("forgets a bot session that an earlier version deleted, when a person takes over", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId } = yield* receive(tenant, "before")
        const deleted = (yield* Ids).next(1)
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expectRow("conversations", { id: conversationId })],
            sets: [set("conversations", { id: conversationId }, { botSessionId: deleted })]
          })
        )
        yield* reply(conversationId)
        expect(yield* read("conversations", conversationId)).toMatchObject({ botSessionId: null })
      })
    )
  })
}
