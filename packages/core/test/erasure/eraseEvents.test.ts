import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { anAttempt } from "@parley/testkit/rows"
import { Effect } from "effect"
import { eraseEvents } from "../../src/erasure/eraseEvents.js"
import { changes, expect as expected, row, set } from "../../src/ports/Changes.js"
import { Ids } from "../../src/ports/Ids.js"
import { type Lookups, lookup, Storage } from "../../src/ports/Storage.js"
import { newDelivery } from "../../src/resources/events/Outbox.js"
import { deliveriesOf, happen, sentEvent } from "../flows/webhooks/desk.js"
import { engine, newTenant, type Tenant } from "../harness.js"

/** Inserts events about a subject, each with a due delivery. */
const eventsAbout = (tenant: Tenant, subjectId: string, count: number) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const events = yield* Effect.forEach(Array.from({ length: count }), () => sentEvent(tenant, 1, { subjectId }))
    yield* happen(tenant, events, (event) => newDelivery(ids.next(1), event, tenant.endpoint, 1))
  })

/** The tenant's remaining events, deliveries, attempts and jobs. */
const left = ({ endpoint, workspace }: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    storage.read({
      events: lookup("events", { workspaceId: workspace.id }),
      deliveries: lookup("deliveries", { endpointId: endpoint.id }),
      attempts: lookup("attempts", { endpointId: endpoint.id }),
      jobs: lookup("jobs", { workspaceId: workspace.id })
    })
  )
const nothing = { events: [], deliveries: [], attempts: [], jobs: [] }

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true })(`eraseEvents on ${name}`, (it) => {
    it.effect("deletes an attempt that is recorded during the erasure", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const tenant = yield* newTenant
        const subjectId = (yield* Ids).next(1)
        yield* eventsAbout(tenant, subjectId, 1)
        const [delivery] = yield* deliveriesOf(tenant)
        const { id = "" } = delivery ?? {}
        const attempt = anAttempt({
          id: (yield* Ids).next(1),
          workspaceId: tenant.workspace.id,
          endpointId: tenant.endpoint.id,
          deliveryId: id
        })
        const record = store.commit(
          changes(tenant.workspace.id, {
            expects: [expected("deliveries", { id })],
            sets: [set("deliveries", { id }, { attempts: 1 })],
            inserts: [row("attempts", attempt)]
          })
        )
        let recorded = false
        const asksForAttempts = (queries: Lookups) => Object.values(queries).some((query) => query?.from === "attempts")
        const read: Storage["read"] = (queries) =>
          Effect.tap(store.read(queries), () => {
            if (recorded || !asksForAttempts(queries)) return Effect.void
            recorded = true
            return Effect.orDie(record)
          })
        yield* eraseEvents({ ...store, read }, tenant.workspace.id, [subjectId])
        expect(recorded).toBe(true)
        expect(yield* left(tenant)).toEqual(nothing)
      })
    )

    it.effect("reads at most one batch at a time and keeps events of other subjects", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const tenant = yield* newTenant
        const ids = yield* Ids
        const [one, two, other] = [ids.next(1), ids.next(1), ids.next(1)]
        yield* eventsAbout(tenant, one, 40)
        yield* eventsAbout(tenant, two, 20)
        yield* eventsAbout(tenant, other, 1)
        const sizes: Array<number> = []
        const read: Storage["read"] = (queries) =>
          Effect.tap(store.read(queries), (found) => {
            for (const rows of Object.values(found)) sizes.push((rows as ReadonlyArray<unknown>).length)
          })
        const list: Storage["list"] = (page) => Effect.tap(store.list(page), ({ length }) => void sizes.push(length))
        yield* eraseEvents({ ...store, list, read }, tenant.workspace.id, [one, two])
        expect(Math.max(...sizes)).toBe(25)
        const { deliveries, events, jobs } = yield* left(tenant)
        expect(events).toMatchObject([{ subjectId: other }])
        expect([deliveries.length, jobs.length]).toEqual([1, 1])
      })
    )
  })
}
