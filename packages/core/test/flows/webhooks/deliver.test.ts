import { expect, it } from "@effect/vitest"
import { aDelivery, aJob, anApplication, anEndpoint, anEvent, someTime } from "@parley/testkit/rows"
import { plainSecretBox, testIds } from "@parley/testkit/services"
import { Context, Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import { describe } from "vitest"
import * as SubscriptionHandlers from "../../../src/flows/webhooks/SubscriptionHandlers.js"
import * as Webhooks from "../../../src/flows/webhooks/Webhooks.js"
import * as Decider from "../../../src/kernel/Decider.js"
import { layer as engineSettings } from "../../../src/kernel/EngineSettings.js"
import { ApplicationMetrics } from "../../../src/kernel/metrics/applicationMetrics.js"
import { recorded } from "../../../src/kernel/metrics/recorded.js"
import type { Attempt, Delivery, OrderState } from "../../../src/model/Delivery.js"
import { subscriptionUrl } from "../../../src/model/Endpoint.js"
import { minute, second } from "../../../src/model/Instant.js"
import type { Changes, TableName } from "../../../src/ports/Changes.js"
import type { Page } from "../../../src/ports/filters.js"
import { HttpSender, type OutboundRequest, type OutboundResult } from "../../../src/ports/HttpSender.js"
import { SecretBox, SecretUnreadable } from "../../../src/ports/SecretBox.js"
import { CommitOutcome, type Lookups, Storage, StorageUnavailable } from "../../../src/ports/Storage.js"
import { scriptedStorage } from "../../scriptedStorage.js"

const application = anApplication({ scopes: ["webhooks.receive"] })
const endpoint = anEndpoint({ applicationId: application.id, url: "https://shop.example/hooks", secret: "whsec_a" })
const event = anEvent({ id: "01900000-0000-7000-8000-0000000000a1", type: "message.sent", data: `{"message":{}}` })
const delivery = aDelivery({
  id: "01900000-0000-7000-8000-0000000000f1",
  endpointId: endpoint.id,
  eventId: event.id,
  status: "pending",
  attempts: 2,
  round: 2
})
const job = aJob({
  id: delivery.id,
  lane: "retries",
  subject: endpoint.id,
  reference: delivery.id,
  payload: { eventId: event.id, applicationId: application.id },
  epoch: 3
})
/** The row of each table that reads find, or several, of which they find those that match. */
const stored: { readonly [table: string]: unknown } = {
  deliveries: delivery,
  events: event,
  endpoints: endpoint,
  applications: application
}

interface Given {
  readonly result?: OutboundResult
  /** The rows after the attempt, with which the first commit conflicts. Default: as before, without a conflict. */
  readonly after?: typeof stored
  /** The rows after the first conflict, which is before the attempt. Default: as before, without a conflict. */
  readonly meanwhile?: typeof stored
  readonly rows?: typeof stored
  /** Runs before each read. */
  readonly reading?: (lookups: Lookups) => Effect.Effect<unknown>
  /** How many commits find the storage away. */
  readonly away?: number
  /** How many commits conflict. Default: one if there are rows `after` or `meanwhile`. */
  readonly conflicts?: number
  readonly secretBox?: typeof plainSecretBox
  readonly publicUrl?: string
  readonly jobs?: ReadonlyArray<typeof job>
  /** Handles the subscription of {@link endpoint} in this process. */
  readonly subscriber?: SubscriptionHandlers.Subscriber
}

/** Delivers one webhook, whose attempt takes two seconds. */
const delivering = (given: Given = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(someTime)
    const posted: Array<OutboundRequest> = []
    const counted: Array<readonly [applicationId: string, outcome: string]> = []
    const lost = given.conflicts ?? (given.after === undefined && given.meanwhile === undefined ? 0 : 1)
    let conflicts = lost
    let away = given.away ?? 0
    let present = given.rows ?? stored
    const find = (table: string, where: object): ReadonlyArray<unknown> => {
      const rows = ((posted.length > 0 ? given.after : undefined) ?? present)[table]
      if (!Array.isArray(rows)) return rows === undefined ? [] : [rows]
      return rows.filter((row) => Object.entries(where).every(([column, value]) => row[column] === value))
    }
    const { callsOf, storage } = yield* scriptedStorage({
      read: (lookups: Lookups) =>
        Effect.andThen(given.reading?.(lookups) ?? Effect.void, () =>
          Object.fromEntries(
            Object.entries(lookups).map(([name, query]) => [name, query === null ? [] : find(query.from, query.where)])
          )
        ),
      list: ({ from, where }: Page<TableName>) => Effect.sync(() => find(from, where ?? {})),
      commit: () => {
        if (away-- > 0) return Effect.fail(new StorageUnavailable({ cause: "cut off" }))
        if (conflicts-- <= 0) return Effect.succeed(committed)
        present = given.meanwhile ?? present
        return Effect.succeed(CommitOutcome.Conflict({ lost: ["a row"] }))
      }
    })
    const sender = HttpSender.of({
      post: (request) =>
        Effect.gen(function* () {
          posted.push(request)
          yield* TestClock.adjust(2 * second)
          return given.result ?? { _tag: "Answered", status: 200, body: "ok" }
        }),
      refusal: () => null
    })
    const ports = Layer.mergeAll(
      Layer.succeed(Storage, storage),
      Layer.succeed(HttpSender, sender),
      given.secretBox ?? plainSecretBox,
      Layer.succeed(ApplicationMetrics, { attempted: (...count) => void counted.push(count), committed: null }),
      engineSettings({ publicUrl: given.publicUrl ?? null }),
      testIds
    )
    const handlers: SubscriptionHandlers.SubscriptionHandlers = new Map()
    if (given.subscriber !== undefined) handlers.set(endpoint.id, given.subscriber)
    const context = yield* Layer.build(
      Layer.provide(
        Layer.effect(Webhooks.Webhooks, Webhooks.make),
        Layer.provideMerge(
          Layer.merge(
            Layer.scoped(Decider.Decider, Decider.make),
            Layer.succeed(SubscriptionHandlers.SubscriptionHandlers, handlers)
          ),
          ports
        )
      )
    )
    const runs = yield* Context.get(context, Webhooks.Webhooks).deliver(given.jobs ?? [job])
    const all = yield* Effect.fork(Effect.all(runs, { discard: true }))
    if (given.away !== undefined) yield* Effect.zipRight(Effect.yieldNow(), TestClock.adjust(minute))
    yield* Fiber.join(all)
    const written = callsOf("commit")
      .slice(lost + (given.away ?? 0))
      .map(({ given }) => given[0] as Changes)
    const attempts = written.flatMap(({ inserts }) =>
      inserts.filter(({ table }) => table === "attempts").map(({ row }) => row as unknown as Attempt)
    )
    return { posted, written, attempts, callsOf, counted }
  })
