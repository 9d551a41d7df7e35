import { expect, layer } from "@effect/vitest"
import { anAccessToken, anOAuthClient, databases } from "@parley/testkit"
import { Clock, Effect } from "effect"
import { Access, layer as accessLayer } from "../../src/access/Access.js"
import { accessTokenText, hashOf } from "../../src/access/Credential.js"
import type { AccessToken } from "../../src/access/OAuthClient.js"
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

/** The same storage, which counts how often it is read. */
const counted = Effect.map(Storage, (storage) => {
  let reads = 0
  const read: Storage["read"] = (queries) => {
    reads += 1
    return storage.read(queries)
  }
  return { storage: { ...storage, read }, reads: () => reads }
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
        const { reads, storage } = yield* counted
        const access = yield* accessOf(storage)
        for (const credential of [text, key]) {
          const before = reads()
          yield* access.authenticate(credential, "read")
          expect(reads() - before).toBe(2)
          yield* access.authenticate(credential, "read")
          expect(reads() - before).toBe(3)
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
