import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Cause, Clock, Deferred, Effect, Exit, FastCheck, Fiber, Runtime, TestClock, TestServices } from "effect"
import type { Sends } from "../../../src/flows/sends/Sends.js"
import { maxLateMs } from "../../../src/flows/sends/sendReadiness.js"
import { minute, second } from "../../../src/model/Instant.js"
import type { Job } from "../../../src/model/Job.js"
import { changes, expect as expected, set } from "../../../src/ports/Changes.js"
import { type OutboundMessage, SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import {
  accept,
  accepted,
  claim,
  connectionNow,
  newLine,
  perSecond,
  queue,
  SendHosts,
  sendsWorld,
  Vendor,
  workAll,
  workOnce,
  workUntil
} from "./sendsWorld.js"

const refused = SendOutcome.Rejected({
  scope: "connection",
  code: "provider_error",
  providerCode: "190",
  providerMessage: "the token is not valid any more"
})

for (const [name, storage] of databases) {
  layer(sendsWorld(storage), { timeout: 60_000 })(`sends on ${name}`, (it) => {
    it.effect("are sent at the connection's rate and in order across hosts", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust(minute)
        const start = yield* Clock.currentTimeMillis
        const line = yield* newLine({ connection: perSecond(10, 3) })
        const ids = yield* queue(line, 12)
        yield* workAll()
        const handed = yield* accepted
        expect(handed.map(({ message }) => message.id).slice(3)).toEqual(ids.slice(3))
        const times = handed.map(({ at }) => at - start)
        expect(times).toEqual([0, 0, 0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
        expect(handed.every(({ message }) => message.attempt === 1)).toBe(true)
      })
    )

    it.effect("are sent once each after waiting, to a provider without deduplication", () =>
      Effect.gen(function* () {
        const line = yield* newLine({ connection: perSecond(1) })
        const vendor = yield* Vendor
        vendor.provider = { dedupes: false }
        const ids = yield* queue(line, 3)
        yield* workAll()
        expect(vendor.handed.map(({ message }) => message.id)).toEqual(ids)
      })
    )

    it.effect("hold no worker while they wait for their slot", () =>
      Effect.gen(function* () {
        const line = yield* newLine({ connection: perSecond(1) })
        yield* queue(line, 5)
        yield* workOnce
        const now = yield* Clock.currentTimeMillis
        const { jobs } = yield* (yield* Storage).read({
          jobs: lookup("jobs", { workspaceId: line.workspace.id, subject: line.connection.id })
        })
        expect(jobs.map(({ leaseOwner, leaseUntil }) => [leaseOwner, leaseUntil])).toEqual(jobs.map(() => [null, 0]))
        expect(jobs.map(({ runAt }) => runAt - now).sort((a, b) => a - b)).toEqual([1_000, 2_000, 3_000, 4_000])
        yield* workAll()
      })
    )

    it.effect("continue at their rate and in order after a pause without workers", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust(100 - ((yield* Clock.currentTimeMillis) % 100))
        const start = yield* Clock.currentTimeMillis
        const line = yield* newLine({ connection: perSecond(10) })
        const ids = yield* queue(line, 30)
        yield* workUntil(start + 500)
        yield* TestClock.setTime(start + minute)
        yield* workAll()
        const handed = yield* accepted
        expect(handed.map(({ message }) => message.id)).toEqual(ids)
        const times = handed.map(({ at }) => at - start)
        expect(times.slice(0, 6)).toEqual([0, 100, 200, 300, 400, 500])
        expect(times.slice(6)).toEqual(Array.from({ length: 24 }, (_, n) => minute + n * 100))
      })
    )

    it.effect("are limited per recipient without delaying other recipients", () =>
      Effect.gen(function* () {
        const start = yield* Clock.currentTimeMillis
        const line = yield* newLine({ connection: perSecond(100), recipient: { messages: 1, per: 6_000, burst: 2 } })
        yield* queue(line, 8, (n) => (n < 4 ? "+491700000001" : `+49170000000${n}`))
        yield* workAll()
        const handed = yield* accepted
        const toOne = handed.filter(({ message }) => message.to === "+491700000001").map(({ at }) => at - start)
        expect(toOne.map((at) => Math.round(at / second))).toEqual([0, 0, 6, 12])
        expect(handed.filter(({ at }) => at - start < 100)).toHaveLength(6)
      })
    )

    it.effect("reserve no slots without rate and hold", () =>
      Effect.gen(function* () {
        const line = yield* newLine({})
        yield* queue(line, 3)
        yield* workOnce
        expect(yield* accepted).toHaveLength(3)
        const store = yield* Storage
        // The queue was empty before.
        const slot = yield* store.reserveSlot({ key: line.connection.id, ...perSecond(1), now: 1, behind: 0 })
        expect(slot).toBe(1)
      })
    )

    it.effect("wait during a throttle hold of their connection only", () =>
      Effect.gen(function* () {
        const held = yield* newLine({ connection: perSecond(20) })
        const free = yield* newLine({ connection: perSecond(20) })
        const vendor = yield* Vendor
        const start = yield* Clock.currentTimeMillis
        let throttles = 1
        vendor.script = (message, _at, { id }) =>
          id === held.connection.id && throttles-- > 0
            ? SendOutcome.Throttled({ retryAfterMs: 3_000 })
            : accept(message)
        const ids = yield* queue(held, 10)
        yield* queue(free, 10)
        yield* workAll()
        const of = (line: typeof held) =>
          Effect.map(accepted, (all) => all.filter(({ connectionId }) => connectionId === line.connection.id))
        expect((yield* of(free)).at(-1)?.at).toBe(start + 450)
        const handed = yield* of(held)
        expect(handed.map(({ message }) => message.id)).toEqual(ids)
        const { heldUntil } = yield* connectionNow(held)
        expect(heldUntil).toBe(Math.ceil((start + 3_000) / 100) * 100)
        expect(handed.map(({ at }) => at - heldUntil)).toEqual([0, 50, 100, 150, 200, 250, 300, 350, 400, 450])
      })
    )

    it.effect("throttled at the same time are retried in order, before later ones", () =>
      Effect.gen(function* () {
        const line = yield* newLine({ connection: perSecond(10) })
        const vendor = yield* Vendor
        yield* TestClock.adjust(100 - ((yield* Clock.currentTimeMillis) % 100))
        const start = yield* Clock.currentTimeMillis
        vendor.script = (message, at) =>
          at === start + 400 ? SendOutcome.Throttled({ retryAfterMs: 1_000 }) : accept(message)
        const ids = yield* queue(line, 6)
        const late = [300]
        yield* workAll(() => late.shift() ?? 0)
        expect(vendor.handed.filter(({ at }) => at === start + 400)).toHaveLength(4)
        const handed = yield* accepted
        expect(handed.map(({ message }) => message.id)).toEqual(ids)
        expect(handed.map(({ at }) => at - start)).toEqual([0, 1_400, 1_500, 1_600, 1_700, 1_800])
      })
    )

    it.effect("are not all claimed in vain while the provider accepts less than its rate", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust(100 - ((yield* Clock.currentTimeMillis) % 100))
        const start = yield* Clock.currentTimeMillis
        const line = yield* newLine({ connection: perSecond(40) })
        const vendor = yield* Vendor
        let takesAt = start
        vendor.script = (message, at) => {
          if (at < takesAt) return SendOutcome.Throttled({ retryAfterMs: takesAt - at })
          takesAt = at + 1_000
          return accept(message)
        }
        const ids = yield* queue(line, 20)
        yield* workAll()
        expect((yield* accepted).map(({ message }) => message.id)).toEqual(ids)
        // Each once; then for each accepted one: itself, the next one (throttled), and one that is postponed.
        expect(vendor.claimed.length).toBeLessThanOrEqual(20 + 20 * 3)
      })
    )

    it.effect("throttled at the same time hold the connection once, also without a rate", () =>
      Effect.gen(function* () {
        const line = yield* newLine({})
        const vendor = yield* Vendor
        const start = yield* Clock.currentTimeMillis
        vendor.script = (message, at) =>
          at < start + 500 ? SendOutcome.Throttled({ retryAfterMs: 500 }) : accept(message)
        const ids = yield* queue(line, 40)
        yield* workAll()
        const { heldMs, heldUntil } = yield* connectionNow(line)
        expect([heldUntil, heldMs]).toEqual([Math.ceil((start + 500) / 100) * 100, heldUntil - start])
        const handed = yield* accepted
        expect(handed.map(({ message }) => message.id).sort()).toEqual([...ids].sort())
        expect(handed.every(({ at }) => at >= heldUntil)).toBe(true)
      })
    )

    it.effect(
      "are neither lost nor too fast nor out of order under any throttling",
      () =>
        Effect.gen(function* () {
          const runtime = yield* Effect.runtime<Effect.Effect.Context<ReturnType<typeof once>>>()
          yield* Effect.promise(() =>
            FastCheck.assert(
              FastCheck.asyncProperty(scenario, (given) => Runtime.runPromise(runtime)(once(given))),
              { numRuns: 12, endOnFailure: true }
            )
          )
        }),
      120_000
    )

    it.effect(
      "of earlier settings, which are refused, do not disconnect a connection that was corrected meanwhile",
      () =>
        Effect.gen(function* () {
          const store = yield* Storage
          const line = yield* newLine({})
          const vendor = yield* Vendor
          const { id, version } = line.connection
          vendor.script = () => refused
          vendor.answers = Effect.orDie(
            store.commit(
              changes(line.workspace.id, {
                expects: [expected("connections", { id }, { version })],
                sets: [set("connections", { id }, { credentials: "corrected" })]
              })
            )
          )
          const [failed] = yield* queue(line, 1)
          yield* workOnce
          const where = { conversationId: line.conversationId }
          const messages = yield* store.list({ from: "messages", where, after: null, limit: 100 })
          expect(messages.map(({ id, status }) => [id, status])).toEqual([[failed, "failed"]])
          expect(yield* connectionNow(line)).toMatchObject({ status: "active", version: version + 1 })
        })
    )

    it.effect("disconnect a refused connection once, wait, and continue when it is active again", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const line = yield* newLine({})
        const vendor = yield* Vendor
        vendor.script = () => refused
        const failed = yield* queue(line, 16)
        yield* workOnce
        expect((yield* connectionNow(line)).status).toBe("disconnected")
        const reported = yield* store.list({
          from: "notifications",
          where: { workspaceId: line.workspace.id },
          after: null,
          limit: 10
        })
        expect(reported.map(({ kind, subjectId }) => [kind, subjectId])).toEqual([
          ["connection.disconnected", line.connection.id]
        ])
        const where = { conversationId: line.conversationId }
        const messages = yield* store.list({ from: "messages", where, after: null, limit: 100 })
        expect(messages.map(({ id, status }) => [id, status]).reverse()).toEqual(failed.map((id) => [id, "failed"]))

        vendor.script = accept
        vendor.handed = []
        const waiting = yield* queue(line, 3)
        const now = yield* Clock.currentTimeMillis
        yield* workUntil(now + 3 * minute)
        expect(vendor.handed).toEqual([])
        const { id, version } = yield* connectionNow(line)
        yield* store.commit(
          changes(line.workspace.id, {
            expects: [expected("connections", { id }, { version })],
            sets: [set("connections", { id }, { status: "active" })]
          })
        )
        yield* workAll()
        expect((yield* accepted).map(({ message }) => message.id).sort()).toEqual([...waiting].sort())
      })
    )

    it.effect("are not lost if the provider returns an id that cannot be stored", () =>
      Effect.gen(function* () {
        const line = yield* newLine({})
        const vendor = yield* Vendor
        const bad = ["", "a\u0000b", "\ud800", "x".repeat(513)]
        const ids = yield* queue(line, bad.length + 1)
        vendor.script = (message) => {
          const providerMessageId = bad[ids.indexOf(message.id)]
          return providerMessageId === undefined
            ? accept(message)
            : SendOutcome.Accepted({ providerMessageId, receipts: [] })
        }
        yield* workAll()
        const where = { conversationId: line.conversationId }
        const messages = yield* (yield* Storage).list({ from: "messages", where, after: null, limit: 100 })
        expect(messages.map(({ providerMessageId, status }) => [providerMessageId, status]).reverse()).toEqual(
          ids.map((id, n) => [n < bad.length ? id : `p-${id}`, "sent"])
        )
        expect(vendor.handed).toHaveLength(ids.length)
      })
    )

    it.effect("follow the recipient to a new handle", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const line = yield* newLine({})
        const vendor = yield* Vendor
        const handle = `+49171${`${yield* Clock.currentTimeMillis}`.slice(-9)}`
        vendor.script = (message) => (message.to === handle ? accept(message) : SendOutcome.Moved({ handle }))
        const [id] = yield* queue(line, 1)
        yield* workAll()
        expect((yield* accepted).map(({ message }) => message.to)).toEqual([handle])
        const { addresses, messages } = yield* store.read({
          messages: lookup("messages", { id: id ?? "" }),
          addresses: lookup("addresses", { workspaceId: line.workspace.id, space: "phone", handle })
        })
        expect([messages[0]?.status, addresses[0]?.contactId]).toEqual(["sent", line.contact.id])
      })
    )

    it.effect("of unknown outcome are repeated only with the policy resend", () =>
      Effect.gen(function* () {
        const policies = ["hold", "resend"] as const
        for (const unknown_outcome of policies) {
          const line = yield* newLine({}, { unknown_outcome })
          const vendor = yield* Vendor
          vendor.provider = { dedupes: false }
          vendor.script = (message) =>
            message.attempt === 1 ? SendOutcome.Unknown({ reason: "no answer" }) : accept(message)
          const [id] = yield* queue(line, 1)
          const now = yield* Clock.currentTimeMillis
          yield* workUntil(now + minute)
          expect(yield* accepted).toHaveLength(unknown_outcome === "resend" ? 1 : 0)
          yield* workAll()
          const { messages } = yield* (yield* Storage).read({ messages: lookup("messages", { id: id ?? "" }) })
          expect(messages[0]?.status).toBe(unknown_outcome === "resend" ? "sent" : "failed")
        }
      })
    )

    it.effect("run at most as many at once as the provider takes, and wait in order", () =>
      Effect.gen(function* () {
        const line = yield* newLine({})
        const vendor = yield* Vendor
        let running = 0
        const counts: Array<number> = []
        vendor.provider = { dedupes: false, maxConcurrentSends: () => 2 }
        vendor.script = (message) => {
          counts.push(++running)
          return accept(message)
        }
        vendor.answers = Effect.map(TestServices.provideLive(Effect.sleep(5)), () => void running--)
        const ids = yield* queue(line, 7)
        const [host] = yield* SendHosts
        yield* Effect.forEach(yield* claim(line), (job) => (host as Sends).handOver(job), { concurrency: "unbounded" })
        expect(Math.max(...counts)).toBe(2)
        expect(vendor.handed.map(({ message }) => message.id).sort()).toEqual([...ids].sort())
        expect(vendor.handed.every(({ message }) => message.attempt === 1)).toBe(true)
      })
    )

    it.effect("fail with the reason if the provider's limit is no number from 1 on", () =>
      Effect.gen(function* () {
        const line = yield* newLine({})
        const vendor = yield* Vendor
        yield* queue(line, 1)
        const [host] = yield* SendHosts
        const [job] = yield* claim(line)
        if (job === undefined || host === undefined) return expect.unreachable()
        for (const limit of [Number.NaN, 0]) {
          vendor.provider = { dedupes: false, maxConcurrentSends: () => limit }
          const exit = yield* Effect.exit(host.handOver(job))
          expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("must be at least 1")
        }
        expect(vendor.handed).toEqual([])
        vendor.provider = { dedupes: false, maxConcurrentSends: () => 1 }
        yield* host.handOver(job)
        expect(vendor.handed).toHaveLength(1)
      })
    )

    it.effect("of a kind that the provider does not limit pass those that wait", () =>
      Effect.gen(function* () {
        const { answered, calls, host, jobs } = yield* busyLine
        const vendor = yield* Vendor
        vendor.provider = { dedupes: false, maxConcurrentSends: () => null }
        vendor.answers = Effect.void
        yield* host.handOver(jobs[1])
        expect((yield* accepted).map(({ message }) => message.id)).toEqual(jobs.map(({ reference }) => reference))
        yield* Deferred.succeed(answered, undefined)
        yield* Fiber.join(calls)
      })
    )

    it.effect("that find no place in time go back into the queue, without a failure", () =>
      Effect.gen(function* () {
        const { answered, host, jobs, store } = yield* busyLine
        const waits = yield* Effect.fork(host.handOver(jobs[1]))
        // Until it waits for its place, moving the clock has no effect.
        while (waits.unsafePoll() === null) {
          yield* TestClock.adjust(10 * second)
          yield* TestServices.provideLive(Effect.sleep(1))
        }
        const now = yield* Clock.currentTimeMillis
        const { found } = yield* store.read({ found: lookup("jobs", { id: jobs[1].id }) })
        expect(found[0]).toMatchObject({ leaseOwner: null, attempts: 0, payload: { settled: 0, tries: 0 } })
        expect((found[0]?.runAt ?? 0) - now).toBeLessThanOrEqual(5 * second)
        yield* Deferred.succeed(answered, undefined)
        yield* workAll()
        expect((yield* Vendor).handed.map(({ message }) => message.id)).toEqual(jobs.map(({ reference }) => reference))
      })
    )

    it.effect("that a shutdown interrupts before the call are sent by another host, and none begins in its place", () =>
      Effect.gen(function* () {
        const { calls, host, jobs, line, store } = yield* busyLine
        const waits = yield* Effect.fork(host.handOver(jobs[1]))
        yield* TestServices.provideLive(Effect.sleep(20))
        yield* Fiber.interrupt(calls)
        yield* Fiber.interrupt(waits)
        const { handed } = yield* Vendor
        expect(handed.map(({ message }) => message.id)).toEqual([jobs[0].reference])
        yield* store.releaseLeases(jobs.map(({ epoch, id }) => ({ jobId: id, epoch })))
        const vendor = yield* Vendor
        vendor.answers = Effect.void
        const [, another] = (yield* SendHosts) as [Sends, Sends]
        yield* Effect.forEach(yield* claim(line), another.handOver)
        expect((yield* accepted).map(({ message }) => message.id)).toEqual(jobs.map(({ reference }) => reference))
      })
    )

    it.effect("include the last ten messages for a provider with threads", () =>
      Effect.gen(function* () {
        const line = yield* newLine({})
        const vendor = yield* Vendor
        vendor.provider = { threads: true }
        const before = yield* Effect.forEach(Array.from({ length: 12 }), () =>
          Effect.zipLeft(Effect.zipRight(TestClock.adjust(1), queue(line, 1)), workOnce)
        )
        const known = before.flat().map((id) => `p-${id}`)
        const threads = vendor.handed.map(({ message }) =>
          message.thread.map(({ providerMessageId }) => providerMessageId)
        )
        expect(threads).toEqual(known.map((_, n) => known.slice(Math.max(0, n - 10), n)))
      })
    )
  })
}

