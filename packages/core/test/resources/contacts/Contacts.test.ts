import { expect, it } from "@effect/vitest"
import { anAddress, anApplication, anIdempotencyRecord, aWorkspace, someTime } from "@parley/testkit/rows"
import { testIds } from "@parley/testkit/services"
import { Context, Effect, Layer, TestClock } from "effect"
import { describe } from "vitest"
import * as Decider from "../../../src/kernel/Decider.js"
import type { IdempotencyRecord } from "../../../src/model/IdempotencyRecord.js"
import { allowAll } from "../../../src/ports/Entitlements.js"
import { type Lookups, Storage } from "../../../src/ports/Storage.js"
import { decodeContactInput } from "../../../src/resources/contacts/ContactInput.js"
import * as Contacts from "../../../src/resources/contacts/Contacts.js"
import { scriptedStorage } from "../../scriptedStorage.js"

const workspace = aWorkspace()
const caller = {
  application: anApplication({ workspaceId: workspace.id }),
  workspace,
  scopes: [],
  credentialId: "01900000-0000-7000-8000-0000000000c1"
}
const command = {
  decoded: decodeContactInput({ email: "ada@example.org" }),
  idempotency: { key: "key", fingerprint: "fingerprint" }
}
const stored = anIdempotencyRecord({
  key: "key",
  fingerprint: "fingerprint",
  status: 201,
  body: '{"data":{}}',
  expiresAt: someTime + 1
})

/** Creates the contact while its address is in use. The key's record is found from its second lookup on. */
const creating = (record: IdempotencyRecord | null) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(someTime)
    let lookups = 0
    const rows: { readonly [table: string]: () => ReadonlyArray<unknown> } = {
      idempotency: () => (lookups++ > 0 && record !== null ? [record] : []),
      addresses: () => [anAddress({ workspaceId: workspace.id, space: "email", handle: "ada@example.org" })]
    }
    const { storage } = yield* scriptedStorage({
      read: (queries: Lookups) =>
        Effect.succeed(
          Object.fromEntries(
            Object.entries(queries).map(([name, one]) => [name, one ? (rows[one.from]?.() ?? []) : []])
          )
        )
    })
    const services = Layer.mergeAll(Layer.succeed(Storage, storage), allowAll, testIds)
    const context = yield* Layer.build(
      Layer.provide(
        Layer.provideMerge(Layer.effect(Contacts.Contacts, Contacts.make), Layer.scoped(Decider.Decider, Decider.make)),
        services
      )
    )
    return yield* Effect.either(Context.get(context, Contacts.Contacts).create(caller, command))
  })

describe("creating a contact whose address is in use", () => {
  it.scoped("is refused", () =>
    Effect.gen(function* () {
      expect(yield* creating(null)).toMatchObject({ left: { code: "validation_failed" } })
    })
  )
  it.scoped("replays the response if the request with the same key committed between the lookups", () =>
    Effect.gen(function* () {
      expect(yield* creating(stored)).toMatchObject({ right: { status: 201, replayed: true } })
    })
  )
  it.scoped("conflicts if another request with the same key committed between the lookups", () =>
    Effect.gen(function* () {
      expect(yield* creating({ ...stored, fingerprint: "other" })).toMatchObject({
        left: { code: "idempotency_conflict" }
      })
    })
  )
})
