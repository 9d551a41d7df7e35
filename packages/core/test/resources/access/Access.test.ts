import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { anAccessToken, anOAuthClient } from "@parley/testkit/rows"
import { Clock, Effect, Either } from "effect"
import type { AccessToken } from "../../../src/model/OAuthClient.js"
import { changes, expect as expected, row, set } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { Storage } from "../../../src/ports/Storage.js"
import { Access, make } from "../../../src/resources/access/Access.js"
import { accessTokenText, hashOf } from "../../../src/resources/access/Credential.js"
import { requestRateToken } from "../../../src/resources/access/RateBuckets.js"
import { engine, newTenant } from "../../harness.js"

/** An access token of a new client in a new tenant. */
const newToken = (parts: Partial<AccessToken> = {}) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const now = yield* Clock.currentTimeMillis
    const { application, key, workspace } = yield* newTenant
    const owner = { workspaceId: workspace.id, applicationId: application.id }
    const client = anOAuthClient({ id: ids.next(now), ...owner })
    const text = accessTokenText("parley", ids.secret(32))
    const token = anAccessToken({
      ...owner,
      hash: hashOf(text),
      oauthClientId: client.id,
      createdAt: now,
      expiresAt: now + 3_600_000,
      ...parts
    })
    yield* storage.commit(changes(workspace.id, { claims: [row("oauthClients", client), row("accessTokens", token)] }))
    return { application, client, key, text, workspace }
  })

/** Counts the reads and token requests of the storage. */
const counted = Effect.map(Storage, (storage) => {
  let requests = 0
  const counting =
    <A extends ReadonlyArray<any>, B>(ask: (...args: A) => B) =>
    (...args: A): B => {
      requests += 1
      return ask(...args)
    }
  return {
    storage: {
      ...storage,
      read: counting(storage.read) as Storage["read"],
      takeToken: counting(storage.takeToken),
      readAndTakeToken: counting(storage.readAndTakeToken) as Storage["readAndTakeToken"]
    },
    requests: () => requests
  }
})
const accessOf = (storage: Storage) => Effect.provideService(make, Storage, storage)

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true })(`access on ${name}`, (it) => {
    it.effect("authenticates an access token as its client, with the granted scopes", () =>
      Effect.gen(function* () {
        const { application, client, text } = yield* newToken({ scopes: ["contacts.read", "events.send"] })
        const caller = yield* (yield* Access).authenticate(text, "write")
        expect(caller).toMatchObject({ credentialId: client.id, scopes: ["contacts.read", "events.send"] })
        expect(caller.application).toEqual(application)
      })
    )

    it.effect("reads once for a cached credential", () =>
      Effect.gen(function* () {
        const { key, text } = yield* newToken()
        const { requests, storage } = yield* counted
        const access = yield* accessOf(storage)
        for (const credential of [text, key]) {
          const before = requests()
          yield* access.authenticate(credential, "read")
          expect(requests() - before).toBe(2)
          yield* access.authenticate(credential, "read")
          expect(requests() - before).toBe(3)
        }
      })
    )

    it.effect("sees changes of another host at once despite the cache", () =>
      Effect.gen(function* () {
        const { application, client, text, workspace } = yield* newToken()
        const store = yield* Storage
        const access = yield* accessOf(store)
        const read = access.authenticate(text, "read")
        const change = (table: "applications" | "oauthClients", id: string, values: object) =>
          store.commit(
            changes(workspace.id, { expects: [expected(table, { id })], sets: [set(table, { id }, values)] })
          )
        expect((yield* read).scopes).toEqual(["messages.send"])
        yield* change("applications", application.id, { scopes: ["contacts.read"] })
        expect((yield* read).scopes).toEqual([])
        yield* change("applications", application.id, { status: "suspended" })
        expect(yield* Effect.flip(read)).toMatchObject({ code: "account_suspended" })
        yield* change("applications", application.id, { status: "active" })
        yield* change("oauthClients", client.id, { revokedAt: 1 })
        expect(yield* Effect.flip(read)).toMatchObject({ code: "unauthenticated" })
      })
    )

    it.effect("admits a cached credential in one storage call, rate token included", () =>
      Effect.gen(function* () {
        const { key } = yield* newToken()
        const { requests, storage } = yield* counted
        const access = yield* accessOf(storage)
        yield* access.admit(key, "read")
        const before = requests()
        yield* access.admit(key, "read")
        expect(requests() - before).toBe(1)
      })
    )

    it.effect("takes request tokens by the application's current limit", () =>
      Effect.gen(function* () {
        const { application, key, workspace } = yield* newToken()
        const store = yield* Storage
        const access = yield* accessOf(store)
        const limitTo = (requestsPerMinute: number) => {
          const { id } = application
          const sets = [set("applications", { id }, { requestsPerMinute })]
          return store.commit(changes(workspace.id, { expects: [expected("applications", { id })], sets }))
        }
        const admitted = Effect.map(Effect.either(access.admit(key, "read")), Either.isRight)
        yield* limitTo(3)
        expect([yield* admitted, yield* admitted, yield* admitted, yield* admitted]).toEqual([true, true, true, false])
        yield* limitTo(1)
        expect(yield* admitted).toBe(false)
        yield* limitTo(1_000)
        expect(yield* admitted).toBe(true)
      })
    )

    it.effect("refunds the request token if the credential is no longer valid", () =>
      Effect.gen(function* () {
        const { application, client, key, text, workspace } = yield* newToken()
        const { requests, storage: store } = yield* counted
        const access = yield* accessOf(store)
        yield* access.admit(text, "read")
        const { id } = client
        const sets = [set("oauthClients", { id }, { revokedAt: 1 })]
        yield* store.commit(changes(workspace.id, { expects: [expected("oauthClients", { id })], sets }))
        for (const _ of [1, 2, 3]) {
          expect(yield* Effect.flip(access.admit(text, "read"))).toMatchObject({ code: "unauthenticated" })
        }
        const before = requests()
        expect(yield* Effect.flip(access.admit(text, "read"))).toMatchObject({ code: "unauthenticated" })
        // two reads, credential and owner: no token is taken any more
        expect(requests() - before).toBe(2)
        yield* access.admit(key, "read")
        const left = yield* store.takeToken(requestRateToken(application, yield* Clock.currentTimeMillis))
        expect(left.remaining).toBe(application.requestsPerMinute - 3)
      })
    )

    it.effect("rejects an expired token and a token that was never issued", () =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { text } = yield* newToken({ expiresAt: now })
        const access = yield* Access
        const said = (token: string) => Effect.flip(access.authenticate(token, "read"))
        expect(yield* said(text)).toMatchObject({
          code: "unauthenticated",
          message: expect.stringContaining("expired")
        })
        expect(yield* said(accessTokenText("parley", "0".repeat(32)))).toMatchObject({ code: "unauthenticated" })
        expect(yield* said("parley_at_")).toMatchObject({ code: "unauthenticated" })
      })
    )
  })
}