const committed = CommitOutcome.Committed({ bumped: [] })
const settled = { jobId: job.id, epoch: 3, again: null }
/** The sum of the durations (`_sum`) or the number (`_count`) of the attempts with this outcome. */
const measured = (outcome: string, suffix: "_sum" | "_count"): number =>
  recorded("parley_webhook_attempt_duration_seconds")
    .flatMap(({ samples }) => samples)
    .filter(({ labels, ...sample }) => sample.suffix === suffix && labels.outcome === outcome)
    .reduce((sum, { value }) => sum + value, 0)

describe("a webhook", () => {
  it.scoped("is posted once if the storage is away when its attempt is to be recorded", () =>
    Effect.gen(function* () {
      const { attempts, posted, written } = yield* delivering({ away: 3 })
      expect(posted.length).toBe(1)
      expect(attempts).toMatchObject([{ number: 3, status: 200, durationMs: 2 * second }])
      expect(written.map(({ settle }) => settle)).toEqual([settled])
    })
  )
  it.scoped("whose attempt was recorded although the commit got no answer is recorded once", () =>
    Effect.gen(function* () {
      const after = { ...stored, attempts: { id: "recorded" } }
      const { attempts, posted, written } = yield* delivering({ away: 1, after, conflicts: 0 })
      expect([posted.length, attempts]).toEqual([1, []])
      expect(written.map(({ settle }) => settle)).toEqual([settled])
    })
  )
  it.scoped("of a subscription that this process does not handle goes to the lane of those that do", () =>
    Effect.gen(function* () {
      const rows = { ...stored, endpoints: { ...endpoint, url: subscriptionUrl("notes") } }
      const { attempts, posted, written } = yield* delivering({ rows })
      expect([posted, attempts]).toEqual([[], []])
      const again = { runAt: someTime, lane: "subscriptions", payload: { ...job.payload, settled: job.attempts } }
      expect(written.map(({ settle }) => settle)).toEqual([{ jobId: job.id, epoch: 3, again }])
    })
  )
  it.scoped("of a subscription whose last claim was never settled is a failed attempt, and retried", () =>
    Effect.gen(function* () {
      const rows = { ...stored, endpoints: { ...endpoint, url: subscriptionUrl("notes") } }
      const claimed = (attempts: number, more: Partial<typeof job> = {}) => ({
        ...job,
        lane: "subscriptions" as const,
        attempts,
        payload: { ...job.payload, settled: 2 },
        ...more
      })
      const { attempts, written } = yield* delivering({ rows, jobs: [claimed(4)] })
      expect(attempts).toMatchObject([{ number: 3, error: expect.stringContaining("its process ended") }])
      const [{ settle } = { settle: null }] = written
      expect(settle?.again).toMatchObject({ lane: "subscriptions", payload: { settled: 4 } })
      expect(settle?.again?.runAt).toBeGreaterThan(someTime)
      const failure = { lane: "subscriptions" as const, count: 1, since: someTime, error: "the database is away" }
      const others = [claimed(3), claimed(4, { failure }), claimed(4, { payload: job.payload })]
      expect((yield* delivering({ rows, jobs: others })).attempts).toEqual([])
    })
  )
  const subscription = { ...endpoint, url: subscriptionUrl("notes") }
  it.scoped("of a subscription is handed to the function of this process", () =>
    Effect.gen(function* () {
      const handled: Array<readonly [body: unknown, attempt: SubscriptionHandlers.SubscriptionAttempt]> = []
      const subscriber: SubscriptionHandlers.Subscriber = (body, attempt) =>
        Effect.sync(() => void handled.push([JSON.parse(body), attempt]))
      const { attempts, posted, written } = yield* delivering({
        rows: { ...stored, endpoints: subscription },
        subscriber
      })
      expect(posted).toEqual([])
      expect(handled).toMatchObject([
        [
          { id: event.id, type: event.type },
          { deliveryId: delivery.id, number: 3 }
        ]
      ])
      expect(attempts).toMatchObject([{ number: 3, status: null, error: null, answer: null }])
      expect(written).toMatchObject([{ sets: [{ values: { status: "delivered" } }], settle: settled }])
    })
  )
  it.scoped("of a subscription whose function fails is retried, with the begin of its failure", () =>
    Effect.gen(function* () {
      const { attempts, written } = yield* delivering({
        rows: { ...stored, endpoints: subscription },
        subscriber: () => Effect.fail(`broken${"!".repeat(600)}`)
      })
      expect(attempts).toMatchObject([{ status: null, error: `broken${"!".repeat(494)}`, answer: null }])
      expect(written).toMatchObject([{ sets: [{ values: { status: "pending" } }] }])
    })
  )
  it.scoped("of a subscription whose function fails while this process stops goes to another one", () =>
    Effect.gen(function* () {
      const { attempts, written } = yield* delivering({
        rows: { ...stored, endpoints: subscription },
        subscriber: () => Effect.fail(null)
      })
      expect(attempts).toEqual([])
      expect(written).toMatchObject([{ sets: [], settle: { again: { runAt: someTime, lane: "subscriptions" } } }])
    })
  )
  it.scoped("that is a test of a subscription succeeds without its function", () =>
    Effect.gen(function* () {
      const { attempts } = yield* delivering({
        rows: { ...stored, endpoints: subscription, events: { ...event, type: "webhook.test" } },
        subscriber: () => Effect.die("called")
      })
      expect(attempts).toMatchObject([{ status: null, error: null }])
    })
  )
  it.scoped("is posted to the URL of its own endpoint, beside others", () =>
    Effect.gen(function* () {
      const second = { ...endpoint, id: "01900000-0000-7000-8000-0000000000e2", url: "https://second.example/hooks" }
      const other = { ...delivery, id: "01900000-0000-7000-8000-0000000000f2", endpointId: second.id }
      const { posted } = yield* delivering({
        rows: { ...stored, endpoints: [endpoint, second], deliveries: [delivery, other] },
        jobs: [job, { ...job, id: other.id, reference: other.id, subject: second.id }]
      })
      expect(posted.map(({ url }) => url)).toEqual([endpoint.url, second.url])
    })
  )
  it.scoped("opens its endpoint's secret once, with the others of the endpoint", () =>
    Effect.gen(function* () {
      let opened = 0
      const counting = Layer.map(plainSecretBox, (context) => {
        const secretBox = Context.get(context, SecretBox)
        const open = (sealed: string) => {
          opened++
          return secretBox.open(sealed)
        }
        return Context.add(context, SecretBox, { ...secretBox, open })
      })
      const other = { ...job, id: "01900000-0000-7000-8000-0000000000f2" }
      const { posted } = yield* delivering({ secretBox: counting, jobs: [job, other] })
      expect([posted.length, opened]).toEqual([2, 1])
    })
  )
  it.scoped("is posted to its endpoint, signed with its secret, and the attempt is stored", () =>
    Effect.gen(function* () {
      const { attempts, posted, written } = yield* delivering()
      expect(posted).toMatchObject([
        {
          url: endpoint.url,
          headers: { "user-agent": "Parley-Webhooks/1.0", "x-event-id": event.id, "x-delivery-attempt": "3" }
        }
      ])
      expect(attempts).toEqual([
        {
          id: posted[0]?.headers["x-delivery-id"],
          workspaceId: delivery.workspaceId,
          deliveryId: delivery.id,
          endpointId: endpoint.id,
          number: 3,
          startedAt: someTime,
          durationMs: 2 * second,
          status: 200,
          error: null,
          answer: "ok"
        }
      ])
      expect(written).toMatchObject([{ sets: [{ values: { status: "delivered", attempts: 3 } }], settle: settled }])
    })
  )
  const readsOf = (given: Given) =>
    Effect.map(delivering(given), ({ callsOf }) =>
      callsOf("read").map(({ given }) => Object.values(given[0] as Lookups))
    )
  const deliveryRow = { from: "deliveries", where: { id: delivery.id } }
  const endpointRow = { from: "endpoints", where: { id: endpoint.id } }
  const rowsBefore = [
    deliveryRow,
    { from: "events", where: { id: event.id } },
    endpointRow,
    { from: "applications", where: { id: application.id } }
  ]
  it.scoped("reads all that it needs in one call", () =>
    Effect.gen(function* () {
      expect(yield* readsOf({})).toEqual([rowsBefore])
    })
  )
  it.scoped("is read together with the others of its claim, and attempted by itself", () =>
    Effect.gen(function* () {
      const other = { ...job, id: "01900000-0000-7000-8000-0000000000f2", epoch: 4 }
      const { callsOf, posted, written } = yield* delivering({ jobs: [job, other] })
      expect(callsOf("read")).toHaveLength(1)
      expect(posted).toHaveLength(2)
      expect(written.map(({ settle }) => settle?.jobId)).toEqual([job.id, other.id])
    })
  )
  it.scoped("reads its attempt, delivery and endpoint again after a conflict", () =>
    Effect.gen(function* () {
      const attemptRow = { from: "attempts", where: { id: expect.any(String) } }
      expect(yield* readsOf({ after: stored })).toEqual([rowsBefore, [attemptRow, deliveryRow, endpointRow]])
    })
  )
  it.scoped("without an answer is retried, with the reason in the attempt", () =>
    Effect.gen(function* () {
      const { attempts, written } = yield* delivering({ result: { _tag: "NotAnswered", error: "address not allowed" } })
      expect(attempts).toMatchObject([{ status: null, error: "address not allowed", answer: null }])
      expect(written[0]?.settle?.again?.lane).toBe("retries")
      expect(written[0]?.sets[0]?.values).toMatchObject({ status: "pending", round: 3 })
    })
  )
  it.scoped("counts its failure by the endpoint's failures after the attempt", () =>
    Effect.gen(function* () {
      const { written } = yield* delivering({
        result: { _tag: "Answered", status: 503, body: "" },
        after: { ...stored, endpoints: { ...endpoint, consecutiveFailures: 24 } }
      })
      expect(written[0]?.inserts.map(({ table }) => table)).toContain("notifications")
    })
  )
  it.scoped("that disables its endpoint names the endpoint's URL in clear text", () =>
    Effect.gen(function* () {
      const endpoints = { ...endpoint, url: `sealed ${endpoint.url}`, consecutiveFailures: 24 }
      const result: OutboundResult = { _tag: "Answered", status: 503, body: "" }
      const rows = { ...stored, endpoints }
      for (const given of [{ rows }, { rows, after: rows }]) {
        const { posted, written } = yield* delivering({ ...given, result })
        expect(posted[0]?.url).toBe(endpoint.url)
        expect(written[0]?.inserts).toContainEqual({
          table: "notifications",
          row: expect.objectContaining({ message: expect.stringContaining("https://shop.example") })
        })
      }
    })
  )
  it.scoped("fails without a retry if its endpoint was removed during the attempt", () =>
    Effect.gen(function* () {
      const { written } = yield* delivering({
        result: { _tag: "Answered", status: 503, body: "" },
        after: { ...stored, endpoints: undefined }
      })
      expect(written).toMatchObject([{ sets: [{ values: { status: "failed" } }], settle: settled }])
    })
  )
  it.scoped("is counted for its application, and for none if it is of the workspace", () =>
    Effect.gen(function* () {
      expect((yield* delivering()).counted).toEqual([[application.id, "accepted"]])
      const applicationId = delivery.workspaceId
      const rows = {
        ...stored,
        deliveries: { ...delivery, applicationId },
        endpoints: { ...endpoint, applicationId }
      }
      const { attempts, counted } = yield* delivering({ rows })
      expect([attempts.length, counted]).toEqual([1, []])
    })
  )
  it.scoped("that may not be attempted is not posted", () =>
    Effect.gen(function* () {
      const { posted, written } = yield* delivering({ rows: { ...stored, endpoints: undefined } })
      expect(posted).toEqual([])
      expect(written).toMatchObject([{ sets: [{ values: { status: "failed" } }], settle: settled }])
    })
  )
  it.scoped("that was erased during the attempt only settles its job", () =>
    Effect.gen(function* () {
      const { posted, written } = yield* delivering({ after: { ...stored, deliveries: undefined } })
      expect(posted).toHaveLength(1)
      expect(written).toMatchObject([{ sets: [], inserts: [], settle: settled }])
    })
  )
  it.scoped("waits a minute, uncounted, while its endpoint's secret cannot be read", () =>
    Effect.gen(function* () {
      const unreadable = Layer.map(plainSecretBox, (context) =>
        Context.add(context, SecretBox, {
          ...Context.get(context, SecretBox),
          open: () => new SecretUnreadable({ reason: "has no such key" })
        })
      )
      const { attempts, posted, written } = yield* delivering({ secretBox: unreadable })
      expect(posted).toEqual([])
      expect(attempts).toEqual([])
      expect(written).toMatchObject([
        {
          bumps: [],
          settle: {
            jobId: job.id,
            epoch: 3,
            again: {
              runAt: someTime + minute,
              lane: "retries",
              payload: job.payload,
              failure: {
                lane: job.lane,
                count: 0,
                since: someTime,
                error: "its endpoint's URL or signing secret has no such key"
              }
            }
          }
        }
      ])
    })
  )
  it.scoped("has links to the message's files at the public URL", () =>
    Effect.gen(function* () {
      const attachments = { ...event, data: `{"message":{"attachments":[{"id":"file"}]}}` }
      const { posted } = yield* delivering({
        rows: { ...stored, events: attachments },
        publicUrl: "https://parley.example"
      })
      expect(posted[0]?.body).toContain("https://parley.example/media/file?expires=")
    })
  )
  it.scoped("is measured in seconds by its outcome", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, OutboundResult]> = [
        ["accepted", { _tag: "Answered", status: 204, body: "" }],
        ["refused", { _tag: "Answered", status: 500, body: "" }],
        ["no_answer", { _tag: "NotAnswered", error: "timeout" }]
      ]
      for (const [outcome, result] of cases) {
        const [sum, count] = [measured(outcome, "_sum"), measured(outcome, "_count")]
        yield* delivering({ result })
        expect(measured(outcome, "_sum") - sum).toBeCloseTo(2)
        expect(measured(outcome, "_count") - count).toBe(1)
      }
    })
  )
})

