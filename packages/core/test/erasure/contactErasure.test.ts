import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aBotSession, aNotification, aRun, aRunKey, everyContact } from "@parley/testkit/rows"
import { Deferred, Effect, Either, Layer, Option, Ref } from "effect"
import * as Administration from "../../src/administration/Administration.js"
import * as Engine from "../../src/Engine.js"
import { eraseContactData } from "../../src/erasure/eraseContactData.js"
import { timeOutJob } from "../../src/flows/bots/botJobs.js"
import { Inbound } from "../../src/flows/inbound/Inbound.js"
import { AdminEndpoints } from "../../src/flows/webhooks/AdminEndpoints.js"
import { decodeEndpointInput } from "../../src/flows/webhooks/EndpointInput.js"
import { decodeBusinessEventInput } from "../../src/flows/workflows/BusinessEventInput.js"
import { BusinessEvents } from "../../src/flows/workflows/BusinessEvents.js"
import { runJob } from "../../src/flows/workflows/runs/runJob.js"
import { type InboundAttachment, InboundEvent } from "../../src/model/InboundEvent.js"
import { Blobs } from "../../src/ports/Blobs.js"
import { changes, expect as expectRow, row } from "../../src/ports/Changes.js"
import { SendOutcome } from "../../src/ports/ChannelProvider.js"
import { Ids } from "../../src/ports/Ids.js"
import { readById, Storage, StorageUnavailable } from "../../src/ports/Storage.js"
import { attachmentId } from "../../src/resources/attachments/storeInboundFile.js"
import { AdminContacts } from "../../src/resources/contacts/AdminContacts.js"
import { decodeContactInput, decodeContactPatch } from "../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../src/resources/contacts/Contacts.js"
import { appendToFeed } from "../../src/resources/conversations/feed.js"
import { AdminLeads } from "../../src/resources/leads/AdminLeads.js"
import { AdminPipelines } from "../../src/resources/leads/AdminPipelines.js"
import { decodeLeadInput, decodeLeadPatch } from "../../src/resources/leads/LeadInput.js"
import { Leads } from "../../src/resources/leads/Leads.js"
import { decodePipelineInput } from "../../src/resources/leads/PipelineInput.js"
import { accept, engine, eventually, newTenant, Provider, Receiver, send, type Tenant } from "../harness.js"
import { heldCommits, writesMessage } from "../heldCommits.js"
import { isQuiet, tablesWith } from "./everyRow.js"

/** Stored idempotent responses, which expire within a day. */
const answers = ["idempotency.body"]
const idOf = ({ body }: { readonly body: string }): string => JSON.parse(body).data.id
const quiet = ({ workspace }: Tenant) => eventually(isQuiet(workspace.id), (holds) => holds)

/** A tenant with an endpoint subscribed to all events, whose receiver echoes the request body. */
const listeningTenant = Effect.gen(function* () {
  const tenant = yield* newTenant
  const url = `https://${tenant.application.id}.example/`
  yield* (yield* AdminEndpoints).create(tenant.application.id, decodeEndpointInput({ url, events: ["*"] }))
  const stages = [
    { key: "new", name: "New" },
    { key: "won", name: "Won" }
  ]
  const workspace_id = tenant.workspace.id
  yield* (yield* AdminPipelines).create(decodePipelineInput({ workspace_id, name: "Sales", stages }))
  const { answer } = yield* Receiver
  yield* Ref.set(answer, ({ body }) => Effect.succeed({ _tag: "Answered" as const, status: 200, body }))
  return tenant
})

