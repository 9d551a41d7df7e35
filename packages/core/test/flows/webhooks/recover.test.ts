import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aDelivery, aJob } from "@parley/testkit/rows"
import { Clock, Effect, Ref } from "effect"
import { AdminEndpoints } from "../../../src/flows/webhooks/AdminEndpoints.js"
import { decodeEndpointInput, decodeEndpointPatch } from "../../../src/flows/webhooks/EndpointInput.js"
import { deliveriesPurgedBefore, recordPurgeOfDeliveries } from "../../../src/flows/webhooks/purgedDeliveries.js"
import { decodeRecoverInput } from "../../../src/flows/webhooks/RecoverInput.js"
import { recoverSince } from "../../../src/flows/webhooks/recoverSince.js"
import { Housekeeping } from "../../../src/housekeeping/Housekeeping.js"
import { purgeHistory } from "../../../src/housekeeping/purgeHistory.js"
import { Decider } from "../../../src/kernel/Decider.js"
import { derivedIdAt } from "../../../src/kernel/derivedId.js"
import type { Delivery } from "../../../src/model/Delivery.js"
import { day, hour, type Instant, minute, second } from "../../../src/model/Instant.js"
import type { Job } from "../../../src/model/Job.js"
import { defaultRetention } from "../../../src/model/Retention.js"
import { changes, expect as expected, remove, row, set } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { readById, Storage } from "../../../src/ports/Storage.js"
import { answerOk, newTenant, Receiver, received, type Tenant } from "../../harness.js"
import { deliverDue, deliveriesOf, desk, happen, sentEvent } from "./desk.js"

const timeout = { timeout: 120_000 }

const recover = (tenant: Tenant, since: Instant, more: object = {}) =>
  Effect.flatMap(AdminEndpoints, ({ recover }) =>
    recover(tenant.endpoint.id, decodeRecoverInput({ since: new Date(since).toISOString(), ...more }))
  )

/** Stores one event per second from `since`. Their deliveries have these statuses in turn; null: no delivery. */
const history = (
  tenant: Tenant,
  since: Instant,
  count: number,
  statuses: ReadonlyArray<Delivery["status"] | null> = [null]
) =>
  Effect.gen(function* () {
    const events = yield* Effect.forEach(Array.from({ length: count }), (_, index) =>
      sentEvent(tenant, since + index * second, { subjectId: tenant.workspace.id })
    )
    yield* happen(tenant, events, (event, index) => {
      const status = statuses[index % statuses.length] ?? null
      const { applicationId, id: endpointId, workspaceId } = tenant.endpoint
      const attempts = status === "pending" ? 0 : 7
      // Its time decides when it is purged.
      const id = derivedIdAt(event.createdAt, `delivery of ${event.id}`)
      const delivery = { id, workspaceId, applicationId, endpointId, eventId: event.id }
      return status === null ? [] : [row("deliveries", aDelivery({ ...delivery, status, attempts, round: attempts }))]
    })
    return events
  })

const countsOf = (tenant: Tenant) =>
  Effect.map(deliveriesOf(tenant), (deliveries) => ({
    deliveries: deliveries.length,
    events: new Set(deliveries.map(({ eventId }) => eventId)).size,
    delivered: deliveries.filter(({ status }) => status === "delivered").length,
    failed: deliveries.filter(({ status }) => status === "failed").length
  }))

