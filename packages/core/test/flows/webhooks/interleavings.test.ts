import { expect, layer } from "@effect/vitest"
import { sqlite } from "@parley/testkit/databases"
import { Clock, Deferred, Effect, Fiber, FastCheck as fc, Ref, Runtime, TestClock } from "effect"
import { AdminDeliveries } from "../../../src/flows/webhooks/AdminDeliveries.js"
import { AdminEndpoints } from "../../../src/flows/webhooks/AdminEndpoints.js"
import { decodeEndpointPatch } from "../../../src/flows/webhooks/EndpointInput.js"
import { decodeRecoverInput } from "../../../src/flows/webhooks/RecoverInput.js"
import { Webhooks } from "../../../src/flows/webhooks/Webhooks.js"
import { failuresThatDisable, isActive } from "../../../src/model/Endpoint.js"
import { day, hour } from "../../../src/model/Instant.js"
import type { Job } from "../../../src/model/Job.js"
import { changes, expect as expected, set } from "../../../src/ports/Changes.js"
import type { OutboundResult } from "../../../src/ports/HttpSender.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { leaseMs } from "../../../src/queue/HeldLease.js"
import { newDelivery } from "../../../src/resources/events/Outbox.js"
import { newTenant, Receiver, type Tenant } from "../../harness.js"
import { claim, deliveriesOf, desk, endpointOf, happen, keepHouse, sentEvent } from "./desk.js"

/** A random step; `pick` selects a delivery or a running attempt. */
const step = fc.record({
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("claim" as const, "takeOver" as const, "wait" as const) },
    { weight: 4, arbitrary: fc.constantFrom("succeed" as const, "fail" as const, "fail" as const) },
    { weight: 3, arbitrary: fc.constantFrom("replay" as const, "recover" as const, "rush" as const) },
    { weight: 2, arbitrary: fc.constantFrom("disable" as const, "enable" as const, "keepHouse" as const) }
  ),
  pick: fc.nat(9)
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A running attempt and the response that it waits for. */
interface Flight {
  readonly fiber: Fiber.RuntimeFiber<void, unknown>
  readonly reply: Deferred.Deferred<OutboundResult>
}

/** A tenant with two events, the second without a delivery, and an endpoint with four failures left. */
const beginning = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const tenant = yield* newTenant
  yield* TestClock.adjust(hour)
  const now = yield* Clock.currentTimeMillis
  const { id } = tenant.endpoint
  yield* storage.commit(
    changes(tenant.workspace.id, {
      expects: [expected("endpoints", { id })],
      sets: [set("endpoints", { id }, { consecutiveFailures: failuresThatDisable - 4 })]
    })
  )
  const events = yield* Effect.forEach([0, 1], () => sentEvent(tenant, now))
  yield* happen(tenant, events, (event, index) =>
    index === 1 ? [] : newDelivery(ids.next(now), event, tenant.endpoint, now)
  )
  return { tenant, since: now }
})

const patch = (tenant: Tenant, status: string) =>
  Effect.flatMap(AdminEndpoints, ({ update }) => update(tenant.endpoint.id, decodeEndpointPatch({ status })))

