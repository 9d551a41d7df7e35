import { expect, layer } from "@effect/vitest"
import { sqlite } from "@parley/testkit/databases"
import { Clock, Effect, Ref, TestClock, TestServices } from "effect"
import { retrySchedule } from "../src/flows/webhooks/retrySchedule.js"
import { day } from "../src/model/Instant.js"
import { lanes } from "../src/model/Job.js"
import { lookup, Storage } from "../src/ports/Storage.js"
import { Dispatcher } from "../src/queue/Dispatcher.js"
import { leaseMs } from "../src/queue/HeldLease.js"
import { engine, newTenant, Receiver, send } from "./harness.js"

/** Polls in real time until the condition holds, because the database answers in real time. */
const meanwhile = <A, E, R>(effect: Effect.Effect<A, E, R>, holds: (value: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.flatMap(effect, (value) =>
    holds(value)
      ? Effect.succeed(value)
      : Effect.zipRight(TestServices.provideLive(Effect.sleep(2)), meanwhile(effect, holds))
  )

/** One round of a worker. A real worker's poll intervals would take too many steps of simulated time in a day. */
const workOnce = Effect.gen(function* () {
  const storage = yield* Storage
  const { owner, start } = yield* Dispatcher
  const now = yield* Clock.currentTimeMillis
  const every = lanes.map((lane) => ({ lane, limit: 100, perSubject: 100, except: [] }))
  const { jobs } = yield* storage.claimJobs({ now, owner, leaseMs, lanes: every })
  yield* Effect.forEach(jobs, start)
})

layer(engine(sqlite))("an engine under simulated time", (it) => {
  it.effect("retries a webhook by the retry schedule, then fails the delivery", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const tenant = yield* newTenant
      yield* Ref.set((yield* Receiver).answer, () => Effect.succeed({ _tag: "Answered", status: 503, body: "" }))
      yield* send(tenant, "+491701000020", "retried")
      const found = Effect.map(
        storage.read({ deliveries: lookup("deliveries", { endpointId: tenant.endpoint.id }) }),
        ({ deliveries }) => [...deliveries].sort((one, other) => (one.id < other.id ? -1 : 1))[0]
      )
      const delivery = yield* meanwhile(found, (delivery) => delivery !== undefined)
      const id = delivery?.id ?? ""
      yield* workOnce
      for (let made = 1; made <= retrySchedule.length; made++) {
        yield* meanwhile(found, (delivery) => delivery?.attempts === made)
        const { jobs } = yield* storage.read({ jobs: lookup("jobs", { id }) })
        expect(jobs[0]?.lane).toBe("retries")
        yield* TestClock.setTime(jobs[0]?.runAt ?? 0)
        yield* workOnce
      }
      yield* meanwhile(found, (delivery) => delivery?.status === "failed")
      const { attempts, jobs } = yield* storage.read({
        attempts: lookup("attempts", { deliveryId: id }),
        jobs: lookup("jobs", { id })
      })
      expect(jobs).toEqual([])
      const times = attempts
        .map(({ number, startedAt }) => [number, startedAt] as const)
        .sort((one, other) => one[0] - other[0])
      expect(times.map(([number]) => number)).toEqual([1, 2, 3, 4, 5, 6, 7])
      for (const [index, delay] of retrySchedule.entries()) {
        const wait = (times[index + 1]?.[1] ?? 0) - (times[index]?.[1] ?? 0)
        expect(wait).toBeGreaterThanOrEqual(delay)
        expect(wait).toBeLessThanOrEqual(delay * 1.1 + 1)
      }
    })
  )

  it.effect("expires an idempotency key after a day", () =>
    Effect.gen(function* () {
      const tenant = yield* newTenant
      const first = yield* send(tenant, "+491701000021", "daily")
      yield* TestClock.adjust(day - 1)
      expect(yield* send(tenant, "+491701000021", "daily")).toMatchObject({ id: first.id, replayed: true })
      yield* TestClock.adjust(1)
      const second = yield* send(tenant, "+491701000021", "daily")
      expect(second.replayed).toBe(false)
      expect(second.id).not.toBe(first.id)
    })
  )
})
