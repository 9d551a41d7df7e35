import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aBotSession, aBusinessEvent, aRun } from "@parley/testkit/rows"
import { Effect, Layer, Ref } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import * as Engine from "../../../src/Engine.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { changes, expect as expectRow, row } from "../../../src/ports/Changes.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, readById, Storage } from "../../../src/ports/Storage.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { decodeContactInput } from "../../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../../src/resources/contacts/Contacts.js"
import { decodeMergeInput } from "../../../src/resources/contacts/MergeInput.js"
import { AdminLeads } from "../../../src/resources/leads/AdminLeads.js"
import { AdminPipelines } from "../../../src/resources/leads/AdminPipelines.js"
import { decodeLeadInput } from "../../../src/resources/leads/LeadInput.js"
import { Leads } from "../../../src/resources/leads/Leads.js"
import { decodePipelineInput } from "../../../src/resources/leads/PipelineInput.js"
import { isQuiet, tablesWith } from "../../erasure/everyRow.js"
import { engine, eventually, newTenant, Provider, send, type Tenant } from "../../harness.js"
import { heldCommits, writesMessage } from "../../heldCommits.js"
import { interruptedReads } from "../../interruptedReads.js"

const handle = "+491701234567"
const idOf = ({ body }: { readonly body: string }): string => JSON.parse(body).data.id

/** Columns that keep their content, with the ids of that time. */
const asItWas = ["events.data", "idempotency.body"]

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
const receive = ({ connection }: Tenant, providerMessageId: string, from = handle) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, { providerMessageId, from, body: "hello", displayName: "Ada" })
  )
const merge = (id: string, contact_id: string) =>
  Effect.flatMap(AdminContacts, (contacts) => contacts.merge(id, decodeMergeInput({ contact_id })))
const quiet = ({ workspace }: Tenant) => eventually(isQuiet(workspace.id), (holds) => holds)
const contactsOfMessages = ({ workspace }: Tenant) =>
  Effect.map(
    Effect.flatMap(Storage, (storage) =>
      storage.list({ from: "messages", where: { workspaceId: workspace.id }, after: null, limit: 1_000 })
    ),
    (messages) => [...new Set(messages.map(({ contactId }) => contactId))]
  )

