import { it } from "@effect/vitest"
import { CommitOutcome, changes, expect as expects, lookup, row, Storage, set, type Wakeup } from "@parley/core"
import { Effect, type Layer } from "effect"
import { describe, expect } from "vitest"
import * as Rows from "./rows.js"
import { makeTestIds } from "./testIds.js"

/** What every storage adapter must do; `layer` gives each use a database of its own. */
export const storageContract = (name: string, layer: Layer.Layer<Storage | Wakeup, unknown>): void => {
  const test = (title: string, body: Effect.Effect<void, unknown, Storage>) =>
    it.live(title, () => Effect.provide(body, layer))

  describe(`storage on ${name}`, () => {
    test(
      "reads back what it committed",
      Effect.gen(function* () {
        const storage = yield* Storage
        const ids = makeTestIds()
        const contact = Rows.aContact({ tags: ["VIP"], customFields: { plan: "gold", seats: 3, paid: true } })
        const message = Rows.aMessage({
          id: ids.next(Rows.someTime),
          attachments: [],
          error: { code: "provider_error", message: "no" }
        })
        const outcome = yield* storage.commit(
          changes(Rows.someWorkspaceId, {
            claims: [row("addresses", Rows.anAddress())],
            inserts: [row("contacts", contact), row("messages", message)]
          })
        )
        expect(outcome).toEqual(CommitOutcome.Committed({ bumped: [] }))
        const found = yield* storage.read({
          contact: lookup("contacts", { id: contact.id }),
          address: lookup("addresses", { workspaceId: Rows.someWorkspaceId, space: "phone", handle: "+4915112345678" }),
          messages: lookup("messages", { conversationId: message.conversationId }),
          none: lookup("messages", { id: "no uuid" })
        })
        expect(found).toEqual({ contact: [contact], address: [Rows.anAddress()], messages: [message], none: [] })
      })
    )

    test(
      "writes nothing of a commit that lost a claim",
      Effect.gen(function* () {
        const storage = yield* Storage
        const ids = makeTestIds()
        const send = (id: string) =>
          changes(Rows.someWorkspaceId, {
            claims: [row("idempotency", Rows.anIdempotencyRecord())],
            inserts: [row("messages", Rows.aMessage({ id }))]
          })
        const [one, other] = [ids.next(1), ids.next(1)]
        const outcomes = yield* Effect.all([storage.commit(send(one)), storage.commit(send(other))], {
          concurrency: "unbounded"
        })
        expect(outcomes.map((outcome) => outcome._tag).sort()).toEqual(["Committed", "Conflict"])
        const { messages } = yield* storage.read({
          messages: lookup("messages", { conversationId: Rows.someConversationId })
        })
        expect(messages).toHaveLength(1)
      })
    )

    test(
      "raises the version by a set and leaves it by a bump",
      Effect.gen(function* () {
        const storage = yield* Storage
        const { id } = Rows.aContact()
        yield* storage.commit(changes(Rows.someWorkspaceId, { inserts: [row("contacts", Rows.aContact())] }))
        const outcome = yield* storage.commit(
          changes(Rows.someWorkspaceId, {
            expects: [expects("contacts", { id }, { version: 1 })],
            sets: [set("contacts", { id }, { firstName: "Grace" })],
            bumps: [{ table: "contacts", id, greatest: { lastActivityAt: Rows.someTime + 5 } }]
          })
        )
        expect(outcome).toEqual(CommitOutcome.Committed({ bumped: [{ lastActivityAt: Rows.someTime + 5 }] }))
        const { contact } = yield* storage.read({ contact: lookup("contacts", { id }) })
        expect(contact).toEqual([Rows.aContact({ firstName: "Grace", version: 2, lastActivityAt: Rows.someTime + 5 })])
      })
    )
  })
}
