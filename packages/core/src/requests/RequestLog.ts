import { Clock, Context, Duration, Effect, Layer, Schedule } from "effect"
import { EngineSettings } from "../EngineSettings.js"
import { minute } from "../Instant.js"
import { requestLogLinesLost } from "../metrics/engineMetrics.js"
import { changes, row } from "../ports/Changes.js"
import { type CommitError, Storage } from "../ports/Storage.js"
import type { LoggedRequest } from "./LoggedRequest.js"
import { loggedPath } from "./loggedPath.js"

/**
 * What applications asked and what came of it (decisions.md §14): kept in memory for a moment, and written behind the
 * requests' back. No request waits for it or fails because of it; it may lose lines, and then says how many.
 */
export interface RequestLog {
  /** Takes a line, which is written within about a second. Never waits and never fails. */
  readonly record: (line: LoggedRequest) => void
}
export const RequestLog = Context.GenericTag<RequestLog>("@parley/core/RequestLog")

/** How many lines wait to be written at most; while the storage takes none, further ones are dropped. */
export const mostWaiting = 10_000

/** How many lines are written at once. */
export const linesPerBatch = 500

/** How many characters of a method are kept: callers in process may make up their own. */
const mostOfMethod = 16
const gathering = Duration.seconds(1)
/** How long what is left may take once the log is closed. */
const closing = Duration.seconds(2)
const retries = Schedule.exponential(Duration.seconds(1)).pipe(Schedule.union(Schedule.spaced(Duration.seconds(30))))

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const waiting: Array<LoggedRequest> = []
  const some = yield* Effect.makeLatch(false)
  const enough = yield* Effect.makeLatch(false)
  let dropped = 0
  let untold = 0
  let silentUntil = 0

  /** Counts what was dropped, and tells of it at most once a minute. */
  const tellDropped = Effect.gen(function* () {
    if (dropped > 0) requestLogLinesLost(dropped)
    untold += dropped
    dropped = 0
    const now = yield* Clock.currentTimeMillis
    if (untold === 0 || now < silentUntil) return
    silentUntil = now + minute
    yield* Effect.logWarning(`The request log lost ${untold} lines: the storage did not take them in time.`)
    untold = 0
  })

  /** The oldest lines. They wait on until they are written; what has been written already stays as it is. */
  const writeBatch: Effect.Effect<void, CommitError> = Effect.suspend(() => {
    const batch = waiting.slice(0, linesPerBatch)
    const [first] = batch
    if (first === undefined) return Effect.void
    return Effect.map(keep(batch, first.workspaceId), () => void waiting.splice(0, batch.length))
  })

  /** One commit for the lines of all workspaces; whose turn it takes does not matter. A line that is refused goes alone. */
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
    Effect.ensuring(tellDropped),
    Effect.retry(retries)
  )

  const round = Effect.gen(function* () {
    // Nothing happens while nobody calls.
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
        return tellDropped
      })
    )
  )

  yield* Effect.addFinalizer(() => close)
  yield* Effect.forkScoped(Effect.forever(round))

  return RequestLog.of({
    record: (line) => {
      if (waiting.length >= mostWaiting) {
        dropped += 1
        return
      }
      waiting.push({ ...line, method: line.method.slice(0, mostOfMethod), path: loggedPath(line.path) })
      if (waiting.length === 1) some.unsafeOpen()
      else if (waiting.length === linesPerBatch) enough.unsafeOpen()
    }
  })
})

/** Takes lines and keeps none, where the setting `requestLog` is off. */
const silent: RequestLog = { record: () => {} }

/** The log, for as long as its scope lives; when that ends it writes what it has. */
export const layer: Layer.Layer<RequestLog, never, Storage | EngineSettings> = Layer.scoped(
  RequestLog,
  Effect.flatMap(EngineSettings, ({ requestLog }) => (requestLog ? make : Effect.succeed(silent)))
)
