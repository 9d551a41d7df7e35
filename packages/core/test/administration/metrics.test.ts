import { describe, expect, it, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Ref, TestClock } from "effect"
import { databaseFamilies, metrics, queueDepthsTtlMs, queueFamilies } from "../../src/administration/metrics.js"
import type { Family } from "../../src/kernel/metrics/Family.js"
import { recorded } from "../../src/kernel/metrics/recorded.js"
import type { OutboundResult } from "../../src/ports/HttpSender.js"
import { type QueueDepth, Storage, StorageUnavailable } from "../../src/ports/Storage.js"
import { deliverDue, deliveriesDue, desk } from "../flows/webhooks/desk.js"
import { eventually, newTenant, Receiver, send } from "../harness.js"

/** The value of a series; 0 if it does not exist. */
const reading = (families: ReadonlyArray<Family>, name: string, labels: object, suffix = ""): number =>
  families
    .find((family) => family.name === name)
    ?.samples.find(
      (sample) =>
        sample.suffix === suffix && Object.entries(labels).every(([key, value]) => sample.labels[key] === value)
    )?.value ?? 0

/**
 * The increase of a series during `work`. The registry is shared by the process, so that absolute values mean nothing.
 */
const risen = <A, E, R>(name: string, labels: object, suffix: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = reading(recorded("parley_"), name, labels, suffix)
    yield* work
    return reading(recorded("parley_"), name, labels, suffix) - before
  })

describe("queue metrics", () => {
  const depth: QueueDepth = { lane: "sends", due: 3, leased: 2, waiting: 1, oldestDueAt: 4_500 }

  it("have jobs by state and the age of the oldest due job", () => {
    const families = queueFamilies([depth, { ...depth, lane: "retries", oldestDueAt: null }], 10_000)
    const jobs = (["due", "leased", "waiting"] as const).map((state) =>
      reading(families, "parley_queue_jobs", { lane: "sends", state })
    )
    expect(jobs).toEqual([3, 2, 1])
    const ages = families[1]?.samples.map(({ labels, value }) => [labels.lane, value])
    expect(ages).toEqual([
      ["sends", 5.5],
      ["retries", 0]
    ])
  })

  it("say whether the search is indexed if the database reports it", () => {
    const indexed = (searchIsIndexed: boolean) =>
      reading(databaseFamilies({ clock: 7, searchIsIndexed }), "parley_database_search_indexed", {})
    expect([indexed(true), indexed(false)]).toEqual([1, 0])
  })

  it("have the age of the oldest transaction if the database reports it", () => {
    expect(databaseFamilies({ clock: 7 })).toEqual([])
    const families = databaseFamilies({ clock: 7, oldestTransactionMs: 1_500 })
    expect(reading(families, "parley_database_oldest_transaction_seconds", {})).toBe(1.5)
    expect(families).toHaveLength(1)
  })

  /** Metrics over a storage with this result, and the number of its calls. */
  const requests = (answer: ReturnType<Storage["queueDepths"]>) =>
    Effect.gen(function* () {
      const times = yield* Ref.make(0)
      const queueDepths = () =>
        Effect.zipRight(
          Ref.update(times, (n) => n + 1),
          answer
        )
      const read = yield* Effect.provideService(metrics, Storage, {
        queueDepths,
        check: Effect.succeed({ clock: 0 })
      } as unknown as Storage)
      return { read, times: Ref.get(times) }
    })

  it.effect("query the storage once in five seconds for any number of readers", () =>
    Effect.gen(function* () {
      const { read, times } = yield* requests(Effect.succeed([depth]))
      yield* Effect.all(
        Array.from({ length: 20 }, () => read),
        { concurrency: "unbounded" }
      )
      yield* TestClock.adjust(queueDepthsTtlMs - 1)
      yield* read
      expect(yield* times).toBe(1)
      yield* TestClock.adjust(1)
      expect(reading(yield* read, "parley_queue_jobs", { state: "due" })).toBe(3)
      expect(yield* times).toBe(2)
    })
  )

  it.effect("are absent while the storage fails or hangs; other metrics remain", () =>
    Effect.gen(function* () {
      const names = (families: ReadonlyArray<Family>) => families.map(({ name }) => name)
      const failing = yield* requests(Effect.fail(new StorageUnavailable({ cause: "gone" })))
      expect(names(yield* failing.read)).toEqual(names(recorded("parley_")))
      const silent = yield* requests(Effect.never)
      const read = yield* Effect.fork(silent.read)
      yield* TestClock.adjust(2_000)
      expect(names(yield* read)).toEqual(names(recorded("parley_")))
    })
  )
})

for (const [name, storage] of databases) {
  layer(desk(storage), { excludeTestServices: true })(`metrics on ${name}`, (it) => {
    it.effect("count commits by outcome, and batch sizes", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const sending = send(tenant, "+4915112345678", "metrics-1")
        expect(yield* risen("parley_commits_total", { outcome: "committed" }, "", sending)).toBeGreaterThan(0)
        const more = send(tenant, "+4915112345678", "metrics-2")
        expect(yield* risen("parley_commit_batch_size", {}, "_count", more)).toBeGreaterThan(0)
      })
    )

    it.effect("count webhook attempts by outcome", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { answer } = yield* Receiver
        const outcomes: ReadonlyArray<readonly [string, OutboundResult]> = [
          ["accepted", { _tag: "Answered", status: 204, body: "" }],
          ["refused", { _tag: "Answered", status: 302, body: "" }],
          ["no_answer", { _tag: "NotAnswered", error: "connection refused" }]
        ]
        for (const [outcome, result] of outcomes) {
          yield* Ref.set(answer, () => Effect.succeed(result))
          yield* deliveriesDue(tenant, 2)
          const rise = risen("parley_webhook_attempt_duration_seconds", { outcome }, "_count", deliverDue(tenant))
          expect([outcome, yield* rise]).toEqual([outcome, 2])
        }
      })
    )

    it.effect("count sends by channel and verdict", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const labels = { channel: "whatsapp", verdict: "accepted" }
        const sent = Effect.sync(() => reading(recorded("parley_"), "parley_send_duration_seconds", labels, "_count"))
        const before = yield* sent
        yield* send(tenant, "+4915112345679", "metrics-3")
        expect(yield* eventually(sent, (count) => count > before)).toBe(before + 1)
      })
    )
  })
}
