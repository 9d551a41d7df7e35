import { assert, describe, expect, it, layer } from "@effect/vitest"
import { scriptedVendor, vendorMessage } from "@parley/testkit"
import { databases, sharedDatabases } from "@parley/testkit/databases"
import { aWorkspace, channelsNamed } from "@parley/testkit/rows"
import { Effect, Layer, Schema } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import * as Engine from "../../../src/Engine.js"
import { eraseContactData } from "../../../src/erasure/eraseContactData.js"
import { AdminConnections } from "../../../src/flows/connections/AdminConnections.js"
import { ConnectionChecks } from "../../../src/flows/connections/ConnectionChecks.js"
import { decodeConnectionInput, decodeConnectionPatch } from "../../../src/flows/connections/ConnectionInput.js"
import * as Fetches from "../../../src/flows/fetches/Fetches.js"
import { derivedId } from "../../../src/kernel/derivedId.js"
import { minute } from "../../../src/model/Instant.js"
import { Blobs } from "../../../src/ports/Blobs.js"
import { changes, expect as expectRow, row, set } from "../../../src/ports/Changes.js"
import type { ChannelProvider } from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, readById, Storage } from "../../../src/ports/Storage.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { connectionsWith, storedOf, vendorEngine } from "./vendorEngine.js"

const mails = 5

/** A provider with five mails, one for each poll; records how it was called. */
const post = () => {
  const requests = { times: 0, now: 0, most: 0, cursors: new Set<unknown>() }
  const { webhook: _none, ...rest } = scriptedVendor
  const provider: ChannelProvider = {
    ...rest,
    kind: "post",
    channels: channelsNamed("email"),
    config: Schema.Struct({}),
    credentials: Schema.Unknown,
    poll: (_connection, _credentials, cursor) =>
      Effect.gen(function* () {
        requests.times += 1
        requests.now += 1
        requests.most = Math.max(requests.most, requests.now)
        requests.cursors.add(cursor)
        yield* Effect.sleep("10 millis")
        requests.now -= 1
        const next = typeof cursor === "number" ? cursor : 0
        const events = next < mails ? [vendorMessage(`m${next}`, "ada@example.org", `mail ${next}`)] : []
        return { events, cursor: Math.min(next + 1, mails), againInMs: 1 }
      }),
    listTemplates: () =>
      Effect.succeed([{ name: "hello", language: "en", category: null, body: "Hello {{1}}", status: "approved" }])
  }
  return { requests, provider }
}

/** Repeats an effect until the predicate holds. */
const until = <A, E, R>(what: Effect.Effect<A, E, R>, isSo: (value: A) => boolean) =>
  Effect.repeat(Effect.delay(what, "10 millis"), { until: isSo })

const workspaceOfTheirOwn = Effect.gen(function* () {
  const workspace = aWorkspace({ id: (yield* Ids).next(1_700_000_000_000) })
  yield* (yield* Storage).commit(changes(workspace.id, { claims: [row("workspaces", workspace)] }))
  return workspace.id
})

const connect = Effect.gen(function* () {
  const workspace_id = yield* workspaceOfTheirOwn
  const input = { workspace_id, channel: "email", provider: "post", name: "Desk", handle: "desk@shop.example" }
  return yield* (yield* AdminConnections).create(decodeConnectionInput(input))
})
const move = (id: string, status: string) =>
  Effect.flatMap(AdminConnections, (connections) => connections.update(id, decodeConnectionPatch({ status })))

const jobOf = (id: string, task: string) =>
  Effect.flatMap(Storage, (storage) => readById(storage, "jobs", derivedId(id, task)))

/** The next poll is at this time. */
const postpone = (id: string, runAt: number) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const job = (yield* jobOf(id, "poll")) ?? assert.fail("there is no poll")
    const { epoch, workspaceId } = job
    const key = { id: job.id }
    const sets = [set("jobs", key, { runAt })]
    yield* storage.commit(changes(workspaceId, { expects: [expectRow("jobs", key, { epoch })], sets }))
  })

