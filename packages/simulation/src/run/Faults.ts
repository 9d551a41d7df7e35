import { CommitUncertain, type Storage, StorageUnavailable } from "@parley/core"
import { Effect } from "effect"
import type { Chance } from "./Chance.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"
import type { Timeline } from "./Timeline.js"

/** The ports of an engine at which a process can crash. */
export type Port = "storage" | "provider" | "webhook"

/** A call in which a process can stall: of a method of the storage, or of another port. */
export type StallCall = keyof Storage | Exclude<Port, "storage">

/** Probabilities (0 to 1) with which hints are lost, sent twice, or late. What is left over: they are sent. */
export interface HintFaults {
  readonly lost: number
  readonly doubled: number
  readonly late: number
}

export const noHintFaults: HintFaults = { lost: 0, doubled: 0, late: 0 }

/** The faults that wait for the next call of a process to a port. */
export interface Faults {
  /** Crashes the process at its next call to a port: before it takes effect, or after. */
  readonly crashAtNextCall: (process: string, port: Port, when: "before" | "after") => void
  /** Stalls the process that makes this call next: of the storage before its effect, else while it is under way. */
  readonly stallAtNextCall: (call: StallCall, stall: (process: SimulatedProcess) => void) => void
  /** The next commit of the process gets no answer. `applied`: whether it took effect. */
  readonly loseNextCommit: (process: string, applied: boolean) => void
  /**
   * The next `count` calls of the process to this method of the storage fail without an effect, as with a broken
   * connection. `onFailure` is called at each.
   */
  readonly failNextCalls: (process: string, call: keyof Storage, count: number, onFailure: () => void) => void
  /** The database is unreachable for `ms`. */
  readonly takeStorageAway: (ms: number) => void
  /** Calls take up to `ms` longer from now on. */
  readonly slowDown: (ms: number) => void
  /** What happens to hints of due jobs from now on. */
  readonly setHintFaults: (faults: HintFaults) => void
  /** Sends a hint of a process: never, twice, or later, if a fault of hints says so. */
  readonly disturbHint: (process: SimulatedProcess, hint: Effect.Effect<void>) => Effect.Effect<void>
  /** Ends all faults that are active or waiting. */
  readonly end: () => void
  /** Runs a call to a port with the crash that waits for it. */
  readonly crashingAt: <A, E>(process: SimulatedProcess, port: Port, call: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** The storage as a process sees it. */
  readonly storageOf: (process: SimulatedProcess, storage: Storage) => Storage
  /** The number of calls of all processes to the storage. */
  readonly storageCalls: () => number
}

/** Waits for ever. `Effect.never` would keep the Node process alive. */
const stopped = Effect.async<never>(() => {})

const failureKey = (process: string, method: string) => `${process} ${method}`

const maxLatencyMs = 4
const maxHintDelayMs = 10_000

export const makeFaults = (timeline: Timeline, chance: Chance): Faults => {
  const crashes = new Map<string, { readonly port: Port; readonly when: "before" | "after" }>()
  const lostCommits = new Map<string, boolean>()
  const stalls = new Map<string, (process: SimulatedProcess) => void>()
  /** By process and method. */
  const failures = new Map<string, { left: number; readonly onFailure: () => void }>()
  let storageAwayUntil = 0
  let slowMs = 0
  let hints = noHintFaults
  let storageCalls = 0

  const latency = () => chance.between(0, maxLatencyMs) + (slowMs === 0 ? 0 : chance.between(0, slowMs))

  const crashesNow = (process: SimulatedProcess, port: Port, when: "before" | "after"): boolean => {
    const crash = crashes.get(process.name)
    if (crash?.port !== port || crash.when !== when) return false
    crashes.delete(process.name)
    process.crash()
    return true
  }

  const crashingAt = <A, E>(process: SimulatedProcess, port: Port, call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (crashesNow(process, port, "before")) return stopped
      stallNow(process, port)
      return Effect.flatMap(Effect.exit(call), (exit) => (crashesNow(process, port, "after") ? stopped : exit))
    })

