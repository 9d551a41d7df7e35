import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit"
import { Effect, Layer } from "effect"
import * as Administration from "../../src/admin/Administration.js"
import { AdminContacts } from "../../src/admin/contacts/AdminContacts.js"
import { mergeDraft } from "../../src/admin/contacts/MergeInput.js"
import { AdminMessages } from "../../src/admin/messages/AdminMessages.js"
import { contactDraft, contactPatchDraft } from "../../src/contacts/ContactInput.js"
import { Contacts } from "../../src/contacts/Contacts.js"
import { Inbound } from "../../src/inbound/Inbound.js"
import { replyDraft } from "../../src/messages/ReplyInput.js"
import type { Changes } from "../../src/ports/Changes.js"
import { readById, Storage } from "../../src/ports/Storage.js"
import { engine, newTenant, type Tenant } from "../harness.js"
import { heldCommits } from "./heldCommits.js"

const handle = "+491701000002"
const idOf = ({ body }: { readonly body: string }): string => JSON.parse(body).data.id

const newContact = ({ caller }: Tenant, body: { readonly [field: string]: unknown }) =>
  Effect.flatMap(Contacts, (contacts) =>
    Effect.map(
      contacts.create(caller, {
        draft: contactDraft(body),
        idempotency: { key: JSON.stringify(body), fingerprint: "contact" }
      }),
      idOf
    )
  )
const update = (id: string, body: { readonly [field: string]: unknown }) =>
  Effect.flatMap(AdminContacts, (contacts) => contacts.update(id, contactPatchDraft(body)))
const receive = ({ connection }: Tenant, providerMessageId: string) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, { providerMessageId, from: handle, body: "hello", displayName: null })
  )
const reply = (conversationId: string) =>
  Effect.flatMap(AdminMessages, (messages) =>
    messages.reply(conversationId, { draft: replyDraft({ body: "hello" }), idempotency: null })
  )
const read = <T extends "contacts" | "conversations" | "messages">(table: T, id: string) =>
  Effect.flatMap(Storage, (storage) => readById(storage, table, id))

/** A conversation that is still with the contact that had its handle, and the contact that has it now. */
const movedHandle = (tenant: Tenant) =>
  Effect.gen(function* () {
    const { contactId, conversationId } = yield* receive(tenant, "before")
    yield* update(contactId, { email: "former@example.org", phone: null, identities: [] })
    const heir = yield* newContact(tenant, { identities: [{ channel: "whatsapp", handle }] })
    return { conversationId, former: contactId, heir }
  })

const removesContact = ({ deletes }: Changes): boolean => deletes.some(({ table }) => table === "contacts")

for (const [name, storage] of databases) {
  const held = heldCommits()
  const live = Administration.layer.pipe(Layer.provideMerge(engine(held.over(storage))))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a handle that was moved on ${name}`, (it) => {
    it.effect("takes an agent's reply, and the conversation, to the contact that has it now", () =>
      Effect.gen(function* () {
        const { conversationId, heir } = yield* movedHandle(yield* newTenant)
        const { body, status } = yield* reply(conversationId)
        expect(status).toBe(202)
        expect(yield* read("messages", JSON.parse(body).data.id)).toMatchObject({ contactId: heir, conversationId })
        expect(yield* read("conversations", conversationId)).toMatchObject({ contactId: heir })
      })
    )

    it.effect("is opted out where the contact that has it now is, not the former one", () =>
      Effect.gen(function* () {
        const { conversationId, former, heir } = yield* movedHandle(yield* newTenant)
        yield* update(former, { opted_out: true })
        yield* update(heir, { opted_out: true })
        expect(yield* Effect.either(reply(conversationId))).toMatchObject({
          left: { code: "validation_failed", details: { contact_id: ["has opted out of messages"] } }
        })
        yield* update(heir, { opted_out: false })
        expect(yield* reply(conversationId)).toMatchObject({ status: 202 })
      })
    )

    it.effect("brings its conversation to an erasure that was decided before", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId, heir } = yield* movedHandle(tenant)
        const erase = Effect.flatMap(AdminContacts, (contacts) => contacts.erase(heir))
        yield* held.during(erase, removesContact, 1, receive(tenant, "meanwhile"))
        expect(yield* read("contacts", heir)).toBeUndefined()
        expect(yield* read("conversations", conversationId)).toBeUndefined()
      })
    )

    it.effect("brings its conversation to a merge that was decided before", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId, heir } = yield* movedHandle(tenant)
        const kept = yield* newContact(tenant, { email: "kept@example.org" })
        const merge = Effect.flatMap(AdminContacts, (contacts) =>
          contacts.merge(kept, mergeDraft({ contact_id: heir }))
        )
        yield* held.during(merge, removesContact, 1, receive(tenant, "meanwhile"))
        expect(yield* read("contacts", heir)).toBeUndefined()
        expect(yield* read("conversations", conversationId)).toMatchObject({ contactId: kept })
      })
    )
  })
}
