import { expect, layer } from "@effect/vitest"
import { scriptedVendor } from "@parley/testkit"
import { databases } from "@parley/testkit/databases"
import { Effect, Layer, Schema } from "effect"
import * as Fetches from "../../../src/flows/fetches/Fetches.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { derivedId } from "../../../src/kernel/derivedId.js"
import type { Connection } from "../../../src/model/Connection.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { minute } from "../../../src/model/Instant.js"
import type { Job } from "../../../src/model/Job.js"
import type { TemplateStatus } from "../../../src/model/Template.js"
import { changes, row } from "../../../src/ports/Changes.js"
import type { ChannelProvider, ProviderTemplate } from "../../../src/ports/ChannelProvider.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { fetchJob } from "../../../src/resources/channels/fetchJob.js"
import { connectionsWith, storedOf, vendorEngine } from "../../resources/channels/vendorEngine.js"

/** The vendor's lists by business account, and what happens before it answers. */
const vendor = {
  lists: new Map<unknown, ReadonlyArray<ProviderTemplate>>(),
  meanwhile: Effect.void as Effect.Effect<unknown>
}
const listing: ChannelProvider = {
  ...scriptedVendor,
  config: Schema.Unknown,
  webhook: {
    ...scriptedVendor.webhook,
    businessAccountOf: ({ config }: Pick<Connection, "config">) => String(config.business)
  } as NonNullable<ChannelProvider["webhook"]>,
  listTemplates: ({ config }) =>
    Effect.suspend(() => {
      const listed = vendor.lists.get(config.business) ?? []
      return Effect.as(vendor.meanwhile, listed)
    })
}

const hello = (status: TemplateStatus = "approved", body = "Hello {{1}}"): ProviderTemplate => ({
  name: "hello",
  language: "en",
  category: "utility",
  body,
  status
})
const reported = (status: TemplateStatus, at?: number) =>
  InboundEvent.TemplateStatus({ name: "hello", language: "en", status, ...(at === undefined ? {} : { at }) })
const take = (connection: Connection, ...events: ReadonlyArray<InboundEvent>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.take(connection, events))

const templatesOf = ({ workspaceId }: Connection) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.read({ found: lookup("templates", { workspaceId }) }), ({ found }) =>
      found
        .map(({ account, body, status }) => ({ account, body, status }))
        .sort((a, b) => (a.account < b.account ? -1 : 1))
    )
  )
/** The jobs of a task of a connection; the workspace has no other connection with jobs. */
const jobsOf = ({ id, workspaceId }: Connection, task: string) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.listJobs({ lane: "fetches", workspaceId }, null, 100), (jobs) =>
      jobs.filter(({ payload, subject }) => subject === id && payload?.task === task)
    )
  )
const run = (jobs: ReadonlyArray<Job>) =>
  Effect.flatMap(Fetches.Fetches, ({ run }) => Effect.forEach(jobs, run, { discard: true }))

/** Imports the templates as the recurring job does. */
const sync = (connection: Connection) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { id: reference, workspaceId } = connection
    const id = derivedId(reference, "sync_templates")
    const job = fetchJob(connection, { id, task: "sync_templates", reference, runAt: Date.now() }, Date.now())
    yield* storage.commit(changes(workspaceId, { ensures: [row("jobs", job)] }))
    yield* run(yield* jobsOf(connection, "sync_templates"))
  })

const connected = (business: string, more: Partial<Connection> = {}) =>
  Effect.map(connectionsWith({ config: { account: business, business }, ...more }), ([connection]) => {
    vendor.lists.clear()
    vendor.meanwhile = Effect.void
    return connection
  })

