import { describe, expect, it, layer as withLayer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aLoggedRequest, aWorkspace } from "@parley/testkit/rows"
import { Clock, Effect, Exit, Layer, Logger, Ref, Scope, TestClock } from "effect"
import { layer as engineSettings } from "../../../src/kernel/EngineSettings.js"
import { recorded } from "../../../src/kernel/metrics/recorded.js"
import { type Changes, changes, row } from "../../../src/ports/Changes.js"
import {
  ChangesRejected,
  type CommitError,
  CommitOutcome,
  Storage,
  StorageUnavailable
} from "../../../src/ports/Storage.js"
import { linesPerBatch, make, maxWaitingLines, RequestLog } from "../../../src/resources/requestLog/RequestLog.js"
import { eventually } from "../../harness.js"

const requestLog = Layer.scoped(RequestLog, make)

const idOf = (number: number) => `0190a1b2-0000-7000-8000-${String(number).padStart(12, "0")}`
/** Id of a line that the storage always rejects. */
const oddId = idOf(666_666)
const line = (number: number) => aLoggedRequest({ id: idOf(number) })
const lines = (count: number, from = 0) => Array.from({ length: count }, (_, index) => line(from + index))

/** A log over a scripted storage; `written`: the ids of each commit, `reported`: the warnings. */
const scripted = Effect.gen(function* () {
  const answer = yield* Ref.make<Effect.Effect<CommitOutcome, CommitError>>(
    Effect.succeed(CommitOutcome.Committed({ bumped: [] }))
  )
  const tried: Array<ReadonlyArray<string>> = []
  const written: Array<ReadonlyArray<string>> = []
  const reported: Array<string> = []
  const commit = ({ ensures }: Changes) =>
    Effect.gen(function* () {
      const ids = ensures.map(({ row }) => (row as { readonly id: string }).id)
      tried.push(ids)
      if (ids.includes(oddId)) return yield* new ChangesRejected({ cause: "too odd" })
      const outcome = yield* Effect.flatten(Ref.get(answer))
      written.push(ids)
      return outcome
    })
  const scope = yield* Scope.make()
  const logging = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void reported.push(String(message)))
  )
  const context = yield* Layer.buildWithScope(
    requestLog.pipe(
      Layer.provide(Layer.mock(Storage, { commit })),
      Layer.provide(engineSettings()),
      Layer.provideMerge(logging)
    ),
    scope
  )
  const { record } = yield* Effect.provide(RequestLog, context)
  return { answer, tried, written, reported, scope, record }
})

const down = Effect.fail(new StorageUnavailable({ cause: new Error("down") }))
const up = Effect.succeed(CommitOutcome.Committed({ bumped: [] }))
const lost = Effect.sync(() => recorded("parley_request_log_lines_lost_total")[0]?.samples[0]?.value ?? 0)

