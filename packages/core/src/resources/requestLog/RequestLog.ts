import { Clock, Context, Duration, Effect, Schedule } from "effect"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { requestLogLinesLost } from "../../kernel/metrics/engineMetrics.js"
import { minute } from "../../model/Instant.js"
import type { LoggedRequest } from "../../model/LoggedRequest.js"
import { changes, row } from "../../ports/Changes.js"
import { type CommitError, Storage } from "../../ports/Storage.js"
import { loggedPath } from "./loggedPath.js"

/**
 * The log of the applications' requests (docs/reference/administration.md#request-log). Lines are buffered in memory
 * and written in batches in the background. No request waits for the log or fails because of it. Lines may be lost; a
 * warning reports how many.
 */
export interface RequestLog {
  /** Buffers a line, which is written within about a second. Never waits and never fails. */
  readonly record: (line: LoggedRequest) => void
}
export const RequestLog = Context.GenericTag<RequestLog>("@parley/core/RequestLog")

/** Maximum number of buffered lines. Further lines are dropped while the storage is unavailable. */
export const maxWaitingLines = 10_000

/** Maximum number of lines in one commit. */
export const linesPerBatch = 500

/** Maximum stored length of a method, in UTF-16 units: in-process callers may pass any text. */
const maxMethodLength = 16
const gathering = Duration.seconds(1)
/** How long the last writes may take when the scope closes. */
const closing = Duration.seconds(2)
const retries = Schedule.exponential(Duration.seconds(1)).pipe(Schedule.union(Schedule.spaced(Duration.seconds(30))))

const buffered = Effect.gen(function* () {
  const storage = yield* Storage
  const waiting: Array<LoggedRequest> = []
  const some = yield* Effect.makeLatch(false)
  const enough = yield* Effect.makeLatch(false)
  let dropped = 0
  let unreported = 0
  let silentUntil = 0

  /** Counts dropped lines, and logs their number at most once a minute. */
  const reportDropped = Effect.gen(function* () {
    if (dropped > 0) requestLogLinesLost(dropped)
    unreported += dropped
    dropped = 0
    const now = yield* Clock.currentTimeMillis
    if (unreported === 0 || now < silentUntil) return
    silentUntil = now + minute
    yield* Effect.logWarning(`The request log lost ${unreported} lines: the storage did not take them in time.`)
    unreported = 0
  })

  /**
   * Writes the oldest lines. They stay in the buffer until they are committed; `ensures` ignore lines that exist
   * already.
   */
  const writeBatch: Effect.Effect<void, CommitError> = Effect.suspend(() => {
    const batch = waiting.slice(0, linesPerBatch)
    const [first] = batch
    if (first === undefined) return Effect.void
    return Effect.map(keep(batch, first.workspaceId), () => void waiting.splice(0, batch.length))
  })

  /**
   * One commit for the lines of all workspaces; the workspace of the commit only decides its place in the queue. If the
   * storage rejects a line, each line is committed alone.
   */
  const keep = (lines: ReadonlyArray<LoggedRequest>, workspaceId: string): Effect.Effect<void, CommitError> => {
    const ensures = lines.map((line) => row("requestLog", line))
    return Effect.catchTag(
      Effect.asVoid(storage.commit(changes(workspaceId, { ensures }))),
      "ChangesRejected",
      ({ cause }) => {
        if (lines.length > 1) return Effect.forEach(lines, (line) => keep([line], line.workspaceId), { discard: true })
        dropped += 1
        return Effect.logError("The request log has a line that the storage refuses.", cause)
      }
    )
  }

  const write = writeBatch.pipe(
    Effect.repeat({ while: () => waiting.length >= linesPerBatch }),
    Effect.ensuring(reportDropped),
    Effect.retry(retries)
  )

  const round = Effect.gen(function* () {
    // No timer runs while no request arrives.
    yield* some.await
    yield* Effect.timeoutOption(enough.await, gathering)
    yield* some.close
    yield* enough.close
    yield* write
    if (waiting.length > 0) yield* some.open
  })

  const close = writeBatch.pipe(
    Effect.repeat({ while: () => waiting.length > 0 }),
    Effect.disconnect,
    Effect.interruptible,
    Effect.timeout(closing),
    Effect.ignore,
    Effect.zipRight(
      Effect.suspend(() => {
        dropped += waiting.length
        silentUntil = 0
        return reportDropped
      })
    )
  )

  yield* Effect.addFinalizer(() => close)
  yield* Effect.forkScoped(Effect.forever(round))

  return RequestLog.of({
    record: (line) => {
      if (waiting.length >= maxWaitingLines) {
        dropped += 1
        return
      }
      waiting.push({ ...line, method: line.method.slice(0, maxMethodLength), path: loggedPath(line.path) })
      if (waiting.length === 1) some.unsafeOpen()
      else if (waiting.length === linesPerBatch) enough.unsafeOpen()
    }
  })
})

/** Discards all lines: the setting `requestLog` is off. */
const silent: RequestLog = { record: () => {} }

/** Request log for the lifetime of the scope. Closing the scope writes the buffered lines. */
export const make = Effect.flatMap(EngineSettings, ({ requestLog }) => (requestLog ? buffered : Effect.succeed(silent)))
