import { expect, layer } from "@effect/vitest"
import { postgres, sqlite } from "@parley/testkit/databases"
import { Clock, Context, Effect, Fiber, FastCheck as fc, Layer, Ref, Runtime, TestClock } from "effect"
import { eraseEvents } from "../../../src/erasure/eraseEvents.js"
import * as AdminDeliveries from "../../../src/flows/webhooks/AdminDeliveries.js"
import * as SubscriptionHandlers from "../../../src/flows/webhooks/SubscriptionHandlers.js"
import * as Webhooks from "../../../src/flows/webhooks/Webhooks.js"
import { subscriptionUrl } from "../../../src/model/Endpoint.js"
import type { Event } from "../../../src/model/Event.js"
import { minute } from "../../../src/model/Instant.js"
import { changes, expect as expected, row, set } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { leaseMs } from "../../../src/queue/HeldLease.js"
import { newDelivery } from "../../../src/resources/events/Outbox.js"
import { engine, newTenant, type Tenant } from "../../harness.js"
import { claim, sentEvent } from "./desk.js"

/** Pauses of a random number of turns, so that operations of several processes come in any order. */
class Turns extends Context.Tag("test/Turns")<
  Turns,
  { readonly pause: Effect.Effect<void>; readonly seed: Ref.Ref<number> }
>() {}

const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

const turns = Layer.effect(
  Turns,
  Effect.map(Ref.make(1), (seed) => ({
    seed,
    pause: Effect.flatMap(
      Ref.updateAndGet(seed, (before) => (before * 48_271) % 2_147_483_647),
      (random) => Effect.repeatN(turn, random % 6)
    )
  }))
)

/** The storage, with a pause before each operation of a delivery. */
const paused = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.flatMap(Layer.merge(storage, turns), (context) => {
    const inner = Context.get(context, Storage)
    const { pause } = Context.get(context, Turns)
    return Layer.succeedContext(
      Context.add(context, Storage, {
        ...inner,
        read: (queries) => Effect.zipRight(pause, inner.read(queries)),
        list: (page) => Effect.zipRight(pause, inner.list(page)),
        commit: (changes) => Effect.zipRight(pause, inner.commit(changes))
      })
    )
  })

const orders = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.mergeAll(
    Layer.effect(Webhooks.Webhooks, Webhooks.make),
    Layer.effect(AdminDeliveries.AdminDeliveries, AdminDeliveries.make)
  ).pipe(
    Layer.provideMerge(Layer.effect(SubscriptionHandlers.SubscriptionHandlers, SubscriptionHandlers.make)),
    Layer.provideMerge(engine(paused(storage))),
    Layer.provideMerge(turns)
  )

/** What happens to one event, in turn: of which conversation, how it is started, how its attempts end. */
const happening = fc.record({
  conversation: fc.nat(1),
  startsAtOnce: fc.boolean(),
  isLate: fc.boolean(),
  attempts: fc.array(fc.constantFrom("fails" as const, "crashes" as const), { maxLength: 2 }),
  next: fc.constantFrom("nothing" as const, "nothing" as const, "claim" as const, "replay" as const, "erase" as const)
})
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never

/** An ordered subscription of the tenant, in place of its endpoint. */
const subscribed = (tenant: Tenant) =>
  Effect.flatMap(Storage, (storage) => {
    const endpoint = { ...tenant.endpoint, url: subscriptionUrl("notes"), ordered: "conversation" as const }
    const { id, ordered, url } = endpoint
    const made = changes(tenant.workspace.id, {
      expects: [expected("endpoints", { id })],
      sets: [set("endpoints", { id }, { ordered, url })]
    })
    return Effect.as(storage.commit(made), endpoint)
  })

