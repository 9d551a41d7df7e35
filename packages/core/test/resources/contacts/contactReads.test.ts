import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Context, Effect, Layer } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import type { TableName } from "../../../src/ports/Changes.js"
import { type Lookups, lookup, type ReadResult, readById, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { decodeAdminContactInput } from "../../../src/resources/contacts/ContactInput.js"
import { decodeMergeInput } from "../../../src/resources/contacts/MergeInput.js"
import { engine, newTenant, type Tenant } from "../../harness.js"

/** A storage that executes the lookups of one read one after another, last one first: the port guarantees no order. */
const backwardReads = () => {
  let awaitedKey: { readonly table: TableName; readonly happens: Effect.Effect<void> } | null = null

  const answered = (table: TableName | undefined) =>
    Effect.suspend(() => {
      if (awaitedKey === null || awaitedKey.table !== table) return Effect.void
      const { happens } = awaitedKey
      awaitedKey = null
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
          (answers) => Object.assign({}, ...answers) as ReadResult<Q>
        )
      return Context.add(context, Storage, { ...inner, read })
    })

  /** Runs this effect once, directly after the next lookup in the table. */
  const afterwards = (table: TableName, happens: Effect.Effect<unknown, unknown>): void => {
    awaitedKey = { table, happens: Effect.asVoid(Effect.orDie(happens)) }
  }
  return { over, afterwards }
}

const create = (tenant: Tenant, phone: string) =>
  Effect.gen(function* () {
    const decoded = decodeAdminContactInput({ workspace_id: tenant.workspace.id, phone })
    return (yield* (yield* AdminContacts).create(decoded)).id
  })

for (const [name, storage] of databases) {
  const backward = backwardReads()
  const administered = Administration.layer.pipe(Layer.provideMerge(engine(backward.over(storage))))
  layer(administered, { excludeTestServices: true })(`a concurrent change of a contact on ${name}`, (it) => {
    it.effect("while its erasure reads leaves no conversation", () =>
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

    it.effect("while a merge reads leaves no unfinished work", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { merge } = yield* AdminContacts
        const kept = yield* create(tenant, "+491700000001")
        const other = yield* create(tenant, "+491700000002")
        const third = yield* create(tenant, "+491700000003")
        backward.afterwards("jobs", merge(other, decodeMergeInput({ contact_id: third })))
        yield* merge(kept, decodeMergeInput({ contact_id: other }))
        const store = yield* Storage
        expect(yield* readById(store, "contacts", third)).toBeUndefined()
        expect(yield* readById(store, "jobs", other)).toBeUndefined()
        expect((yield* readById(store, "jobs", kept))?.payload).toMatchObject({ from: [third, other] })
      })
    )
  })
}