/** Creates a contact with the mark in a row of every kind. */
const fill = (tenant: Tenant, mark: string, phone: string) =>
  Effect.gen(function* () {
    const { caller, connection, workspace } = tenant
    const idempotency = (what: string) => ({ key: `${what} ${mark}`, fingerprint: what })
    const contacts = yield* Contacts
    const body = { first_name: mark, email: `${mark}@example.org`, phone }
    const id = idOf(
      yield* contacts.create(caller, { decoded: decodeContactInput(body), idempotency: idempotency("contact") })
    )
    yield* (yield* AdminContacts).update(id, decodeContactPatch({ company: `${mark} Inc.` }))
    yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (n) => send(tenant, phone, `${mark} ${n}`, `Dear ${mark}`))
    const inbound = yield* Inbound
    yield* Effect.forEach(Array.from({ length: 30 }), (_, n) =>
      inbound.receive(connection, {
        providerMessageId: `${mark}-${n}`,
        from: phone,
        body: `I, ${mark}`,
        displayName: mark
      })
    )
    const file = (content: InboundAttachment["content"]) => ({
      type: "document" as const,
      contentType: "application/pdf",
      fileName: `${mark}.pdf`,
      content
    })
    const attachments = [file(new TextEncoder().encode(mark)), file({ reference: `media of ${mark}` })]
    const withFiles = { providerMessageId: `${mark}-files`, from: phone, body: mark, displayName: mark, attachments }
    yield* inbound.take(connection, [InboundEvent.Message({ ...withFiles, subject: null, automatic: false })])
    yield* inbound.receive(connection, {
      ...{ providerMessageId: `${mark}-deletion`, from: phone, body: "Message deleted", displayName: mark },
      ...{ content: { type: "deletion" }, quoted: { providerMessageId: `${mark}-deleted before it came` } }
    })
    const lead = yield* (yield* Leads).create(caller, {
      decoded: decodeLeadInput({ contact_id: id, title: `Deal of ${mark}` }),
      idempotency: idempotency("lead")
    })
    const event = { event: "order.shipped", contact_id: id, data: { to: mark } }
    yield* (yield* BusinessEvents).record(caller, {
      decoded: decodeBusinessEventInput(event),
      idempotency: idempotency("event")
    })
    const task = {
      id: (yield* Ids).next(1),
      workspaceId: workspace.id,
      title: `Call ${mark}`,
      contactId: id,
      conversationId: null,
      assignedUserId: null,
      assignedTeamId: null,
      status: "open" as const,
      dueAt: null,
      createdAt: 1,
      version: 1
    }
    yield* (yield* Storage).commit(
      changes(workspace.id, { expects: [expectRow("contacts", { id })], inserts: [row("tasks", task)] })
    )
    return { id, leadId: idOf(lead), fileId: attachmentId(connection.id, `${mark}-files`, 0) }
  })

/** Creates a contact with more waiting runs than one commit deletes, and a bot session; all contain the mark. */
const automated = ({ caller, workspace }: Tenant, mark: string, phone: string) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const next = () => ids.next(1_700_000_000_000)
    const decoded = decodeContactInput({ first_name: mark, phone })
    const idempotency = { key: `automated ${phone}`, fingerprint: "contact" }
    const contactId = idOf(yield* (yield* Contacts).create(caller, { decoded, idempotency }))
    const own = { workspaceId: workspace.id, contactId }
    const runs = Array.from({ length: 12 }, () => aRun({ id: next(), ...own, status: "waiting", data: { to: mark } }))
    const expiresAt = 9_000_000_000_000
    const session = aBotSession({ id: next(), ...own, answers: { name: mark }, expiresAt })
    yield* (yield* Storage).commit(
      changes(workspace.id, {
        expects: [expectRow("contacts", { id: contactId })],
        inserts: [
          ...runs.flatMap((run) => [
            row("workflowRuns", run),
            row("jobs", { ...runJob(run, 1), runAt: expiresAt }),
            row("runKeys", aRunKey({ workspaceId: workspace.id, workflowId: run.id, runId: run.id })),
            row(
              "notifications",
              aNotification({ id: next(), workspaceId: workspace.id, subjectId: run.id, message: `of ${mark}` })
            )
          ]),
          row("botSessions", session),
          timeOutJob(session)
        ]
      })
    )
    return { contactId, runIds: runs.map(({ id }) => id), timeOutId: timeOutJob(session).row.id }
  })

const hasBytes = (key: string) => Effect.flatMap(Blobs, (blobs) => Effect.map(blobs.get(key), Option.isSome))

const everywhere = [
  "addresses",
  "attachedFiles",
  "attempts",
  "businessEvents",
  "contacts",
  "events",
  "leads",
  "messages",
  "providerMessages",
  "tasks"
]