for (const [name, storage] of databases) {
  const live = Layer.effect(Fetches.Fetches, Fetches.make).pipe(Layer.provideMerge(vendorEngine(storage, [listing])))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`news of templates on ${name}`, (it) => {
    it.effect("fetch an unknown template within a minute, and once for several of them", () =>
      Effect.gen(function* () {
        const connection = yield* connected("1")
        vendor.lists.set("1", [hello()])
        yield* take(connection, reported("approved"), reported("approved"))
        expect((yield* storedOf(connection)).unknown).toEqual([])
        const jobs = yield* jobsOf(connection, "refresh_templates")
        // The minute may have ended between the two.
        expect([1, 2]).toContain(jobs.length)
        expect(Math.max(...jobs.map(({ runAt }) => runAt)) - Date.now()).toBeLessThanOrEqual(minute)
        yield* run(jobs)
        expect(yield* templatesOf(connection)).toEqual([{ account: "1", body: "Hello {{1}}", status: "approved" }])
        expect(yield* jobsOf(connection, "refresh_templates")).toEqual([])
      })
    )

    it.effect("bring the text of a template that was edited", () =>
      Effect.gen(function* () {
        const connection = yield* connected("1")
        vendor.lists.set("1", [hello()])
        yield* sync(connection)
        vendor.lists.set("1", [hello("pending", "Hello {{1}} and {{2}}")])
        yield* take(connection, reported("pending"))
        yield* run(yield* jobsOf(connection, "refresh_templates"))
        expect(yield* templatesOf(connection)).toMatchObject([{ body: "Hello {{1}} and {{2}}", status: "pending" }])
      })
    )

    it.effect("stay where a list that was asked for before them comes later", () =>
      Effect.gen(function* () {
        const connection = yield* connected("1")
        vendor.lists.set("1", [hello()])
        yield* sync(connection)
        const inbound = yield* Inbound
        vendor.lists.set("1", [hello("approved", "Hello again, {{1}}")])
        vendor.meanwhile = Effect.zipRight(
          // The clock of the engine has whole milliseconds.
          Effect.sleep("2 millis"),
          Effect.orDie(inbound.take(connection, [reported("paused")]))
        )
        yield* sync(connection)
        expect(yield* templatesOf(connection)).toMatchObject([{ body: "Hello again, {{1}}", status: "paused" }])
      })
    )

    it.effect("that are older than the last fetch the list, since the vendor's clock may be behind", () =>
      Effect.gen(function* () {
        const connection = yield* connected("1")
        vendor.lists.set("1", [hello()])
        yield* sync(connection)
        yield* take(connection, reported("paused", Date.now() - 10_000))
        expect(yield* templatesOf(connection)).toMatchObject([{ status: "approved" }])
        vendor.lists.set("1", [hello("paused")])
        yield* run(yield* jobsOf(connection, "refresh_templates"))
        expect(yield* templatesOf(connection)).toMatchObject([{ status: "paused" }])
      })
    )

    it.effect("change the templates of their account only, as lists do", () =>
      Effect.gen(function* () {
        const shop = yield* connected("1")
        const { id, ...like } = shop
        const config = { account: "2", business: "2" }
        const test = { ...like, id: derivedId(id, "test"), handle: "other", isTest: true, config }
        const store = yield* Storage
        yield* store.commit(changes(shop.workspaceId, { inserts: [row("connections", test)] }))
        vendor.lists.set("1", [hello()])
        yield* sync(shop)
        vendor.lists.set("2", [hello("rejected", "A test")])
        yield* sync(test)
        expect(yield* templatesOf(shop)).toEqual([
          { account: "1", body: "Hello {{1}}", status: "approved" },
          { account: "2", body: "A test", status: "rejected" }
        ])
        yield* take(test, reported("paused"))
        expect((yield* templatesOf(shop)).map(({ status }) => status)).toEqual(["approved", "paused"])
        vendor.lists.set("2", [])
        yield* sync(test)
        expect((yield* templatesOf(shop)).map(({ status }) => status)).toEqual(["approved", "rejected"])
        yield* take(shop, reported("paused"))
        expect((yield* templatesOf(shop)).map(({ status }) => status)).toEqual(["paused", "rejected"])
      })
    )

    it.effect("are unknown events about an unknown template of a connection that is not active", () =>
      Effect.gen(function* () {
        const connection = yield* connected("1", { status: "paused" })
        yield* take(connection, reported("approved"))
        expect((yield* storedOf(connection)).unknown).toMatchObject([{ kind: "template_status" }])
        expect(yield* jobsOf(connection, "refresh_templates")).toEqual([])
      })
    )

    it.effect("fetch nothing where the connection was paused meanwhile", () =>
      Effect.gen(function* () {
        const connection = yield* connected("1")
        yield* take(connection, reported("approved"))
        const jobs = yield* jobsOf(connection, "refresh_templates")
        vendor.lists.set("1", [hello()])
        const store = yield* Storage
        yield* store.commit(
          changes(connection.workspaceId, {
            expects: [{ table: "connections", key: { id: connection.id }, where: {} }],
            sets: [{ table: "connections", key: { id: connection.id }, values: { status: "paused" } }]
          })
        )
        yield* run(jobs)
        expect(yield* templatesOf(connection)).toEqual([])
        expect(yield* jobsOf(connection, "refresh_templates")).toEqual([])
      })
    )
  })
}
