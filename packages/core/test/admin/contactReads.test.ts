import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit"
import { Context, Effect, Layer } from "effect"
import * as Administration from "../../src/admin/Administration.js"
import { AdminContacts } from "../../src/admin/contacts/AdminContacts.js"
import { mergeDraft } from "../../src/admin/contacts/MergeInput.js"
import { adminContactDraft } from "../../src/contacts/ContactInput.js"
import { Inbound } from "../../src/inbound/Inbound.js"
import type { TableName } from "../../src/ports/Changes.js"
import { type Found, type Lookups, lookup, readById, Storage } from "../../src/ports/Storage.js"
import type { Wakeup } from "../../src/ports/Wakeup.js"
import { engine, newTenant, type Tenant } from "../harness.js"

/** A storage that answers the lookups of one read one after the other, the last one first: the port promises no order. */
const backwardReads = () => {
  let awaited: { readonly table: TableName; readonly happens: Effect.Effect<void> } | null = null

  const answered = (table: TableName | undefined) =>
    Effect.suspend(() => {
      if (awaited === null || awaited.table !== table) return Effect.void
      const { happens } = awaited
      awaited = null
      return happens
    })

  const over = <E>(storage: Layer.Layer<Storage | Wakeup, E>): Layer.Layer<Storage | Wakeup, E> =>
    Layer.map(storage, (context) => {
      const inner = Context.get(context, Storage)
      const read = <Q extends Lookups>(queries: Q) =>
        Effect.map(
          Effect.forEach(Object.entries(queries).reverse(), ([name, query]) =>
            Effect.tap(inner.read({ [name]: query }), answered(query?.from))
          ),
          (answers) => Object.assign({}, ...answers) as Found<Q>
        )
      return Context.add(context, Storage, { ...inner, read })
    })

  /** Lets this happen once, right after the next lookup in the table. */
  const afterwards = (table: TableName, happens: Effect.Effect<unknown, unknown>): void => {
    awaited = { table, happens: Effect.asVoid(Effect.orDie(happens)) }
  }
  return { over, afterwards }
}

const create = (tenant: Tenant, phone: string) =>
  Effect.gen(function* () {
    const draft = adminContactDraft({ workspace_id: tenant.workspace.id, phone })
    const { body } = yield* (yield* AdminContacts).create({ draft, idempotency: null })
    return JSON.parse(body).data.id as string
  })

for (const [name, storage] of databases) {
  const backward = backwardReads()
  const administered = Administration.layer.pipe(Layer.provideMerge(engine(backward.over(storage))))
  layer(administered, { excludeTestServices: true })(`what happens to a contact on ${name}`, (it) => {
    it.effect("while its erasure reads leaves no conversation behind", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const phone = "+491701234567"
        const id = yield* create(tenant, phone)
        const first = { providerMessageId: "first", from: phone, body: "Hi", displayName: null }
        backward.afterwards("conversations", (yield* Inbound).receive(tenant.connection, first))
        yield* (yield* AdminContacts).erase(id)
        const store = yield* Storage
        const { conversations } = yield* store.read({ conversations: lookup("conversations", { contactId: id }) })
        expect(conversations).toEqual([])
        const where = { workspaceId: tenant.workspace.id }
        const messages = yield* store.list({ from: "messages", where, after: null, limit: 2 })
        const job = yield* readById(store, "jobs", id)
        expect(job?.payload).toMatchObject({ conversationIds: messages.map(({ conversationId }) => conversationId) })
        expect(messages).toHaveLength(1)
      })
    )

    it.effect("while its merge into another reads leaves no work behind", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { merge } = yield* AdminContacts
        const kept = yield* create(tenant, "+491700000001")
        const other = yield* create(tenant, "+491700000002")
        const third = yield* create(tenant, "+491700000003")
        backward.afterwards("jobs", merge(other, mergeDraft({ contact_id: third })))
        yield* merge(kept, mergeDraft({ contact_id: other }))
        const store = yield* Storage
        expect(yield* readById(store, "contacts", third)).toBeUndefined()
        expect(yield* readById(store, "jobs", other)).toBeUndefined()
        expect((yield* readById(store, "jobs", kept))?.payload).toMatchObject({ from: [third, other] })
      })
    )
  })
}