for (const [name, storage] of databases) {
  const live = Administration.layer.pipe(Layer.provideMerge(vendorEngine(storage, [post().provider])))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the recurring jobs of a connection on ${name}`, (it) => {
    it.effect("exist from its creation, and after a manual template sync", () =>
      Effect.gen(function* () {
        const checks = yield* ConnectionChecks
        const { id } = yield* connect
        expect(yield* jobOf(id, "poll")).toMatchObject({ lane: "fetches", subject: id })
        expect(yield* jobOf(id, "sync_templates")).toMatchObject({ lane: "fetches", subject: id })
        const [older, paused] = yield* connectionsWith(
          { channel: "email", provider: "post", config: {} },
          { channel: "email", provider: "post", config: {}, status: "paused" }
        )
        expect(yield* checks.syncTemplates(older.id)).toEqual({ created: 1, updated: 0 })
        expect(yield* jobOf(older.id, "sync_templates")).toBeDefined()
        yield* checks.syncTemplates(paused.id)
        expect(yield* jobOf(paused.id, "sync_templates")).toBeUndefined()
      })
    )
  })
}

for (const [name, storage] of databases) {
  const { provider, requests } = post()
  const live = Layer.mergeAll(Administration.layer, Layer.effect(Fetches.Fetches, Fetches.make)).pipe(
    Layer.provideMerge(vendorEngine(storage, [provider]))
  )
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a disconnected mailbox on ${name}`, (it) => {
    it.effect("is read on from its cursor, so that mails of an erased contact are not stored again", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const { id, workspaceId } = yield* connect
        const { run } = yield* Fetches.Fetches
        const poll = Effect.flatMap(jobOf(id, "poll"), (job) => run(job ?? assert.fail("there is no poll")))
        yield* poll
        yield* poll
        expect((yield* storedOf({ id })).texts).toEqual(["mail 0", "mail 1"])

        yield* move(id, "disconnected")
        yield* poll
        const [ada] = (yield* store.read({ ada: lookup("contacts", { workspaceId }) })).ada
        const contactId = ada?.id ?? assert.fail("there is no contact")
        yield* (yield* AdminContacts).erase(contactId)
        const erasure = (yield* readById(store, "jobs", contactId)) ?? assert.fail("there is no erasure")
        yield* eraseContactData(store, yield* Blobs, erasure)
        expect((yield* storedOf({ id })).texts).toEqual([])

        yield* move(id, "active")
        expect(requests.times).toBe(2)
        yield* poll
        expect((yield* storedOf({ id })).texts).toEqual(["mail 2"])
      })
    )
  })
}

for (const [name, storage] of databases) {
  const live = Administration.layer.pipe(Layer.provideMerge(vendorEngine(storage, [post().provider])))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`new settings on ${name}`, (it) => {
    it.effect("are polled at once, also if the next poll was a day away", () =>
      Effect.gen(function* () {
        const { id } = yield* connect
        yield* postpone(id, Date.now() + 24 * 60 * minute)
        yield* (yield* AdminConnections).update(id, decodeConnectionPatch({ config: {} }))
        expect((yield* jobOf(id, "poll"))?.runAt).toBeLessThanOrEqual(Date.now())
      })
    )
  })
}

for (const [name, open] of sharedDatabases) {
  describe(`recurring calls to a vendor on ${name}`, () => {
    it.scopedLive(
      "run on one of two hosts at a time, until the connection is disconnected",
      () =>
        Effect.gen(function* () {
          const { requests, provider } = post()
          const hosts = yield* Effect.forEach(yield* open, (storage) =>
            Layer.build(
              Layer.merge(Engine.worker, Administration.layer).pipe(
                Layer.provideMerge(vendorEngine(storage, [provider]))
              )
            )
          )
          const [one, other] = hosts
          if (one === undefined || other === undefined) return yield* Effect.dieMessage("two hosts are required")
          yield* Effect.gen(function* () {
            const storage = yield* Storage
            const { id, workspaceId } = yield* connect
            const texts = yield* until(storedOf({ id }), ({ texts }) => texts.length >= mails)
            expect(texts.texts).toEqual(["mail 0", "mail 1", "mail 2", "mail 3", "mail 4"])
            yield* until(
              Effect.sync(() => requests.cursors.has(mails)),
              Boolean
            )

            const known = Effect.map(
              storage.read({ templates: lookup("templates", { workspaceId, channel: "email" }) }),
              ({ templates }) => templates
            )
            expect(yield* until(known, ({ length }) => length > 0)).toMatchObject([
              { name: "hello", language: "en", body: "Hello {{1}}", status: "approved" }
            ])

            // Mails of a paused connection are stored, too.
            yield* move(id, "paused")
            const { times } = requests
            yield* until(
              Effect.sync(() => requests.times > times + mails),
              Boolean
            )

            yield* move(id, "disconnected")
            yield* until(jobOf(id, "poll"), (job) => (job?.runAt ?? 0) > Date.now() + minute / 2)
            const before = requests.times
            expect(yield* jobOf(id, "sync_templates")).toBeDefined()

            // The second host activates it, so that the polling host learns of it from the database only.
            yield* Effect.provide(move(id, "active"), other)
            yield* postpone(id, Date.now())
            yield* until(
              Effect.sync(() => requests.times > before + mails),
              Boolean
            )
            expect((yield* storedOf({ id })).texts).toHaveLength(mails)
            expect(requests.most).toBe(1)
          }).pipe(Effect.provide(one))
        }),
      60_000
    )
  })
}
