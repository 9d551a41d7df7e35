import { anEvent } from "@parley/testkit/rows"
import { Clock, Effect, Layer } from "effect"
import * as AdminDeliveries from "../../../src/flows/webhooks/AdminDeliveries.js"
import * as AdminEndpoints from "../../../src/flows/webhooks/AdminEndpoints.js"
import * as SubscriptionHandlers from "../../../src/flows/webhooks/SubscriptionHandlers.js"
import * as Webhooks from "../../../src/flows/webhooks/Webhooks.js"
import { Housekeeping } from "../../../src/housekeeping/Housekeeping.js"
import type { Event } from "../../../src/model/Event.js"
import type { Instant } from "../../../src/model/Instant.js"
import { type Lane, lanes } from "../../../src/model/Job.js"
import { changes, expect as expected, row, set, type Tables } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, readById, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { leaseMs } from "../../../src/queue/HeldLease.js"
import { newDelivery } from "../../../src/resources/events/Outbox.js"
import { engine, type Tenant } from "../../harness.js"

/** An engine without a worker, with the webhook services: tests claim and run jobs themselves. */
export const desk = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.mergeAll(
    Layer.effect(Webhooks.Webhooks, Webhooks.make),
    Layer.effect(AdminEndpoints.AdminEndpoints, AdminEndpoints.make),
    Layer.effect(AdminDeliveries.AdminDeliveries, AdminDeliveries.make)
  ).pipe(
    Layer.provide(Layer.effect(SubscriptionHandlers.SubscriptionHandlers, SubscriptionHandlers.make)),
    Layer.provideMerge(engine(storage))
  )

/** Stores events in commits of 500, with the rows of `alongside` for each. */
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

/** A `message.sent` event of the tenant's application. */
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

/** Stores events, each with a due delivery to the tenant's endpoint. */
export const deliveriesDue = (tenant: Tenant, count: number) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const now = yield* Clock.currentTimeMillis
    const events = yield* Effect.forEach(Array.from({ length: count }), () => sentEvent(tenant, now))
    yield* happen(tenant, events, (event) => newDelivery(ids.next(now), event, tenant.endpoint, now))
    return events
  })

/** Claims all due jobs of the tenant in these lanes; default: all lanes. */
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

/** Attempts all due deliveries of the tenant concurrently. Returns their number. */
export const deliverDue = (tenant: Tenant) =>
  Effect.gen(function* () {
    const { deliver } = yield* Webhooks.Webhooks
    const jobs = yield* claim(tenant, "deliveries", "retries")
    yield* Effect.all(yield* deliver(jobs), { concurrency: "unbounded", discard: true })
    return jobs.length
  })

/** Runs the tenant's due housekeeping jobs. */
export const keepHouse = (tenant: Tenant) =>
  Effect.gen(function* () {
    const { run } = yield* Housekeeping
    yield* Effect.forEach(yield* claim(tenant, "housekeeping"), run, { discard: true })
  })

export const endpointOf = (tenant: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(readById(storage, "endpoints", tenant.endpoint.id), (endpoint) => endpoint ?? tenant.endpoint)
  )

/** The deliveries to the tenant's endpoint, oldest event first. */
export const deliveriesOf = (tenant: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.read({ found: lookup("deliveries", { endpointId: tenant.endpoint.id }) }), ({ found }) =>
      [...found].sort((one, other) => (one.eventId < other.eventId ? -1 : 1))
    )
  )

/** Makes all retries of the tenant due now. */
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