const history = (happenings: ReadonlyArray<Happening>, seed: number) =>
  Effect.gen(function* () {
    yield* Ref.set((yield* Turns).seed, seed)
    const { pause } = yield* Turns
    const storage = yield* Storage
    const ids = yield* Ids
    const { deliver } = yield* Webhooks.Webhooks
    const { replay } = yield* AdminDeliveries.AdminDeliveries
    const handlers = yield* SubscriptionHandlers.SubscriptionHandlers
    const tenant = yield* newTenant
    const endpoint = yield* subscribed(tenant)
    const conversations = [ids.next(1), ids.next(1)]

    /** Counts what happens, to compare times. */
    let count = 0
    const made = new Map<string, number>()
    const stored = new Map<string, number>()
    const began = new Map<string, number>()
    const ended = new Map<string, number>()
    const free = new Set<string>()
    const erased = new Set<string>()
    const left = new Map<string, Array<"fails" | "crashes">>()
    const running = new Map<string, string>()
    const problems: Array<string> = []
    const runs: Array<Fiber.RuntimeFiber<void, unknown>> = []

    handlers.set(endpoint.id, (body, { deliveryId }) =>
      Effect.gen(function* () {
        const { data, id } = JSON.parse(body)
        const conversation: string = data.message.conversation_id
        const isFree = free.has(deliveryId)
        if (!isFree) {
          const other = running.get(conversation)
          if (other !== undefined && !erased.has(other)) problems.push(`${id} begins while ${other} runs`)
          running.set(conversation, id)
        }
        if (!began.has(id)) began.set(id, ++count)
        yield* Effect.repeatN(pause, 5)
        const outcome = left.get(id)?.shift()
        if (outcome === "crashes") {
          if (running.get(conversation) === id) running.delete(conversation)
          return yield* Effect.interrupt
        }
        if (running.get(conversation) === id) running.delete(conversation)
        if (outcome === "fails") return yield* Effect.fail("Error: It failed.")
        ended.set(id, ++count)
      })
    )

    const start = (jobs: Parameters<typeof deliver>[0]) =>
      Effect.flatMap(deliver(jobs), (works) =>
        Effect.forEach(works, (work) => Effect.map(Effect.forkDaemon(work), (fiber) => runs.push(fiber)), {
          discard: true
        })
      )
    const claimed = Effect.flatMap(claim(tenant, "subscriptions"), (jobs) =>
      // In two parts, as by two processes.
      Effect.forkDaemon(
        Effect.all([start(jobs.filter((_, n) => n % 2 === 0)), start(jobs.filter((_, n) => n % 2 === 1))], {
          concurrency: "unbounded",
          discard: true
        })
      )
    )
    const events: Array<Event> = []
    const happen = ({ attempts, conversation, startsAtOnce }: Happening, event: Event) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const [delivery, job] = newDelivery(ids.next(now), event, endpoint, now)
        left.set(event.id, [...attempts])
        const leased = startsAtOnce
          ? { ...job.row, leaseUntil: now + leaseMs, leaseOwner: "test", attempts: 1 }
          : job.row
        const workspace = expected("workspaces", { id: tenant.workspace.id })
        yield* storage.commit(
          changes(tenant.workspace.id, {
            expects: [workspace],
            inserts: [row("events", event), delivery, row("jobs", leased)]
          })
        )
        stored.set(event.id, ++count)
        events.push(event)
        if (startsAtOnce) yield* start([leased])
        return conversation
      })

    const commits: Array<Fiber.RuntimeFiber<unknown, unknown>> = []
    for (const one of happenings) {
      const now = yield* Clock.currentTimeMillis
      const data = JSON.stringify({ message: { conversation_id: conversations[one.conversation] } })
      const event = yield* sentEvent(tenant, now, { data })
      made.set(event.id, ++count)
      const work = happen(one, event)
      if (one.isLate) commits.push(yield* Effect.forkDaemon(Effect.zipRight(Effect.repeatN(pause, 4), work)))
      else yield* work
      if (one.next === "claim") commits.push(yield* claimed)
      if (one.next === "replay") {
        const { found } = yield* storage.read({ found: lookup("deliveries", { eventId: event.id }) })
        const [delivery] = found
        if (delivery?.orderState === "waiting") {
          free.add(delivery.id)
          yield* Effect.ignore(replay(delivery.id))
        }
      }
      if (one.next === "erase") {
        const picked = events[Math.floor(events.length / 2)]
        if (picked !== undefined) {
          erased.add(picked.id)
          yield* eraseEvents(storage, tenant.workspace.id, [picked.subjectId])
        }
      }
    }
    yield* Effect.forEach(commits, Fiber.join, { discard: true })
    const pending = Effect.map(
      storage.read({ found: lookup("deliveries", { endpointId: endpoint.id }) }),
      ({ found }) => found.filter(({ status }) => status === "pending").length
    )
    for (let round = 0; (yield* pending) > 0 && round < 200; round++) {
      while (runs.length > 0) yield* Fiber.await(runs.pop() as Fiber.RuntimeFiber<void, unknown>)
      yield* TestClock.adjust(minute)
      yield* Effect.flatMap(claimed, Fiber.join)
    }

    expect(problems).toEqual([])
    expect(yield* pending).toBe(0)
    for (const event of events) {
      if (erased.has(event.id)) continue
      expect(ended.has(event.id)).toBe(true)
      for (const later of events) {
        if (later.data !== event.data || erased.has(later.id)) continue
        // Events that were stored at the same time have no order.
        if ((stored.get(event.id) ?? 0) > (made.get(later.id) ?? 0)) continue
        if (free.size > 0) continue
        expect(ended.get(event.id)).toBeLessThan(began.get(later.id) ?? 0)
      }
    }
  })

layer(orders(sqlite))(
  "ordered deliveries under any order of commits, attempts, crashes, replays and erasures",
  (it) => {
    it.effect(
      "run one at a time for a conversation, in the order of their events, and all end",
      () =>
        Effect.gen(function* () {
          const runPromise = Runtime.runPromise(
            yield* Effect.runtime<Effect.Effect.Context<ReturnType<typeof history>>>()
          )
          const always = fc.asyncProperty(
            fc.array(happening, { minLength: 1, maxLength: 24, size: "max" }),
            fc.integer({ min: 1, max: 2_147_483_646 }),
            (happenings, seed) => runPromise(history(happenings, seed))
          )
          yield* Effect.promise(() => fc.assert(always, { numRuns: 60 }))
        }),
      { timeout: 240_000 }
    )
  }
)

layer(orders(postgres))("ordered deliveries on postgres", (it) => {
  it.effect(
    "run one at a time for a conversation",
    () =>
      Effect.forEach(
        [1, 2, 3],
        (seed) =>
          history(
            Array.from({ length: 24 }, (_, n) => ({
              conversation: n % 2,
              startsAtOnce: n % 3 > 0,
              isLate: n % 5 === 0,
              attempts: n % 4 === 0 ? ["fails" as const] : [],
              next: n % 7 === 0 ? ("claim" as const) : ("nothing" as const)
            })),
            seed
          ),
        { discard: true }
      ),
    { timeout: 120_000 }
  )
})