for (const [name, storage] of databases) {
  const held = heldCommits()
  const live = Layer.mergeAll(Administration.layer, Engine.worker).pipe(Layer.provideMerge(engine(held.over(storage))))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a merge of contacts on ${name}`, (it) => {
    it.effect(
      "leaves no rows of the merged contact but an audit entry during sends, inbound messages and receipts",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const kept = yield* newContact(tenant, { email: "ada@example.org" })
          const other = yield* newContact(tenant, { phone: handle })
          const inbound = yield* Inbound
          const { connection, workspace } = tenant
          const rounds = Array.from({ length: 40 }, (_, round) => round)
          const traffic = Effect.forEach(
            rounds,
            (round) =>
              Effect.gen(function* () {
                const { id } = yield* send(tenant, handle, `key-${round}`)
                yield* receive(tenant, `in-${round}`)
                const receipt = { status: "delivered" as const, at: 1_700_000_000_000, error: null }
                const command = { workspaceId: workspace.id, connectionId: connection.id, providerMessageId: `p-${id}` }
                yield* inbound.applyReceipt({ ...command, receipt, settle: null })
              }),
            { concurrency: 4, discard: true }
          )
          const merging = Effect.flatMap(
            eventually(contactsOfMessages(tenant), (ids) => ids.length > 0),
            () => merge(kept, other)
          )
          yield* Effect.all([traffic, merging], { concurrency: "unbounded" })
          yield* quiet(tenant)

          expect(yield* tablesWith(other, asItWas)).toEqual(["auditLog"])
          expect(yield* contactsOfMessages(tenant)).toEqual([kept])
          const store = yield* Storage
          const messages = yield* store.list({
            from: "messages",
            where: { workspaceId: workspace.id },
            after: null,
            limit: 1_000
          })
          expect(messages.filter(({ direction }) => direction === "inbound")).toHaveLength(rounds.length)
          expect(messages.filter(({ status }) => status === "delivered")).toHaveLength(rounds.length * 2)
          expect((yield* receive(tenant, "after")).contactId).toBe(kept)
          const found = yield* Effect.either((yield* AdminContacts).get(other))
          expect(found).toMatchObject({ left: { code: "not_found" } })
        }),
      60_000
    )

    it.effect(
      "conflicts with sends and inbound messages that were decided before it",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const kept = yield* newContact(tenant, { email: "ada@example.org" })
          const other = yield* newContact(tenant, { phone: handle })
          // wait for all jobs, so that no later job could repair a late commit
          const merged = Effect.zipRight(merge(kept, other), quiet(tenant))
          const { id } = yield* held.during(send(tenant, handle, "first"), writesMessage, 1, merged)
          const store = yield* Storage
          expect((yield* readById(store, "messages", id))?.contactId).toBe(kept)

          const third = yield* newContact(tenant, { email: "third@example.org" })
          const both = Effect.all([send(tenant, handle, "second"), receive(tenant, "in")], { concurrency: "unbounded" })
          yield* held.during(both, writesMessage, 2, Effect.zipRight(merge(third, kept), quiet(tenant)))
          yield* quiet(tenant)
          expect(yield* contactsOfMessages(tenant)).toEqual([third])
          expect(yield* tablesWith(other, asItWas)).toEqual(["auditLog"])
          // the audit entry of the merge into it
          expect(yield* tablesWith(kept, asItWas)).toEqual(["auditLog"])
        }),
      60_000
    )

    it.effect(
      "moves runs, bot sessions, leads, business events and events",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { caller, workspace } = tenant
          const store = yield* Storage
          const kept = yield* newContact(tenant, { email: "ada@example.org" })
          const other = yield* newContact(tenant, { phone: handle })
          const stages = [{ key: "new", name: "New" }]
          yield* (yield* AdminPipelines).create(
            decodePipelineInput({ workspace_id: workspace.id, name: "Sales", stages })
          )
          const lead = yield* (yield* Leads).create(caller, {
            decoded: decodeLeadInput({ contact_id: other }),
            idempotency: { key: "lead", fingerprint: "lead" }
          })
          const ids = yield* Ids
          const reported = Array.from({ length: 450 }, () =>
            aBusinessEvent({
              id: ids.next(1),
              workspaceId: workspace.id,
              contactId: other,
              idempotencyKey: ids.next(1)
            })
          )
          const own = { workspaceId: workspace.id, contactId: other }
          const run = aRun({ id: ids.next(1), ...own, status: "waiting" })
          const session = aBotSession({ id: ids.next(1), ...own })
          yield* store.commit(
            changes(workspace.id, {
              expects: [expectRow("contacts", { id: other })],
              inserts: [
                ...reported.map((one) => row("businessEvents", one)),
                row("workflowRuns", run),
                row("botSessions", session)
              ]
            })
          )
          yield* merge(kept, other)
          expect((yield* (yield* AdminLeads).get(idOf(lead))).contactId).toBe(kept)
          yield* quiet(tenant)
          expect(yield* tablesWith(other, asItWas)).toEqual(["auditLog"])
          const moved = yield* store.read({
            events: lookup("events", { subjectId: kept }),
            businessEvents: lookup("businessEvents", { contactId: kept })
          })
          expect(moved.businessEvents).toHaveLength(reported.length)
          // A step that was decided before the merge conflicts with the new version.
          const after = { contactId: kept, version: 2 }
          expect(yield* readById(store, "workflowRuns", run.id)).toEqual({ ...run, ...after })
          expect(yield* readById(store, "botSessions", session.id)).toEqual({ ...session, ...after })
          expect(moved.events.map(({ type }) => type).sort()).toEqual([
            "contact.created",
            "contact.created",
            "contact.updated"
          ])
        }),
      60_000
    )

    it.effect(
      "after other merges leaves no rows of the merged contacts but audit entries",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const contacts = yield* Effect.forEach([1, 2, 3, 4], (n) => newContact(tenant, { phone: `+49170000000${n}` }))
          yield* Effect.forEach([1, 2, 3, 4], (n) => receive(tenant, `chain-${n}`, `+49170000000${n}`))
          const [first = "", second = "", third = "", fourth = ""] = contacts
          yield* merge(second, first)
          yield* merge(third, second)
          yield* merge(fourth, third)
          yield* quiet(tenant)
          for (const gone of [first, second, third]) expect(yield* tablesWith(gone, asItWas)).toEqual(["auditLog"])
          const { conversations } = yield* (yield* Storage).read({
            conversations: lookup("conversations", { contactId: fourth })
          })
          expect(conversations).toHaveLength(4)
          expect((yield* readById(yield* Storage, "contacts", fourth))?.identities).toHaveLength(8)
        }),
      60_000
    )
  })
}

for (const [name, storage] of databases) {
  // Without a worker, the messages of the merged contact stay where they are.
  const live = Administration.layer.pipe(Layer.provideMerge(engine(storage, 30_000)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a merge of contacts during a send on ${name}`, (it) => {
    it.effect("keeps the opt-out that the vendor answers", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const kept = yield* newContact(tenant, { email: "ada@example.org" })
        const other = yield* newContact(tenant, { phone: handle })
        const contacts = yield* AdminContacts
        const rejected = SendOutcome.Rejected({
          ...{ scope: "recipient", code: "provider_error", providerCode: "1", providerMessage: "no", optOut: "all" }
        })
        yield* Ref.set((yield* Provider).answer, () =>
          contacts.merge(kept, decodeMergeInput({ contact_id: other })).pipe(Effect.orDie, Effect.as(rejected))
        )
        expect(yield* Effect.flip(send(tenant, handle, "key"))).toMatchObject({ code: "provider_error" })
        expect(yield* contactsOfMessages(tenant)).toEqual([other])
        expect(yield* readById(yield* Storage, "contacts", kept)).toMatchObject({ optedOut: true })
      })
    )
  })
}