  /** Runs a call to the storage with its latency and the crash that waits for it. */
  const through = <A, E>(process: SimulatedProcess, call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    crashingAt(
      process,
      "storage",
      Effect.suspend(() => Effect.zipRight(process.pass(latency()), call))
    ).pipe(
      Effect.exit,
      Effect.flatMap((exit) => Effect.zipRight(process.pass(latency()), exit))
    )

  const stallNow = (process: SimulatedProcess, method: string): void => {
    const stall = stalls.get(method)
    if (stall === undefined) return
    stalls.delete(method)
    stall(process)
  }

  const unavailable = (message: string) => Effect.fail(new StorageUnavailable({ cause: new Error(message) }))

  const failsNow = (process: SimulatedProcess, method: string): boolean => {
    const key = failureKey(process.name, method)
    const failure = failures.get(key)
    if (failure === undefined) return false
    failure.left--
    if (failure.left === 0) failures.delete(key)
    failure.onFailure()
    return true
  }

  const reachable = <A, E>(
    process: SimulatedProcess,
    method: string,
    call: Effect.Effect<A, E>
  ): Effect.Effect<A, E | StorageUnavailable> =>
    Effect.suspend(() => {
      storageCalls++
      if (timeline.now() < storageAwayUntil) return unavailable("The simulated database is away")
      if (failsNow(process, method)) return unavailable("The simulated connection is broken")
      return call as Effect.Effect<A, E | StorageUnavailable>
    })

  const storageOf = (process: SimulatedProcess, storage: Storage): Storage => {
    const commit: Storage["commit"] = (changes) =>
      Effect.suspend(() => {
        const applied = lostCommits.get(process.name)
        if (applied === undefined) return storage.commit(changes)
        lostCommits.delete(process.name)
        const lost = new CommitUncertain({ cause: new Error("The connection was lost in COMMIT") })
        return applied ? Effect.zipRight(storage.commit(changes), Effect.fail(lost)) : Effect.fail(lost)
      })
    const wrapped = Object.entries(storage).map(([name, method]) => {
      const real = name === "commit" ? commit : method
      if (Effect.isEffect(real)) {
        const ready = through(process, reachable(process, name, real as Effect.Effect<unknown, unknown>))
        return [
          name,
          Effect.zipRight(
            Effect.sync(() => stallNow(process, name)),
            ready
          )
        ]
      }
      const call = real as (...given: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>
      return [
        name,
        (...given: ReadonlyArray<unknown>) => {
          stallNow(process, name)
          const called = Effect.suspend(() => call(...given))
          return Effect.uninterruptible(through(process, reachable(process, name, called)))
        }
      ]
    })
    return Object.fromEntries(wrapped) as Storage
  }

  return {
    crashAtNextCall: (process, port, when) => void crashes.set(process, { port, when }),
    stallAtNextCall: (method, stall) => void stalls.set(method, stall),
    loseNextCommit: (process, applied) => void lostCommits.set(process, applied),
    failNextCalls: (process, call, count, onFailure) =>
      void failures.set(failureKey(process, call), { left: count, onFailure }),
    takeStorageAway: (ms) => {
      storageAwayUntil = timeline.now() + ms
    },
    slowDown: (ms) => {
      slowMs = ms
    },
    setHintFaults: (faults) => {
      hints = faults
    },
    disturbHint: (process, hint) =>
      Effect.suspend(() => {
        if (hints === noHintFaults) return hint
        let left = chance.between(0, 999) / 1_000
        const is = (probability: number) => {
          left -= probability
          return left < 0
        }
        if (is(hints.lost)) return Effect.void
        if (is(hints.doubled)) return Effect.zipRight(hint, hint)
        if (!is(hints.late)) return hint
        const late = Effect.zipRight(process.pass(chance.between(1, maxHintDelayMs)), hint)
        return Effect.asVoid(Effect.forkDaemon(late))
      }),
    end: () => {
      crashes.clear()
      stalls.clear()
      lostCommits.clear()
      failures.clear()
      storageAwayUntil = 0
      slowMs = 0
      hints = noHintFaults
    },
    crashingAt,
    storageOf,
    storageCalls: () => storageCalls
  }
}