/** A line with one place, two messages, and the first one in the call of its provider until `answered`. */
const busyLine = Effect.gen(function* () {
  const line = yield* newLine({})
  const vendor = yield* Vendor
  const [called, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  vendor.provider = { dedupes: false, maxConcurrentSends: () => 1 }
  vendor.answers = Effect.zipRight(Deferred.succeed(called, undefined), Deferred.await(answered))
  yield* queue(line, 2)
  const jobs = (yield* claim(line)).toSorted((a, b) => (a.reference < b.reference ? -1 : 1)) as unknown as [Job, Job]
  const [host] = (yield* SendHosts) as [Sends]
  const calls = yield* Effect.fork(host.handOver(jobs[0]))
  yield* Deferred.await(called)
  return { answered, calls, host, jobs, line, store: yield* Storage }
})

const scenario = FastCheck.record({
  messages: FastCheck.integer({ min: 2, max: 20 }),
  rate: FastCheck.integer({ min: 2, max: 40 }),
  /** Messages per second that the vendor accepts. */
  takes: FastCheck.integer({ min: 1, max: 40 }),
  burst: FastCheck.constantFrom(1, 1, 2, 4),
  dedupes: FastCheck.boolean(),
  late: FastCheck.array(FastCheck.constantFrom(0, 0, 5, 60, 400, 900, 5_000), { minLength: 1 }),
  hints: FastCheck.array(FastCheck.constantFrom(null, 0, 50, 1_000, 2_500), { minLength: 1 })
})

type Scenario = typeof scenario extends FastCheck.Arbitrary<infer Given> ? Given : never

const once = ({ burst, dedupes, hints, late, messages, rate, takes }: Scenario) =>
  Effect.gen(function* () {
    const line = yield* newLine({ connection: perSecond(rate, burst) })
    const vendor = yield* Vendor
    vendor.provider = { dedupes }
    let throttles = 0
    vendor.script = (message: OutboundMessage, at: number) => {
      const lately = vendor.handed.filter((one) => one.outcome._tag === "Accepted" && one.at > at - 1_000)
      return lately.length < takes
        ? accept(message)
        : SendOutcome.Throttled({ retryAfterMs: hints[throttles++ % hints.length] ?? null })
    }
    const ids = yield* queue(line, messages)
    let looks = 0
    yield* workAll(() => late[looks++ % late.length] ?? 0)

    const taken = yield* accepted
    expect(taken.map(({ message }) => message.id).sort()).toEqual([...ids].sort())
    const times = taken.map(({ at }) => at).sort((a, b) => a - b)
    for (const [i, from] of times.entries()) {
      for (const [j, to] of times.entries()) {
        if (j > i) expect(j - i + 1).toBeLessThanOrEqual(burst + ((to - from + 2 * maxLateMs) * rate) / 1_000)
      }
    }
    const acceptedAt = new Map(taken.map(({ at, message }) => [message.id, at]))
    for (const [i, first] of ids.entries()) {
      for (const later of ids.slice(i + 1)) {
        const at = acceptedAt.get(later) as number
        // Messages that are claimed at the same time have no order.
        if (at < (acceptedAt.get(first) as number)) expect(vendor.claimed).toContainEqual({ id: first, at })
      }
    }
  })
