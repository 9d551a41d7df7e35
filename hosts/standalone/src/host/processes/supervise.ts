import cluster, { type Worker } from "node:cluster"
import type { Family } from "@parley/core"
import type { Settings } from "@parley/host-settings"
import { Clock, Data, Deferred, Duration, Effect, Runtime } from "effect"
import { stopTimeoutMs } from "../untilStopped.js"
import { mergedMetrics, type ProcessFamilies, remaining } from "./mergedMetrics.js"
import type { ToChild, ToParent } from "./messages.js"

/** The first process of a host ended before it served. It has printed the reason. */
export class ProcessNotStarted extends Data.TaggedError("ProcessNotStarted")<{ readonly ending: string }> {
  override get message(): string {
    return `The first process ${this.ending} before it was ready; its output says why`
  }
}

/** The delay before an ended process is started again, in ms: doubled with each end, until one ran for a minute. */
const firstDelayMs = 1_000
const maxDelayMs = 30_000
const steadyMs = 60_000
/** How long `/metrics` waits for a process, in ms. After that, its last known metrics are shown. */
const metricsTimeoutMs = 1_000
/** Added to the time in which a process ends by itself after a stop signal, in ms. Then it is killed. */
const killMs = 3_000

interface Child {
  readonly number: number
  readonly worker: Worker
  families: ReadonlyArray<Family>
  /** Called with an answer, by the id of the request. */
  readonly answers: Map<number, () => void>
}

const endingOf = (code: number | null, signal: string | null): string =>
  signal === null ? `ended with code ${code}` : `was ended by ${signal}`

/**
 * Runs the present command in several processes, which share its ports. The first one starts alone, because it may have
 * to migrate the database or create keys. A process that ends is started again. When this is interrupted, all of them
 * are stopped by the signal that this process received.
 */
export const supervise = ({
  processes,
  shutdownDelay
}: Pick<Settings, "processes" | "shutdownDelay">): Effect.Effect<never, ProcessNotStarted> =>
  Effect.gen(function* () {
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const firstStarted = yield* Deferred.make<void>()
    const children = new Map<number, Child>()
    let ended: ProcessFamilies = { number: 0, families: [] }
    let requests = 0
    let signal: NodeJS.Signals = "SIGINT"
    process.once("SIGTERM", () => {
      signal = "SIGTERM"
    })

    const sendTo = ({ worker }: Child, message: ToChild): void => {
      // A process that is about to end has no channel any more, or one that breaks now.
      if (worker.isConnected()) worker.send(message, () => {})
    }

    const requestMetrics = (child: Child): Effect.Effect<ProcessFamilies> =>
      Effect.async<void>((resume) => {
        const id = ++requests
        child.answers.set(id, () => resume(Effect.void))
        sendTo(child, { parley: "request own metrics", id })
        return Effect.sync(() => child.answers.delete(id))
      }).pipe(
        Effect.timeoutOption(Duration.millis(metricsTimeoutMs)),
        Effect.map(() => ({ number: child.number, families: child.families }))
      )

    const receive = (child: Child, message: ToParent): void => {
      switch (message.parley) {
        case "started":
          runFork(
            Effect.zipRight(
              Effect.logInfo(`process ${child.number} of ${processes} is ready (pid ${child.worker.process.pid})`),
              Deferred.succeed(firstStarted, undefined)
            )
          )
          return
        case "own metrics":
          child.families = message.families
          child.answers.get(message.id)?.()
          child.answers.delete(message.id)
          return
        case "request metrics":
          runFork(
            Effect.map(Effect.forEach([...children.values()], requestMetrics, { concurrency: "unbounded" }), (all) =>
              sendTo(child, { parley: "metrics", id: message.id, families: mergedMetrics([...all, ended]) })
            )
          )
      }
    }

    /** Waits for its end. */
    const stop = (worker: Worker): Effect.Effect<void> =>
      Effect.async<void>((resume) => {
        if (worker.isDead()) return resume(Effect.void)
        worker.once("exit", () => resume(Effect.void))
        worker.process.kill(signal)
      }).pipe(
        Effect.interruptible,
        Effect.timeoutTo({
          duration: Duration.millis(shutdownDelay * 1_000 + stopTimeoutMs + killMs),
          onSuccess: () => undefined,
          onTimeout: () => worker.process.kill("SIGKILL")
        })
      )

    /** Starts a process and waits for its end. */
    const run = (number: number): Effect.Effect<string> =>
      Effect.async((resume) => {
        const worker = cluster.fork()
        const child: Child = { number, worker, families: [], answers: new Map() }
        children.set(worker.id, child)
        worker.on("message", (message: ToParent) => receive(child, message))
        // Without a listener, it would end this process.
        worker.on("error", (error) => {
          const isStarted = worker.process.pid !== undefined
          runFork(
            Effect.logError(
              `process ${number} ${isStarted ? "has a broken channel" : "cannot start"}: ${error.message}`
            )
          )
          if (!isStarted) resume(Effect.succeed("could not be started"))
        })
        worker.once("exit", (code, signal) => {
          children.delete(worker.id)
          ended = { number: 0, families: mergedMetrics([ended, { number, families: remaining(child.families) }]) }
          resume(Effect.succeed(endingOf(code, signal)))
        })
        return stop(worker)
      })

    const keepRunning = (number: number): Effect.Effect<never, ProcessNotStarted> =>
      Effect.gen(function* () {
        let delayMs = firstDelayMs
        while (true) {
          const startedAt = yield* Clock.currentTimeMillis
          const ending = yield* run(number)
          if (!(yield* Deferred.isDone(firstStarted))) return yield* new ProcessNotStarted({ ending })
          if ((yield* Clock.currentTimeMillis) - startedAt >= steadyMs) delayMs = firstDelayMs
          yield* Effect.logError(`process ${number} ${ending}; it starts again in ${delayMs / 1_000} s`)
          yield* Effect.sleep(Duration.millis(delayMs))
          delayMs = Math.min(maxDelayMs, delayMs * 2)
        }
      })

    const others = Array.from({ length: processes - 1 }, (_, i) => i + 2)
    return yield* Effect.zipRight(
      Effect.all(
        [
          keepRunning(1),
          Effect.zipRight(
            Deferred.await(firstStarted),
            Effect.forEach(others, keepRunning, { concurrency: "unbounded", discard: true })
          )
        ],
        { concurrency: "unbounded", discard: true }
      ),
      Effect.never
    )
  })
