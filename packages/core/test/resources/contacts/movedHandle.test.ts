import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Layer } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import { decodeReplyInput } from "../../../src/flows/agentReplies/ReplyInput.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { AdminMessages } from "../../../src/flows/messageAdmin/AdminMessages.js"
import type { Changes } from "../../../src/ports/Changes.js"
import { readById, Storage } from "../../../src/ports/Storage.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { decodeContactInput, decodeContactPatch } from "../../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../../src/resources/contacts/Contacts.js"
import { decodeMergeInput } from "../../../src/resources/contacts/MergeInput.js"
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
const read = <T extends "contacts" | "conversations" | "messages">(table: T, id: string) =>
  Effect.flatMap(Storage, (storage) => readById(storage, table, id))

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
        const erase = Effect.flatMap(AdminContacts, (contacts) => contacts.erase(heir))
        yield* held.during(erase, removesContact, 1, receive(tenant, "meanwhile"))
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
  })
}