for (const [name, storage] of databases) {
  layer(desk(storage), { excludeTestServices: true })(`a recover on ${name}`, (it) => {
    it.effect(
      "of 5,000 events, run twice concurrently, delivers each undelivered event once",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* Ref.set((yield* Receiver).answer, answerOk)
          const since = (yield* Clock.currentTimeMillis) - 2 * hour
          const mixed = yield* history(tenant, since, 2_500, ["delivered", "failed", null, "pending", null])
          const untold = yield* history(tenant, since + hour, 2_500)
          const both = yield* Effect.all([recover(tenant, since), recover(tenant, since)], { concurrency: "unbounded" })
          expect(both.map(({ cursor }) => cursor)).toEqual([null, null])
          // Each delivery is counted by at least one call; concurrent calls may both count it.
          expect(Math.max(...both.map(({ deliveries }) => deliveries))).toBeLessThanOrEqual(4_000)
          expect(both.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBeGreaterThanOrEqual(4_000)
          expect(yield* countsOf(tenant)).toEqual({ deliveries: 5_000, events: 5_000, delivered: 500, failed: 0 })
          expect((yield* recover(tenant, since)).deliveries).toBe(0)
          for (let due = 1; due > 0; ) due = yield* deliverDue(tenant)
          const got = (yield* received(tenant.endpoint.url)).map(({ event }) => event.id)
          // Delivered and pending deliveries are not sent again.
          const missed = mixed.filter((_, index) => [1, 2, 4].includes(index % 5))
          expect(got.sort()).toEqual([...missed, ...untold].map(({ id }) => id))
        }),
      timeout
    )

    it.effect(
      "stops at its start time and continues from a cursor",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const since = (yield* Clock.currentTimeMillis) - hour
          const events = yield* history(tenant, since, 450)
          const half = since + 200 * second
          let calls = 1
          let page = yield* recover(tenant, half, { limit: 100 })
          let total = page.deliveries
          while (page.cursor !== null) {
            expect(page.deliveries).toBeLessThanOrEqual(100)
            page = yield* recover(tenant, half, { limit: 100, cursor: page.cursor })
            total += page.deliveries
            calls++
          }
          expect([calls, total, page.reached]).toEqual([4, 250, half])
          const recovered = (yield* deliveriesOf(tenant)).map(({ eventId }) => eventId)
          expect(recovered).toEqual(events.slice(200).map(({ id }) => id))
          expect(yield* recover(tenant, since)).toEqual({ deliveries: 200, reached: since, cursor: null })
        }),
      timeout
    )

    it.effect("stops at the retention of deliveries and returns the effective start", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const kept = (yield* Clock.currentTimeMillis) - defaultRetention.deliveries
        // Delivered once, but the deliveries are purged.
        yield* history(tenant, kept - hour, 3)
        const known = yield* history(tenant, kept + hour, 3)
        const { cursor, deliveries, reached } = yield* recover(tenant, kept - day)
        expect([deliveries, cursor]).toEqual([3, null])
        expect((yield* deliveriesOf(tenant)).map(({ eventId }) => eventId)).toEqual(known.map(({ id }) => id))
        expect(reached).toBeGreaterThanOrEqual(kept + minute)
        expect(reached).toBeLessThan(kept + hour)
      })
    )

    it.effect("reports invalid input", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const now = yield* Clock.currentTimeMillis
        yield* history(tenant, now - hour, 3)
        const refusal = (since: Instant, more: object = {}) => Effect.flip(recover(tenant, since, more))
        expect(yield* refusal(now + hour)).toMatchObject({
          code: "validation_failed",
          details: { since: ["must not be in the future"] }
        })
        const { cursor } = yield* recover(tenant, now - hour, { limit: 1 })
        expect(yield* refusal(now - 2 * hour, { cursor, limit: 0 })).toMatchObject({
          details: {
            cursor: ["must be used with the filters that it was made with"],
            limit: ["must be a whole number from 1 to 10000"]
          }
        })
        expect(yield* refusal(now, { since: "yesterday" })).toMatchObject({
          details: { since: [expect.stringContaining("must be a date")] }
        })
      })
    )

    it.effect("for a new subscription waits while the application is suspended", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { endpoint, workspace } = tenant
        const since = (yield* Clock.currentTimeMillis) - hour
        yield* history(tenant, since, 3)
        const storage = yield* Storage
        const job = aJob({
          id: (yield* Ids).next(since),
          workspaceId: workspace.id,
          lane: "housekeeping",
          subject: endpoint.id,
          reference: endpoint.id,
          payload: { task: "recover_endpoint", since },
          runAt: since
        })
        yield* storage.commit(changes(workspace.id, { inserts: [row("jobs", job)] }))
        const setStatus = (status: "active" | "suspended") =>
          storage.commit(
            changes(workspace.id, { sets: [set("applications", { id: tenant.application.id }, { status })] })
          )
        const housekeeping = yield* Housekeeping
        const runJob = Effect.gen(function* () {
          const present = yield* readById(storage, "jobs", job.id)
          if (present !== undefined) yield* housekeeping.run(present)
          return yield* readById(storage, "jobs", job.id)
        })

        yield* setStatus("suspended")
        const before = yield* Clock.currentTimeMillis
        expect((yield* runJob)?.runAt).toBeGreaterThanOrEqual(before + minute)
        expect(yield* countsOf(tenant)).toMatchObject({ deliveries: 0 })

        yield* setStatus("active")
        const again = yield* runJob
        expect(again?.runAt).toBeGreaterThanOrEqual(before + minute)
        expect(yield* countsOf(tenant)).toMatchObject({ deliveries: 3 })

        expect(again?.payload).toMatchObject({ since: Math.max(since, endpoint.createdAt - minute) })

        // Its commit was under way while the job ran.
        yield* history(tenant, before, 1)
        expect(yield* runJob).toBeUndefined()
        expect(yield* countsOf(tenant)).toMatchObject({ deliveries: 4 })
      })
    )

    const recoveryOf = (tenant: Tenant) =>
      Effect.gen(function* () {
        const storage = yield* Storage
        const where = { workspaceId: tenant.workspace.id }
        const jobs = yield* storage.list({ from: "jobs", where, after: null, limit: 100 })
        return jobs.find(({ payload }) => payload?.task === "recover_endpoint")
      })

    const newEndpoint = ({ application }: Tenant) =>
      Effect.gen(function* () {
        const { create } = yield* AdminEndpoints
        const input = decodeEndpointInput({ url: "https://late.example/", events: ["*"] })
        return (yield* create(application.id, input)).endpoint
      })

    it.effect("for a new endpoint delivers what was decided before the endpoint and committed after it", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const endpoint = yield* newEndpoint(tenant)
        // Their commits loaded no endpoint.
        const events = yield* history(tenant, endpoint.createdAt - second, 3)
        const job = yield* recoveryOf(tenant)
        expect(job?.runAt).toBe(endpoint.createdAt + minute)
        yield* (yield* Housekeeping).run(job as Job)
        const recovered = yield* deliveriesOf({ ...tenant, endpoint })
        expect(recovered.map(({ eventId }) => eventId)).toEqual(events.slice(1).map(({ id }) => id))
        expect(yield* recoveryOf(tenant)).toBeUndefined()
      })
    )

    it.effect("for a new endpoint of an application that was suspended meanwhile does nothing", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const endpoint = yield* newEndpoint(tenant)
        const storage = yield* Storage
        const key = { id: tenant.application.id }
        const suspended = { sets: [set("applications", key, { status: "suspended" as const })] }
        yield* storage.commit(changes(tenant.workspace.id, suspended))
        yield* history(tenant, endpoint.createdAt, 1)
        yield* (yield* Housekeeping).run((yield* recoveryOf(tenant)) as Job)
        expect(yield* recoveryOf(tenant)).toBeUndefined()
        expect(yield* deliveriesOf({ ...tenant, endpoint })).toEqual([])
      })
    )

    it.effect("leaves out events that are erased meanwhile", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const since = (yield* Clock.currentTimeMillis) - hour
        const [erased] = yield* history(tenant, since, 3)
        const storage = yield* Storage
        const key = { id: erased?.id ?? "" }
        const erase = storage.commit(
          changes(tenant.workspace.id, { expects: [expected("events", key)], deletes: [remove("events", key)] })
        )
        const erasing: Storage = {
          ...storage,
          list: (query) => Effect.zipLeft(storage.list(query), Effect.orDie(erase))
        }
        const decoded = decodeRecoverInput({ since: new Date(since).toISOString() })
        const recover = recoverSince(erasing, yield* Decider, defaultRetention)
        expect((yield* recover(tenant.endpoint, decoded)).deliveries).toBe(2)
        expect(yield* countsOf(tenant)).toMatchObject({ deliveries: 2 })
      })
    )

    it.effect("reads the deliveries of its endpoint only", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const since = (yield* Clock.currentTimeMillis) - hour
        const events = yield* history(tenant, since, 3, ["delivered"])
        const { applicationId, workspaceId } = tenant.endpoint
        const storage = yield* Storage
        yield* Effect.forEach(["a", "b", "c"], (other) => {
          const endpointId = derivedIdAt(since, `${other} of ${tenant.endpoint.id}`)
          const inserts = events.map((event) => {
            const id = derivedIdAt(since, `${other} of ${event.id}`)
            const delivery = { id, workspaceId, applicationId, endpointId, eventId: event.id }
            return row("deliveries", aDelivery({ ...delivery, status: "delivered" }))
          })
          return storage.commit(changes(workspaceId, { inserts }))
        })
        const readIds: Array<string> = []
        const counting: Storage = {
          ...storage,
          read: (lookups) =>
            Effect.tap(storage.read(lookups), (found) =>
              Effect.sync(() => {
                for (const name of Object.keys(lookups)) {
                  if (lookups[name]?.from === "deliveries") {
                    for (const delivery of found[name] as ReadonlyArray<Delivery>) readIds.push(delivery.endpointId)
                  }
                }
              })
            )
        }
        const decoded = decodeRecoverInput({ since: new Date(since).toISOString() })
        const recover = recoverSince(counting, yield* Decider, defaultRetention)
        expect((yield* recover(tenant.endpoint, decoded)).deliveries).toBe(0)
        expect(readIds).toEqual(Array(3).fill(tenant.endpoint.id))
      })
    )

    it.effect("needs an enabled endpoint", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const since = yield* Clock.currentTimeMillis
        const { remove, update } = yield* AdminEndpoints
        yield* update(tenant.endpoint.id, decodeEndpointPatch({ status: "disabled" }))
        expect(yield* Effect.flip(recover(tenant, since))).toMatchObject({ code: "invalid_transition" })
        yield* remove(tenant.endpoint.id)
        expect(yield* Effect.flip(recover(tenant, since))).toMatchObject({ code: "not_found" })
      })
    )
  })
  // Purges reach all rows of a database.
  layer(desk(storage), { excludeTestServices: true })(`a recover after a purge by another setting on ${name}`, (it) => {
    const shorter = { ...defaultRetention, deliveries: 7 * day, attempts: 7 * day }
    const purge = Effect.flatMap(Effect.all([Storage, Decider]), ([storage, decider]) =>
      purgeHistory(storage, decider, shorter)
    )

    it.effect("goes back no further than deliveries are purged", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const kept = (yield* Clock.currentTimeMillis) - shorter.deliveries
        yield* history(tenant, kept - hour, 3, ["delivered"])
        const known = yield* history(tenant, kept + hour, 3)
        yield* purge
        expect(yield* deliveriesOf(tenant)).toEqual([])
        const { cursor, deliveries, reached } = yield* recover(tenant, kept - day)
        expect([deliveries, cursor]).toEqual([3, null])
        expect((yield* deliveriesOf(tenant)).map(({ eventId }) => eventId)).toEqual(known.map(({ id }) => id))
        expect(reached).toBeGreaterThanOrEqual(kept)
        expect(reached).toBeLessThan(kept + hour)
      })
    )

    it.effect("goes back no further than deliveries are purged meanwhile", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const kept = (yield* Clock.currentTimeMillis) - shorter.deliveries
        yield* history(tenant, kept - hour, 3, ["delivered"])
        const storage = yield* Storage
        const decider = yield* Decider
        const purging: Storage = {
          ...storage,
          list: (query) => Effect.zipLeft(storage.list(query), purgeHistory(storage, decider, shorter))
        }
        const decoded = decodeRecoverInput({ since: new Date(kept - day).toISOString() })
        const recover = recoverSince(purging, decider, defaultRetention)
        expect((yield* recover(tenant.endpoint, decoded)).deliveries).toBe(0)
        expect(yield* deliveriesOf(tenant)).toEqual([])
      })
    )

    it.effect("knows the furthest of concurrent and repeated purges", () =>
      Effect.gen(function* () {
        const storage = yield* Storage
        const decider = yield* Decider
        const latest = (yield* Clock.currentTimeMillis) - day
        const times = [2, 1, 3, 0, 4].map((hours) => latest - hours * hour)
        yield* Effect.forEach(times, (before) => recordPurgeOfDeliveries(storage, decider, before), {
          concurrency: "unbounded"
        })
        expect(yield* deliveriesPurgedBefore(storage)).toBe(latest)
        yield* recordPurgeOfDeliveries(storage, decider, latest - hour)
        expect(yield* deliveriesPurgedBefore(storage)).toBe(latest)
        yield* recordPurgeOfDeliveries(storage, decider, latest + hour)
        expect(yield* deliveriesPurgedBefore(storage)).toBe(latest + hour)
      })
    )
  })
}
