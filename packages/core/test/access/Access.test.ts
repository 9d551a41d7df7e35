import { expect, layer } from "@effect/vitest"
import { anAccessToken, anOAuthClient, databases } from "@parley/testkit"
import { Clock, Effect, Either } from "effect"
import { Access, layer as accessLayer } from "../../src/access/Access.js"
import { accessTokenText, hashOf } from "../../src/access/Credential.js"
import type { AccessToken } from "../../src/access/OAuthClient.js"
import { requestDraw } from "../../src/access/RateBuckets.js"
import { changes, expect as expected, row, set } from "../../src/ports/Changes.js"
import { Ids } from "../../src/ports/Ids.js"
import { Storage } from "../../src/ports/Storage.js"
import { engine, newTenant } from "../harness.js"

/** A token of a new client of a new tenant's application. */
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

/** The same storage, which counts how often it is asked. */
const counted = Effect.map(Storage, (storage) => {
  let asked = 0
  const counting =
    <A extends ReadonlyArray<any>, B>(ask: (...args: A) => B) =>
    (...args: A): B => {
      asked += 1
      return ask(...args)
    }
  return {
    storage: {
      ...storage,
      read: counting(storage.read) as Storage["read"],
      takeToken: counting(storage.takeToken),
      readAndTakeToken: counting(storage.readAndTakeToken) as Storage["readAndTakeToken"]
    },
    asked: () => asked
  }
})
const accessOf = (storage: Storage) => Access.pipe(Effect.provide(accessLayer), Effect.provideService(Storage, storage))

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true })(`access on ${name}`, (it) => {
    it.effect("lets a token in as its client, with what it was granted", () =>
      Effect.gen(function* () {
        const { application, client, text } = yield* newToken({ scopes: ["contacts.read", "events.send"] })
        const caller = yield* (yield* Access).authenticate(text, "write")
        expect(caller).toMatchObject({ credentialId: client.id, scopes: ["contacts.read", "events.send"] })
        expect(caller.application).toEqual(application)
      })
    )

    it.effect("reads once for a credential that it has seen", () =>
      Effect.gen(function* () {
        const { key, text } = yield* newToken()
        const { asked, storage } = yield* counted
        const access = yield* accessOf(storage)
        for (const credential of [text, key]) {
          const before = asked()
          yield* access.authenticate(credential, "read")
          expect(asked() - before).toBe(2)
          yield* access.authenticate(credential, "read")
          expect(asked() - before).toBe(3)
        }
      })
    )

    it.effect("forgets nothing by that: what another host changed shows at once", () =>
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

    it.effect("asks once for a request by a credential that it has seen, its token included", () =>
      Effect.gen(function* () {
        const { key } = yield* newToken()
        const { asked, storage } = yield* counted
        const access = yield* accessOf(storage)
        yield* access.admit(key, "read")
        const before = asked()
        yield* access.admit(key, "read")
        expect(asked() - before).toBe(1)
      })
    )

    it.effect("counts requests on the application's bucket by its limit as it is now", () =>
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

    it.effect("gives the token back where the credential is good no more", () =>
      Effect.gen(function* () {
        const { application, client, key, text, workspace } = yield* newToken()
        const { asked, storage: store } = yield* counted
        const access = yield* accessOf(store)
        yield* access.admit(text, "read")
        const { id } = client
        const sets = [set("oauthClients", { id }, { revokedAt: 1 })]
        yield* store.commit(changes(workspace.id, { expects: [expected("oauthClients", { id })], sets }))
        for (const _ of [1, 2, 3]) {
          expect(yield* Effect.flip(access.admit(text, "read"))).toMatchObject({ code: "unauthenticated" })
        }
        const before = asked()
        expect(yield* Effect.flip(access.admit(text, "read"))).toMatchObject({ code: "unauthenticated" })
        // the credential alone, and whose it is: no token is drawn for it any more
        expect(asked() - before).toBe(2)
        yield* access.admit(key, "read")
        const left = yield* store.takeToken(requestDraw(application, yield* Clock.currentTimeMillis))
        expect(left.remaining).toBe(application.requestsPerMinute - 3)
      })
    )

    it.effect("knows neither an expired token nor one that nobody was given", () =>
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
