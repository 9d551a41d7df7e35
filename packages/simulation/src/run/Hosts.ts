import type { Blobs } from "@parley/core"
import { Effect, Exit, Scope } from "effect"
import type { Chance } from "./Chance.js"
import type { Faults } from "./Faults.js"
import type { Serving } from "./Outside.js"
import type { Receivers } from "./Receivers.js"
import type { Recorder } from "./Recorder.js"
import type { SimulatedDatabase } from "./SimulatedDatabase.js"
import { makeProcess, type SimulatedProcess } from "./SimulatedProcess.js"
import { startEngine } from "./startEngine.js"
import type { Timeline } from "./Timeline.js"
import type { Vendor } from "./Vendor.js"

/** The hosts of a history. Each runs one process with an engine, and starts another one when it ends. */
export interface Hosts {
  /** The processes that answer requests. */
  readonly serving: () => ReadonlyArray<Serving>
  /** The newest process of a host, by its index modulo the number of hosts. */
  readonly processOf: (index: number) => SimulatedProcess | undefined
  /** Shuts a process down as SIGTERM does, and starts another one. */
  readonly shutDown: (index: number) => void
  /** Crashes all processes, and starts new ones soon: with right clocks, and without stalls. */
  readonly replaceAll: () => void
  readonly stallAll: (ms: number) => void
  readonly areServing: () => boolean
  /** The number of engines that were started so far. */
  readonly starts: () => number
}

interface Surroundings {
  readonly timeline: Timeline
  readonly recorder: Recorder
  readonly chance: Chance
  readonly faults: Faults
  readonly database: SimulatedDatabase
  readonly vendor: Vendor
  readonly receivers: Receivers
  readonly blobs: Blobs
}

const restartMs = [200, 2_000, 10_000] as const
const soonMs = 200
/** A host ends after this time at the latest (docs/reference/queue.md#shutdown). In ms. */
const maxShutdownMs = 12_000

/** Starts the hosts. `seed`: of the random numbers of their processes. */
export const startHosts = (count: number, seed: number, surroundings: Surroundings): Hosts => {
  const { blobs, chance, database, faults, receivers, recorder, timeline, vendor } = surroundings
  const serving = new Map<string, Serving>()
  const newest: Array<{ readonly process: SimulatedProcess; readonly scope: Scope.CloseableScope }> = []
  let starts = 0
  let restartsSoon = false

  const start = (index: number): void => {
    starts++
    const name = `host ${index + 1}.${starts}`
    const process = makeProcess(timeline, name, seed * 64 + starts)
    const scope = Effect.runSync(Scope.make())
    newest[index] = { process, scope }
    const { storage, wakeup } = database.connect(() => !faults.losesHint())
    process.onCrash(() => {
      serving.delete(name)
      recorder.record({ kind: "fault", text: `${name} crashes`, crashed: name })
      timeline.after(restartsSoon ? soonMs : chance.pick(restartMs), () => start(index))
    })
    const engine = startEngine(process, starts, {
      vendor,
      receivers,
      blobs,
      wakeup,
      storage: faults.storageOf(process, storage)
    })
    process.fork(Scope.extend(engine, scope)).addObserver((exit) => {
      if (Exit.isSuccess(exit)) serving.set(name, { process, interpreter: exit.value })
      else process.crash()
    })
  }
  for (let index = 0; index < count; index++) start(index)

  return {
    serving: () => [...serving.values()],
    processOf: (index) => newest[index % count]?.process,
    shutDown: (index) => {
      const host = newest[index % count]
      if (host === undefined) return
      const engine = serving.get(host.process.name)?.interpreter
      if (engine === undefined || !serving.delete(host.process.name)) return
      const { name } = host.process
      recorder.record({ kind: "fault", text: `${name} shuts down`, stops: name })
      host.process
        .fork(Effect.zipRight(engine.drained, Scope.close(host.scope, Exit.void)))
        .addObserver(() => host.process.crash())
      timeline.after(maxShutdownMs, () => {
        if (!host.process.isAlive()) return
        recorder.record({ kind: "fault", text: `${name} is killed: its shutdown takes too long`, killed: name })
        host.process.crash()
      })
    },
    replaceAll: () => {
      restartsSoon = true
      for (const { process } of newest) process.crash()
    },
    stallAll: (ms) => {
      for (const { process } of newest) process.stall(ms)
    },
    areServing: () => serving.size === count,
    starts: () => starts
  }
}
