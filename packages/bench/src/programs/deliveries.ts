import { setTimeout as sleep } from "node:timers/promises"
import { type Changes, changes, Decider, Engine, row, Storage } from "@parley/core"
import { Effect, Either, Layer, ManagedRuntime } from "effect"
import { countedSince, countedSoFar, countStatements } from "../measuring/countStatements.js"
import { type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { endpointsAt, waitingDeliveries } from "../world/deliveries.js"
import { idleEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { type Seed, seed, workspaceId } from "../world/seed.js"
import { writeWaiting } from "../world/writeWaiting.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface DeliveriesSetting {
  readonly store: Store
  readonly seed: Seed
  /** One URL per endpoint. */
  readonly urls: ReadonlyArray<string>
}

/**
 * Delivers a number of waiting deliveries; or creates deliveries at a rate, one per commit, while the worker runs. The
 * commits are those of this engine, which starts their jobs, or are as from another host, so that the worker claims
 * their jobs.
 */
export type DeliveriesOrder =
  | { readonly waiting: number }
  | { readonly perSecond: number; readonly seconds: number; readonly committedBy: "engine" | "another host" }

/** The result of an order; `statements`: per delivery, without those that created a waiting delivery. */
export interface Delivered extends RoundResult {
  readonly statements: number
}

/** Time in ms after a worker's start that is not measured: a host that runs is. */
const workerStartMs = 1_000

const setting = settingOf<DeliveriesSetting>()
await seed(setting.store, setting.seed)
countStatements()
const runtime = ManagedRuntime.make(idleEngineOn(setting.store))
const storage = await runtime.runPromise(Storage)
const { decideAndCommit } = await runtime.runPromise(Decider)
const endpoints = endpointsAt(setting.urls)
const endpointIds = endpoints.map(({ id }) => id)
await runtime.runPromise(
  storage.commit(changes(workspaceId, { inserts: endpoints.map((endpoint) => row("endpoints", endpoint)) }))
)

const untilWorkedOff: Effect.Effect<void, unknown> = Effect.suspend(() =>
  Effect.flatMap(storage.list({ from: "jobs", where: { lane: "deliveries" }, after: null, limit: 1 }), (jobs) =>
    jobs.length === 0 ? Effect.void : Effect.delay(untilWorkedOff, 50)
  )
)

/** While a worker runs. */
const working = <A, E>(count: number, work: Effect.Effect<A, E>) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* Layer.build(Engine.worker)
      const [cpu, start, before] = [process.cpuUsage(), performance.now(), countedSoFar()]
      yield* work
      const elapsedMs = performance.now() - start
      const { system, user } = process.cpuUsage(cpu)
      const round: Delivered = {
        ...rateOf(count, elapsedMs, user + system),
        statements: countedSince(before, count).statements
      }
      return round
    })
  )

const drain = (count: number) =>
  Effect.zipRight(writeWaiting(storage, endpointIds, count), working(count, untilWorkedOff))

const commitBy = {
  engine: (changes: Changes) => decideAndCommit(Effect.void, () => Either.right({ changes, result: undefined })),
  "another host": storage.commit
}

const make = async (perSecond: number, seconds: number, committedBy: keyof typeof commitBy): Promise<void> => {
  const start = performance.now()
  const commits: Array<Promise<unknown>> = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = start + (n * 1_000) / perSecond - performance.now()
    if (wait > 1) await sleep(wait)
    const endpointId = endpointIds[n % endpointIds.length] as string
    const created = waitingDeliveries([endpointId], 1, Date.now())
    commits.push(runtime.runPromise<unknown, unknown>(commitBy[committedBy](created)))
  }
  await Promise.all(commits)
}

answerOrders<DeliveriesOrder>((order) =>
  runtime.runPromise(
    "waiting" in order
      ? drain(order.waiting)
      : working(
          order.perSecond * order.seconds,
          Effect.zipRight(
            Effect.promise(async () => {
              await sleep(workerStartMs)
              await make(order.perSecond, order.seconds, order.committedBy)
            }),
            untilWorkedOff
          )
        )
  )
)