const history = (steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    const { since, tenant } = yield* beginning
    const storage = yield* Storage
    const { deliver } = yield* Webhooks
    const { answer, got } = yield* Receiver
    const { recover } = yield* AdminEndpoints
    const { replay } = yield* AdminDeliveries
    const flights: Array<Flight> = []
    const finished = new Set<string>()
    let disabledByFailures = 0
    let failures = 0

    /** Runs a job until it waits for the receiver's response or ends. */
    const start = (job: Job) =>
      Effect.gen(function* () {
        const posted = yield* Deferred.make<void>()
        const reply = yield* Deferred.make<OutboundResult>()
        yield* Ref.set(answer, () => Effect.zipRight(Deferred.succeed(posted, undefined), Deferred.await(reply)))
        const fiber = yield* Effect.fork(Effect.flatMap(deliver([job]), (runs) => Effect.all(runs, { discard: true })))
        yield* Effect.raceFirst(Deferred.await(posted), Fiber.await(fiber))
        flights.push({ fiber, reply })
      })
    const land = (pick: number, status: number) =>
      Effect.gen(function* () {
        const [flight] = flights.splice(pick % Math.max(flights.length, 1), 1)
        if (flight === undefined) return
        yield* Deferred.succeed(flight.reply, { _tag: "Answered", status, body: "" })
        yield* Fiber.join(flight.fiber)
      })
    const claimed = Effect.flatMap(claim(tenant, "deliveries", "retries"), (jobs) =>
      Effect.forEach(jobs, start, { discard: true })
    )
    const replayOne = (pick: number) =>
      Effect.gen(function* () {
        const deliveries = yield* deliveriesOf(tenant)
        const id = deliveries[pick % deliveries.length]?.id ?? ""
        const outcome = yield* Effect.either(replay(id))
        if (outcome._tag === "Right") finished.delete(id)
      })
    const recoverAll = recover(tenant.endpoint.id, decodeRecoverInput({ since: new Date(since).toISOString() }))

    const take = ({ pick, what }: Step) =>
      Effect.gen(function* () {
        switch (what) {
          case "claim":
            return yield* claimed
          case "takeOver":
            return yield* Effect.zipRight(TestClock.adjust(leaseMs + 1), claimed)
          case "succeed":
            return yield* land(pick, 200)
          case "fail":
            return yield* land(pick, 500)
          case "wait":
            return yield* Effect.zipRight(TestClock.adjust(2 * hour), claimed)
          case "keepHouse":
            return yield* keepHouse(tenant)
          case "disable":
            return yield* patch(tenant, "disabled")
          case "enable":
            return yield* patch(tenant, "active")
          case "recover":
            return yield* Effect.ignore(recoverAll)
          case "replay":
            return yield* replayOne(pick)
          case "rush":
            return yield* Effect.all([land(pick, pick % 2 === 0 ? 200 : 500), replayOne(pick), land(pick, 500)], {
              concurrency: "unbounded",
              discard: true
            })
        }
      })

    const check = Effect.gen(function* () {
      const { consecutiveFailures } = yield* endpointOf(tenant)
      if (failures < failuresThatDisable && consecutiveFailures === failuresThatDisable) disabledByFailures++
      failures = consecutiveFailures
      for (const delivery of yield* deliveriesOf(tenant)) {
        if (finished.has(delivery.id)) expect(delivery.status).toBe("delivered")
        if (delivery.status === "delivered") finished.add(delivery.id)
        const { attempts } = yield* storage.read({ attempts: lookup("attempts", { deliveryId: delivery.id }) })
        const numbers = new Set(attempts.map(({ number }) => number))
        expect([...numbers].sort((one, other) => one - other)).toEqual(
          Array.from({ length: delivery.attempts }, (_, index) => index + 1)
        )
        const ids = new Set(attempts.map(({ id }) => id))
        const sent = (yield* Ref.get(got)).filter(({ headers }) => ids.has(headers["x-delivery-id"] ?? ""))
        expect(sent).toHaveLength(attempts.length)
        for (const { headers } of sent) expect(headers["x-webhook-id"]).toBe(delivery.eventId)
      }
      const where = { workspaceId: tenant.workspace.id }
      const notifications = yield* storage.list({ from: "notifications", where, after: null, limit: 10 })
      expect(notifications).toHaveLength(disabledByFailures)
    })

    for (const one of steps) {
      yield* take(one)
      yield* check
    }

    // After any history: with a working endpoint and a recover, both events are delivered.
    while (flights.length > 0) yield* Effect.zipRight(land(0, 500), check)
    if (!isActive(yield* endpointOf(tenant))) yield* patch(tenant, "active")
    yield* recoverAll
    yield* keepHouse(tenant)
    for (let quiet = 0; quiet < 2; ) {
      yield* TestClock.adjust(2 * day)
      yield* claimed
      quiet = flights.length === 0 ? quiet + 1 : 0
      while (flights.length > 0) yield* land(0, 200)
      yield* check
    }
    const deliveries = yield* deliveriesOf(tenant)
    expect(deliveries.map(({ status }) => status)).toEqual(["delivered", "delivered"])
    expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(2)
  })

layer(desk(sqlite))("deliveries under any order of attempts, replays, recovers and disabling", (it) => {
  it.effect(
    "are not lost, stay delivered, keep their event id and number attempts without gaps",
    () =>
      Effect.gen(function* () {
        const runPromise = Runtime.runPromise(
          yield* Effect.runtime<Effect.Effect.Context<ReturnType<typeof history>>>()
        )
        const always = fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), (steps) =>
          runPromise(history(steps))
        )
        yield* Effect.promise(() => fc.assert(always, { numRuns: 60 }))
      }),
    { timeout: 120_000 }
  )
})