describe("an ordered webhook", () => {
  const id = (kind: string, n: number) => `01900000-0000-7000-8000-0000000${kind}${n}`
  /** The delivery of the n-th event of a conversation. */
  const ordered = (n: number, orderState: OrderState, more: Partial<Delivery> = {}): Delivery =>
    aDelivery({
      id: id("0dd0", n),
      eventId: id("0ee0", n),
      endpointId: endpoint.id,
      orderKey: id("0cc0", 1),
      orderState,
      ...more
    })
  const [first, second] = [ordered(1, "open"), ordered(2, "open")]
  const jobOf = (of: Delivery) => ({
    ...job,
    id: of.id,
    reference: of.id,
    payload: { ...job.payload, eventId: of.eventId }
  })
  const among = (deliveries: ReadonlyArray<Delivery>, jobs: ReadonlyArray<unknown> = []) => ({
    ...stored,
    deliveries,
    jobs
  })
  const orderOf = ({ sets }: Changes) => sets.map(({ key, values }) => ({ ...key, ...values }))
  const attempted = (attempts: ReadonlyArray<Attempt>) => attempts.map(({ deliveryId }) => deliveryId)

  it.scoped("waits without an attempt while one before it is pending", () =>
    Effect.gen(function* () {
      const { attempts, written } = yield* delivering({ rows: among([first, second]), jobs: [jobOf(second)] })
      expect(attempts).toEqual([])
      expect(written.map(orderOf)).toEqual([
        [
          { id: second.id, orderState: "waiting" },
          { id: first.id, orderState: "followed" }
        ]
      ])
      expect(written[0]?.settle).toEqual({ ...settled, jobId: second.id })
    })
  )
  it.scoped("that waited is marked as followed before its attempt, whose end gives the next one a job", () =>
    Effect.gen(function* () {
      const rows = among([ordered(1, "waiting"), ordered(2, "waiting")])
      const { attempts, written } = yield* delivering({ rows, jobs: [jobOf(first)] })
      expect(attempted(attempts)).toEqual([first.id])
      expect(written).toMatchObject([
        { expects: [{ key: { id: first.id }, where: { version: 1 } }], settle: null },
        { expects: expect.arrayContaining([expect.objectContaining({ where: { version: 2 } })]) }
      ])
      expect(written.map(orderOf)).toMatchObject([
        [{ id: first.id, orderState: "followed" }],
        [
          { id: first.id, status: "delivered", orderState: null },
          { id: second.id, orderState: "followed" }
        ]
      ])
      expect(written[1]?.ensures).toMatchObject([{ table: "jobs", row: { id: second.id } }])
    })
  )
  it.scoped("gives a job to one that began to wait during its attempt", () =>
    Effect.gen(function* () {
      const rows = among([ordered(1, "followed")])
      const after = among([ordered(1, "followed"), ordered(2, "waiting")])
      const { written } = yield* delivering({ rows, after, jobs: [jobOf(first)] })
      expect(written[0]?.ensures).toMatchObject([{ table: "jobs", row: { id: second.id } }])
    })
  )
  it.scoped("is attempted if the one before it ends while it is about to wait", () =>
    Effect.gen(function* () {
      const ended = ordered(1, "open", { status: "delivered", orderKey: null, orderState: null })
      const { attempts, written } = yield* delivering({
        rows: among([first, second]),
        meanwhile: among([ended, second]),
        jobs: [jobOf(second)]
      })
      expect(attempted(attempts)).toEqual([second.id])
      expect(written).toHaveLength(1)
    })
  )
  const leasedUntil = (leaseUntil: number, of: Delivery) => ({ ...jobOf(of), leaseUntil })
  it.scoped("goes before a later one that is claimed with it", () =>
    Effect.gen(function* () {
      const both = [first, second]
      const leased = both.map((one) => leasedUntil(someTime + minute, one))
      const { attempts, written } = yield* delivering({ rows: among(both, leased), jobs: both.map(jobOf) })
      expect(attempted(attempts)).toEqual([first.id])
      expect(written.map(orderOf)).toContainEqual([
        { id: second.id, orderState: "waiting" },
        { id: first.id, orderState: "followed" }
      ])
    })
  )
  it.scoped("waits for a later one only as long as that is leased elsewhere", () =>
    Effect.gen(function* () {
      const beside = (leaseUntil: number) =>
        Effect.map(
          delivering({ rows: among([first, second], [leasedUntil(leaseUntil, second)]), jobs: [jobOf(first)] }),
          ({ attempts }) => attempted(attempts)
        )
      expect(yield* beside(someTime + 1)).toEqual([])
      expect(yield* beside(someTime)).toEqual([first.id])
    })
  )
  it.scoped("is claimed with one without order, and with one that was erased", () =>
    Effect.gen(function* () {
      const { attempts, written } = yield* delivering({
        rows: among([delivery, second]),
        jobs: [job, jobOf(first), jobOf(second)]
      })
      expect(attempted(attempts)).toEqual([delivery.id, second.id])
      expect(written).toContainEqual(expect.objectContaining({ sets: [], settle: { ...settled, jobId: first.id } }))
    })
  )
  it.scoped("reads its order together with the others of its claim", () =>
    Effect.gen(function* () {
      const both = yield* Deferred.make<void>()
      let reads = 0
      const reading = (lookups: Lookups) =>
        Effect.suspend(() => {
          if (!("open" in lookups)) return Effect.void
          return ++reads === 2 ? Deferred.succeed(both, undefined) : Deferred.await(both)
        })
      const { attempts } = yield* delivering({
        rows: among([first, second]),
        reading,
        jobs: [jobOf(first), jobOf(second)]
      })
      expect(attempted(attempts)).toEqual([first.id])
    })
  )
})
