import type { Blobs } from "@parley/core"
import { Effect, ExecutionStrategy, Exit, Scope } from "effect"
import type { Chance } from "./Chance.js"
import type { Faults } from "./Faults.js"
import type { Serving } from "./Outside.js"
import type { Receivers } from "./Receivers.js"
import type { Recorder } from "./Recorder.js"
import type { SimulatedDatabase } from "./SimulatedDatabase.js"
import { makeProcess, type SimulatedProcess } from "./SimulatedProcess.js"
import { type PlannedSubscription, type Subscribers, urlOf } from "./Subscribers.js"
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
  /** Whether all processes answer requests and handle the subscriptions of their hosts. */
  readonly areServing: () => boolean
  /** Lets the processes of a host, by its index modulo the number of hosts, handle a subscription from now on. */
  readonly subscribe: (index: number, subscription: PlannedSubscription) => void
  /** The processes of a host handle a subscription no longer. */
  readonly unsubscribe: (index: number, subscription: PlannedSubscription) => void
  /** The ids of the endpoints of all subscriptions that were ever stored. */
  readonly subscriptionIds: () => ReadonlyArray<string>
  /** Whether a host handles the subscription with this endpoint. */
  readonly handles: (endpointId: string) => boolean
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
  readonly subscribers: Subscribers
  readonly blobs: Blobs
}

/** A subscription that a process handles. */
interface Handled {
  readonly process: SimulatedProcess
  readonly scope: Scope.CloseableScope
  isStored: boolean
}

/** A host's subscriptions: those that its processes are to handle, and those that its present one handles, by URL. */
interface HostSubscriptions {
  readonly wanted: Map<string, PlannedSubscription>
  readonly handled: Map<string, Handled>
}

/** How long a process waits before it tries to subscribe again, in ms, and how often it tries. */
const subscribeAgainMs = 1_000
const maxSubscribeTries = 60

const restartMs = [200, 2_000, 10_000] as const
const soonMs = 200
/** A host ends after this time at the latest (docs/reference/queue.md#shutdown). In ms. */
const maxShutdownMs = 12_000

/** Starts the hosts. `seed`: of the random numbers of their processes. */
export const startHosts = (count: number, seed: number, surroundings: Surroundings): Hosts => {
  const { blobs, chance, database, faults, receivers, recorder, subscribers, timeline, vendor } = surroundings
  const serving = new Map<string, Serving>()
  const newest: Array<{ readonly process: SimulatedProcess; readonly scope: Scope.CloseableScope }> = []
  const begin = timeline.now()
  const subscriptions = Array.from(
    { length: count },
    (): HostSubscriptions => ({ wanted: new Map(), handled: new Map() })
  )
  const subscriptionIds = new Map<string, string>()
  let starts = 0
  let restartsSoon = false

  /** Ends the subscription of a process. */
  const end = (index: number, url: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const handled = subscriptions[index]?.handled.get(url)
      if (handled === undefined) return Effect.void
      subscriptions[index]?.handled.delete(url)
      return Effect.map(Scope.close(handled.scope, Exit.void), () =>
        recorder.record({ kind: "unsubscribe", process: handled.process.name, url })
      )
    })

  /** Subscribes in the present process of a host, until it works or was refused too often. */
  const subscribe = (index: number, url: string, tries = 1): void => {
    const { handled, wanted } = subscriptions[index] as HostSubscriptions
    const host = newest[index]
    const engine = host === undefined ? undefined : serving.get(host.process.name)?.interpreter
    const subscription = wanted.get(url)
    if (host === undefined || engine === undefined || subscription === undefined || handled.has(url)) return
    const { application, concurrency, events, fromBegin, name, ordered, workspaceId } = subscription
    const { process } = host
    const since = fromBegin ? begin : null
    recorder.record({
      kind: "subscribe",
      process: process.name,
      url,
      ownerId: workspaceId ?? application.id,
      ofWorkspace: workspaceId !== null,
      events,
      since,
      concurrency,
      ordered
    })
    const scope = Effect.runSync(Scope.fork(host.scope, ExecutionStrategy.sequential))
    const mine: Handled = { process, scope, isStored: false }
    handled.set(url, mine)
    const isStopping = () => !serving.has(process.name)
    const subscribed = engine.subscribe({
      owner: workspaceId === null ? { applicationId: application.id } : { workspaceId },
      name,
      events: events.length === 0 ? ["*"] : events,
      since,
      ordered: ordered ? "conversation" : null,
      concurrency,
      subscriber: subscribers.subscriberOf(process, url, isStopping)
    })
    process.fork(Scope.extend(subscribed, scope)).addObserver((exit) => {
      if (handled.get(url) !== mine) return
      if (Exit.isSuccess(exit)) {
        mine.isStored = true
        subscriptionIds.set(url, exit.value.id)
        recorder.record({ kind: "subscribed", process: process.name, url, endpointId: exit.value.id })
        return
      }
      process.fork(end(index, url)).addObserver(() => {
        if (tries === maxSubscribeTries) return void wanted.delete(url)
        process.loop.setTimer(() => subscribe(index, url, tries + 1), subscribeAgainMs)
      })
    })
  }

  const start = (index: number): void => {
    starts++
    const name = `host ${index + 1}.${starts}`
    const process = makeProcess(timeline, name, seed * 64 + starts)
    const scope = Effect.runSync(Scope.make())
    newest[index] = { process, scope }
    const { storage, wakeup } = database.connect((hint) => faults.disturbHint(process, hint))
    process.onCrash(() => {
      serving.delete(name)
      for (const [url, handled] of subscriptions[index]?.handled ?? []) {
        if (handled.process === process) subscriptions[index]?.handled.delete(url)
      }
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
      if (Exit.isFailure(exit)) return process.crash()
      serving.set(name, { process, interpreter: exit.value, commit: storage.commit })
      for (const url of subscriptions[index]?.wanted.keys() ?? []) subscribe(index, url)
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
    areServing: () =>
      serving.size === count &&
      subscriptions.every(({ handled, wanted }) => [...wanted.keys()].every((url) => handled.get(url)?.isStored)),
    subscribe: (index, subscription) => {
      const url = urlOf(subscription)
      subscriptions[index % count]?.wanted.set(url, subscription)
      subscribe(index % count, url)
    },
    unsubscribe: (index, subscription) => {
      const url = urlOf(subscription)
      subscriptions[index % count]?.wanted.delete(url)
      newest[index % count]?.process.fork(end(index % count, url))
    },
    subscriptionIds: () => [...subscriptionIds.values()],
    handles: (endpointId) =>
      subscriptions.some(({ wanted }) => [...wanted.keys()].some((url) => subscriptionIds.get(url) === endpointId)),
    starts: () => starts
  }
}