for (const [name, storage] of databases) {
  let conversationId = ""
  /** The read of this conversation alone. */
  const { once, over } = interruptedReads((lookups) => {
    const [one, ...others] = Object.values(lookups)
    return others.length === 0 && one?.from === "conversations" && "id" in one.where && one.where.id === conversationId
  })
  const live = Administration.layer.pipe(Layer.provideMerge(engine(over(storage), 30_000)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(
    `a merge of contacts during a receipt on ${name}`,
    (it) => {
      it.effect("keeps the opt-out that the receipt says", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const kept = yield* newContact(tenant, { email: "ada@example.org" })
          const other = yield* newContact(tenant, { phone: handle })
          const { id } = yield* send(tenant, handle, "key")
          const store = yield* Storage
          const message = yield* readById(store, "messages", id)
          const contacts = yield* AdminContacts
          conversationId = message?.conversationId ?? ""
          once.meanwhile = Effect.orDie(contacts.merge(kept, decodeMergeInput({ contact_id: other })))
          const receipt = { status: "failed" as const, at: Date.now(), error: null }
          const optOut = "all" as const
          const failed = InboundEvent.Receipt({ providerMessageId: `p-${id}`, messageId: id, receipt, optOut })
          yield* (yield* Inbound).take(tenant.connection, [failed])
          expect(yield* readById(store, "messages", id)).toMatchObject({ contactId: other, status: "failed" })
          expect(yield* readById(store, "contacts", kept)).toMatchObject({ optedOut: true })
        })
      )
    }
  )
}
