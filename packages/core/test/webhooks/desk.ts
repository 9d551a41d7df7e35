import { anEvent } from "@parley/testkit"
import { Clock, Effect, Layer } from "effect"
import * as AdminDeliveries from "../../src/admin/deliveries/AdminDeliveries.js"
import * as AdminEndpoints from "../../src/admin/endpoints/AdminEndpoints.js"
import type { Event } from "../../src/events/Event.js"
import { newDelivery } from "../../src/events/Outbox.js"
import type { Instant } from "../../src/Instant.js"
import { changes, expect as expected, row, set, type Tables } from "../../src/ports/Changes.js"
import { Ids } from "../../src/ports/Ids.js"
import { lookup, readById, Storage } from "../../src/ports/Storage.js"
import type { Wakeup } from "../../src/ports/Wakeup.js"
import * as Webhooks from "../../src/webhooks/Webhooks.js"
import { leaseMs } from "../../src/worker/Dispatcher.js"
import { Housekeeping } from "../../src/worker/Housekeeping.js"
import { type Lane, lanes } from "../../src/worker/Job.js"
import { engine, type Tenant } from "../harness.js"

/** An engine without a worker, and what brings webhooks out and looks after them: a test claims and runs jobs itself. */
export const desk = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.mergeAll(Webhooks.layer, AdminEndpoints.layer, AdminDeliveries.layer).pipe(Layer.provideMerge(engine(storage)))

/** Events of the tenant's own messages, some in a commit, with what goes in with each. */
export const happen = (
  tenant: Tenant,
  events: ReadonlyArray<Event>,
  alongside: (event: Event, index: number) => ReadonlyArray<ReturnType<typeof newDelivery>[number]> = () => []
) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    for (let from = 0; from < events.length; from += 500) {
      const inserts = events
        .slice(from, from + 500)
        .flatMap((event, index) => [row("events", event), ...alongside(event, from + index)])
      const workspace = expected("workspaces", { id: tenant.workspace.id })
      yield* storage.commit(changes(tenant.workspace.id, { expects: [workspace], inserts }))
    }
  })

/** Something that happened to a message of the tenant's application. */
export const sentEvent = (tenant: Tenant, at: Instant, more: Partial<Event> = {}) =>
  Effect.map(Ids, (ids) =>
    anEvent({
      id: ids.next(at),
      workspaceId: tenant.workspace.id,
      type: "message.sent",
      applicationId: tenant.application.id,
      connectionId: tenant.connection.id,
      createdAt: at,
      ...more
    })
  )

/** Events with a delivery each to the tenant's endpoint, which are due. */
export const deliveriesDue = (tenant: Tenant, count: number) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const now = yield* Clock.currentTimeMillis
    const events = yield* Effect.forEach(Array.from({ length: count }), () => sentEvent(tenant, now))
    yield* happen(tenant, events, (event) => newDelivery(ids.next(now), event, tenant.endpoint, now))
    return events
  })

/** Leases every due job of the tenant in these lanes. */
export const claim = (tenant: Tenant, ...wanted: ReadonlyArray<Lane>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const now = yield* Clock.currentTimeMillis
    const every = (wanted.length === 0 ? lanes : wanted).map((lane) => ({
      lane,
      limit: 1_000,
      perSubject: 1_000,
      except: []
    }))
    const { jobs } = yield* storage.claimJobs({ now, owner: "test", leaseMs, lanes: every })
    return jobs.filter(({ workspaceId }) => workspaceId === tenant.workspace.id)
  })

/** Brings out every delivery of the tenant that is due, all at once; answers how many there were. */
export const deliverDue = (tenant: Tenant) =>
  Effect.gen(function* () {
    const { deliver } = yield* Webhooks.Webhooks
    const jobs = yield* claim(tenant, "deliveries", "retries")
    yield* Effect.forEach(jobs, deliver, { concurrency: "unbounded", discard: true })
    return jobs.length
  })

/** Does the tenant's housekeeping that is due. */
export const keepHouse = (tenant: Tenant) =>
  Effect.gen(function* () {
    const { run } = yield* Housekeeping
    yield* Effect.forEach(yield* claim(tenant, "housekeeping"), run, { discard: true })
  })

export const endpointOf = (tenant: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(readById(storage, "endpoints", tenant.endpoint.id), (endpoint) => endpoint ?? tenant.endpoint)
  )

/** The deliveries to the tenant's endpoint, the oldest event first. */
export const deliveriesOf = (tenant: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.read({ found: lookup("deliveries", { endpointId: tenant.endpoint.id }) }), ({ found }) =>
      [...found].sort((one, other) => (one.eventId < other.eventId ? -1 : 1))
    )
  )

/** Makes every retry of the tenant due now. */
export const hurry = (tenant: Tenant) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const now = yield* Clock.currentTimeMillis
    for (const { id } of yield* deliveriesOf(tenant)) {
      const values: Partial<Tables["jobs"]> = { runAt: now }
      yield* storage.commit(
        changes(tenant.workspace.id, { expects: [expected("jobs", { id })], sets: [set("jobs", { id }, values)] })
      )
    }
  })