for (const [name, storage] of databases) {
  const held = heldCommits()
  const administered = Administration.layer.pipe(Layer.provideMerge(engine(held.over(storage))))
  const live = Engine.worker.pipe(Layer.provideMerge(administered))
  layer(live, { excludeTestServices: true, timeout: 120_000 })(`contact erasure on ${name}`, (it) => {
    it.effect(
      "deletes all data of the contact and none of others",
      () =>
        Effect.gen(function* () {
          const tenant = yield* listeningTenant
          const zoe = yield* fill(tenant, "Zoemark", "+491700000001")
          const max = yield* fill(tenant, "Maxmark", "+491700000002")
          yield* quiet(tenant)
          const sorted = (text: string) =>
            Effect.map(tablesWith(text, [...answers, "idempotency.key"]), (tables) => [...tables].sort())
          expect(yield* sorted("zoemark")).toEqual(everywhere)
          const store = yield* Storage
          const { conversations } = yield* store.read({
            conversations: { from: "conversations", where: { contactId: zoe.id } }
          })
          const conversation = conversations[0]
          if (conversation === undefined) throw new Error("there is no conversation")
          const conversationId = conversation.id
          const said = yield* store.list({ from: "messages", where: { conversationId }, after: null, limit: 100 })
          yield* Effect.forEach(said, (message, fed) =>
            store.commit(changes(tenant.workspace.id, appendToFeed({ ...conversation, fed }, message)))
          )
          expect(yield* tablesWith(conversationId, answers)).toContain("feed")

          yield* (yield* AdminContacts).erase(zoe.id)
          expect(yield* Effect.either((yield* AdminContacts).get(zoe.id))).toMatchObject({
            left: { code: "not_found" }
          })
          const inbound = { providerMessageId: "anew", from: "+491700000001", body: "Who am I?", displayName: null }
          const anew = yield* (yield* Inbound).receive(tenant.connection, inbound)
          yield* quiet(tenant)

          const left = [...answers, "idempotency.key"]
          expect(yield* tablesWith("zoemark", left)).toEqual([])
          expect(yield* tablesWith(zoe.fileId, left)).toEqual([])
          expect(yield* hasBytes(zoe.fileId)).toBe(false)
          expect(yield* hasBytes(max.fileId)).toBe(true)
          expect(yield* tablesWith(zoe.leadId, answers)).toEqual([])
          expect(yield* tablesWith(conversationId, answers)).toEqual([])
          // The audit entry of the erasure remains, with the contact's id.
          expect(yield* tablesWith(zoe.id, answers)).toEqual(["auditLog"])
          expect(yield* sorted("maxmark")).toEqual(everywhere)
          expect(anew.contactId).not.toBe(zoe.id)
          expect((yield* readById(store, "contacts", anew.contactId))?.phone).toBe("+491700000001")
          expect(yield* readById(store, "messages", anew.id)).toBeDefined()
          const found = yield* store.listContacts(everyContact(tenant.workspace.id, { search: "zoemark" }), {
            offset: 0,
            limit: 10
          })
          expect(found).toEqual({ rows: [], total: 0 })
        }),
      60_000
    )

    it.effect(
      "ends and deletes its workflow runs and bot sessions",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const store = yield* Storage
          const [zoe, max] = [
            yield* automated(tenant, "Zoerun", "+491700000005"),
            yield* automated(tenant, "Maxrun", "+491700000006")
          ]
          const tables = ["botSessions", "contacts", "events", "notifications", "workflowRuns"]
          const sorted = (text: string) => Effect.map(tablesWith(text, answers), (found) => [...found].sort())
          expect(yield* sorted("zoerun")).toEqual(tables)

          yield* (yield* AdminContacts).erase(zoe.contactId)
          yield* eventually(readById(store, "jobs", zoe.contactId), (job) => job === undefined)
          expect(yield* sorted("zoerun")).toEqual([])
          expect(yield* tablesWith(zoe.contactId, answers)).toEqual(["auditLog"])
          // The run keys remain, which dedupe events.
          for (const id of zoe.runIds) expect(yield* tablesWith(id)).toEqual(["runKeys"])
          expect(yield* sorted("maxrun")).toEqual(tables)
          expect(yield* readById(store, "jobs", zoe.timeOutId)).toBeUndefined()
          for (const id of [...max.runIds, max.timeOutId]) expect(yield* readById(store, "jobs", id)).toBeDefined()
        }),
      60_000
    )

    it.effect(
      "gives a concurrent send and inbound message to a new contact",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const handle = "+491700000004"
          const receive = (providerMessageId: string) =>
            Effect.flatMap(Inbound, (inbound) =>
              inbound.receive(tenant.connection, {
                providerMessageId,
                from: handle,
                body: "Dear Beforemark",
                displayName: null
              })
            )
          const { contactId, conversationId } = yield* receive("before")
          const both = Effect.all([send(tenant, handle, "held"), receive("held")], { concurrency: "unbounded" })
          const erase = Effect.flatMap(AdminContacts, (contacts) => contacts.erase(contactId))
          const [sent, received] = yield* held.during(both, writesMessage, 2, erase)
          yield* quiet(tenant)
          const store = yield* Storage
          const messages = yield* Effect.forEach([sent.id, received.id], (id) => readById(store, "messages", id))
          const [one, other] = messages
          expect(one?.contactId).toBe(other?.contactId)
          expect(one?.contactId).not.toBe(contactId)
          expect(one?.conversationId).not.toBe(conversationId)
          expect(yield* readById(store, "contacts", one?.contactId)).toBeDefined()
          expect(yield* readById(store, "conversations", one?.conversationId)).toBeDefined()
          expect(yield* tablesWith(contactId, answers)).toEqual(["auditLog"])
          expect(yield* tablesWith(conversationId, answers)).toEqual([])
        }),
      60_000
    )

    it.effect(
      "deletes the message of a send that is under way",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { answer } = yield* Provider
          const [arrived, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          yield* Ref.set(answer, (message) =>
            Deferred.succeed(arrived, undefined).pipe(
              Effect.zipRight(Deferred.await(released)),
              Effect.zipRight(accept(message))
            )
          )
          const { id } = yield* send(tenant, "+491700000003", "under-way", "Dear Underway")
          yield* Deferred.await(arrived)
          const store = yield* Storage
          const contactId = (yield* readById(store, "messages", id))?.contactId ?? ""
          yield* (yield* AdminContacts).erase(contactId)
          yield* eventually(readById(store, "messages", id), (message) => message === undefined)
          yield* Deferred.succeed(released, undefined)
          yield* quiet(tenant)
          yield* Ref.set(answer, accept)
          expect(yield* tablesWith("underway", answers)).toEqual([])
          expect(yield* tablesWith(id, answers)).toEqual([])
        }),
      60_000
    )
    it.effect(
      "deletes the jobs of messages that wait",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { answer } = yield* Provider
          yield* Ref.set(answer, () => Effect.succeed(SendOutcome.Throttled({ retryAfterMs: 3_600_000 })))
          const store = yield* Storage
          const waits = (phone: string) =>
            Effect.gen(function* () {
              const { id } = yield* send(tenant, phone, `to ${phone}`)
              yield* eventually(readById(store, "jobs", id), (job) => job !== undefined && job.leaseUntil === 0)
              return id
            })
          const [id, other] = [yield* waits("+491700000007"), yield* waits("+491700000008")]
          yield* Ref.set(answer, accept)
          const contactId = (yield* readById(store, "messages", id))?.contactId ?? ""
          yield* (yield* AdminContacts).erase(contactId)
          yield* eventually(readById(store, "jobs", contactId), (job) => job === undefined)
          expect(yield* tablesWith("+491700000007", [...answers, "idempotency.key"])).toEqual([])
          expect(yield* readById(store, "jobs", id)).toBeUndefined()
          expect(yield* readById(store, "jobs", other)).toBeDefined()
        }),
      60_000
    )
  })

  layer(administered, { excludeTestServices: true, timeout: 120_000 })(`an interrupted erasure on ${name}`, (it) => {
    it.effect("reports no move of a lead that it has not deleted yet", () =>
      Effect.gen(function* () {
        const { caller, workspace } = yield* listeningTenant
        const made = (what: string) => ({ key: what, fingerprint: what })
        const contactId = idOf(
          yield* (yield* Contacts).create(caller, {
            decoded: decodeContactInput({ email: "ada@example.org" }),
            idempotency: made("contact")
          })
        )
        const leads = yield* AdminLeads
        const { id } = JSON.parse(
          (yield* (yield* Leads).create(caller, {
            decoded: decodeLeadInput({ contact_id: contactId }),
            idempotency: made("lead")
          })).body
        ).data
        yield* (yield* AdminContacts).erase(contactId)
        expect(yield* Effect.either(leads.update(id, decodeLeadPatch({ stage: "won" })))).toMatchObject({
          left: { code: "not_found" }
        })
        const where = { workspaceId: workspace.id, type: "lead.stage_changed" as const }
        const moves = yield* (yield* Storage).list({ from: "events", where, after: null, limit: 1 })
        expect(moves).toEqual([])
      })
    )

    it.effect(
      "can be restarted at any commit",
      () =>
        Effect.gen(function* () {
          const tenant = yield* listeningTenant
          const store = yield* Storage
          const blobs = yield* Blobs
          const { fileId, id } = yield* fill(tenant, "Zoemark", "+491700000001")
          yield* (yield* AdminContacts).erase(id)
          const job = yield* readById(store, "jobs", id)
          if (job === undefined) throw new Error("there is no job")
          let deaths = 0
          /** A storage that commits once, then fails: alternately before and after the write. */
          const mortal = (): Pick<Storage, "commit" | "list" | "read"> => {
            let lives = 1
            const dead = new StorageUnavailable({ cause: "dead" })
            return {
              ...store,
              commit: (changes) => {
                if (lives-- > 0) return store.commit(changes)
                deaths += 1
                return deaths % 2 === 0 ? dead : Effect.zipRight(store.commit(changes), dead)
              }
            }
          }
          let outcome = yield* Effect.either(eraseContactData(mortal(), blobs, job))
          while (Either.isLeft(outcome)) outcome = yield* Effect.either(eraseContactData(mortal(), blobs, job))
          expect(deaths).toBeGreaterThan(3)
          expect(yield* hasBytes(fileId)).toBe(false)
          const left = [...answers, "idempotency.key", "jobs.payload"]
          // Send jobs remain; they end when they find no message.
          expect(yield* tablesWith("zoemark", left)).toEqual([])
        }),
      60_000
    )
  })
}
