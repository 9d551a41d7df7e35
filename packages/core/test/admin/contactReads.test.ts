import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit"
import { Context, Effect, Layer } from "effect"
import * as Administration from "../../src/admin/Administration.js"
import { AdminContacts } from "../../src/admin/contacts/AdminContacts.js"
import { mergeDraft } from "../../src/admin/contacts/MergeInput.js"
import { adminContactDraft } from "../../src/contacts/ContactInput.js"
import { Inbound } from "../../src/messages/Inbound.js"
import { type Found, type Lookups, lookup, Storage } from "../../src/ports/Storage.js"
import type { Wakeup } from "../../src/ports/Wakeup.js"
import { engine, newTenant, type Tenant } from "../harness.js"

/** A storage that answers the lookups of one read one after the other, the last one first: the port promises no order. */
const backwardReads = () => {
  let afterConversations: Effect.Effect<void> = Effect.void

  const over = <E>(storage: Layer.Layer<Storage | Wakeup, E>): Layer.Layer<Storage | Wakeup, E> =>
    Layer.map(storage, (context) => {
      const inner = Context.get(context, Storage)
      const read = <Q extends Lookups>(queries: Q) =>
        Effect.map(
          Effect.forEach(Object.entries(queries).reverse(), ([name, query]) =>
            Effect.tap(inner.read({ [name]: query }), () => {
              const happens = query?.from === "conversations" ? afterConversations : Effect.void
              if (query?.from === "conversations") afterConversations = Effect.void
              return happens
            })
          ),
          (answers) => Object.assign({}, ...answers) as Found<Q>
        )
      return Context.add(context, Storage, { ...inner, read })
    })

  /** Lets this happen once, right after the next time that conversations were read. */
  const afterwards = (happens: Effect.Effect<unknown, unknown>): void => {
    afterConversations = Effect.asVoid(Effect.orDie(happens))
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
  layer(administered, { excludeTestServices: true })(`a contact whose first message comes on ${name}`, (it) => {
    const phone = "+491701234567"
    const writes = (tenant: Tenant) =>
      Effect.map(Inbound, (inbound) =>
        inbound.receive(tenant.connection, { providerMessageId: "first", from: phone, body: "Hi", displayName: null })
      )
    const conversationsOf = (contactId: string) =>
      Effect.flatMap(Storage, (storage) =>
        Effect.map(
          storage.read({ conversations: lookup("conversations", { contactId }) }),
          ({ conversations }) => conversations
        )
      )

    it.effect("while its erasure reads leaves no conversation behind", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const id = yield* create(tenant, phone)
        const written = yield* writes(tenant)
        let conversationId = ""
        backward.afterwards(
          Effect.map(written, (message) => {
            conversationId = message.conversationId
          })
        )
        yield* (yield* AdminContacts).erase(id)
        expect(conversationId).not.toBe("")
        expect(yield* conversationsOf(id)).toEqual([])
      })
    )

    it.effect("while it is merged into another takes its conversation along", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const kept = yield* create(tenant, "+491700000001")
        const other = yield* create(tenant, phone)
        let conversationId = ""
        const written = yield* writes(tenant)
        backward.afterwards(
          Effect.map(written, (message) => {
            conversationId = message.conversationId
          })
        )
        yield* (yield* AdminContacts).merge(kept, mergeDraft({ contact_id: other }))
        expect(yield* conversationsOf(other)).toEqual([])
        expect(yield* conversationsOf(kept)).toMatchObject([{ id: conversationId }])
      })
    )
  })
}