describe("the request log", () => {
  it.scoped("commits the lines of one second together", () =>
    Effect.gen(function* () {
      const { record, written } = yield* scripted
      for (const one of lines(3)) record(one)
      yield* TestClock.adjust(900)
      record(line(3))
      expect(written).toEqual([])
      yield* TestClock.adjust(100)
      expect(written).toEqual([[0, 1, 2, 3].map(idOf)])
      record(line(4))
      yield* TestClock.adjust(1_000)
      expect(written.slice(1)).toEqual([[idOf(4)]])
    })
  )

  it.scoped("does nothing without requests", () =>
    Effect.gen(function* () {
      const { record, tried } = yield* scripted
      record(line(0))
      yield* TestClock.adjust("1 second")
      expect(yield* TestClock.sleeps()).toHaveLength(0)
      yield* TestClock.adjust("1 day")
      expect(tried).toHaveLength(1)
    })
  )

  it.scoped("writes a full batch at once, and never more in one commit", () =>
    Effect.gen(function* () {
      const { record, written } = yield* scripted
      for (const one of lines(2 * linesPerBatch + 1)) record(one)
      yield* TestClock.adjust(0)
      expect(written.map(({ length }) => length)).toEqual([linesPerBatch, linesPerBatch])
      yield* TestClock.adjust("1 second")
      expect(written.flat()).toEqual(lines(2 * linesPerBatch + 1).map(({ id }) => id))
    })
  )

  it.scoped("keeps its lines while the storage is unavailable", () =>
    Effect.gen(function* () {
      const { answer, record, reported, tried, written } = yield* scripted
      yield* Ref.set(answer, down)
      for (const one of lines(600)) record(one)
      yield* TestClock.adjust("10 minutes")
      expect(tried.length).toBeGreaterThan(10)
      expect(tried.length).toBeLessThan(30)
      yield* Ref.set(answer, up)
      yield* TestClock.adjust("30 seconds")
      expect(written.flat()).toEqual(lines(600).map(({ id }) => id))
      expect(reported).toEqual([])
    })
  )

  it.scoped("drops lines beyond its limit and reports their number at most once a minute", () =>
    Effect.gen(function* () {
      const before = yield* lost
      const { answer, record, reported, written } = yield* scripted
      yield* Ref.set(answer, down)
      for (const one of lines(maxWaitingLines + 7)) record(one)
      yield* TestClock.adjust("2 seconds")
      expect(reported).toEqual(["The request log lost 7 lines: the storage did not take them in time."])
      for (const one of lines(5, 20_000)) record(one)
      yield* TestClock.adjust("40 seconds")
      expect(reported).toHaveLength(1)
      expect((yield* lost) - before).toBe(12)
      yield* TestClock.adjust("30 seconds")
      expect(reported.slice(1)).toEqual(["The request log lost 5 lines: the storage did not take them in time."])
      yield* Ref.set(answer, up)
      yield* TestClock.adjust("1 minute")
      expect(written.flat()).toEqual(lines(maxWaitingLines).map(({ id }) => id))
      record(line(30_000))
      yield* TestClock.adjust("1 second")
      expect(written.at(-1)).toEqual([idOf(30_000)])
    })
  )

  it.scoped("loses only the line that the storage rejects", () =>
    Effect.gen(function* () {
      const { record, written } = yield* scripted
      for (const one of [line(1), line(666_666), line(2)]) record(one)
      yield* TestClock.adjust("1 second")
      expect(written).toEqual([[idOf(1)], [idOf(2)]])
      record(line(3))
      yield* TestClock.adjust("1 second")
      expect(written.at(-1)).toEqual([idOf(3)])
    })
  )

  it.scoped("writes buffered lines when it closes", () =>
    Effect.gen(function* () {
      const { record, scope, written } = yield* scripted
      for (const one of lines(linesPerBatch + 100)) record(one)
      yield* Scope.close(scope, Exit.void)
      expect(written.flat()).toEqual(lines(linesPerBatch + 100).map(({ id }) => id))
    })
  )

  it.scoped("closes within its limit if the storage hangs, and reports the lost lines", () =>
    Effect.gen(function* () {
      const { answer, record, scope, reported } = yield* scripted
      yield* Ref.set(answer, Effect.never)
      for (const one of lines(3)) record(one)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("2 seconds")
      yield* closing.await
      expect(reported).toEqual(["The request log lost 3 lines: the storage did not take them in time."])
    })
  )

  it.scoped("writes nothing if it is turned off", () =>
    Effect.gen(function* () {
      const commit = () => Effect.dieMessage("nothing may be written")
      const off = requestLog.pipe(
        Layer.provide(Layer.mock(Storage, { commit })),
        Layer.provide(engineSettings({ requestLog: false }))
      )
      const { record } = yield* Effect.provide(RequestLog, yield* Layer.build(off))
      record(line(0))
      yield* TestClock.adjust("1 minute")
    })
  )
})

for (const [name, storage] of databases) {
  withLayer(requestLog.pipe(Layer.provideMerge(Layer.merge(storage, engineSettings()))), { excludeTestServices: true })(
    `the request log on ${name}`,
    (it) => {
      it.effect("stores lines of several workspaces once each", () =>
        Effect.gen(function* () {
          const { commit, list } = yield* Storage
          const { record } = yield* RequestLog
          const [one, other] = [idOf(1), idOf(2)]
          const createdAt = yield* Clock.currentTimeMillis
          const made = [
            aLoggedRequest({ id: idOf(11), workspaceId: one, path: "/api/v1/messages", durationMs: 7, createdAt }),
            aLoggedRequest({ id: idOf(12), workspaceId: other, status: 429, errorCode: "rate_limited", createdAt })
          ]
          yield* commit(
            changes(one, {
              inserts: [row("workspaces", aWorkspace({ id: one }))],
              ensures: made.slice(0, 1).map((line) => row("requestLog", line))
            })
          )
          for (const line of [...made, ...made]) record(line)
          const all = list({ from: "requestLog", where: {}, after: null, limit: 10 })
          const kept = yield* eventually(all, ({ length }) => length > 1)
          expect(kept).toEqual([...made].reverse())
        })
      )
    }
  )
}
