import { setTimeout as sleep } from "node:timers/promises"
import { changes, engineSettings, newJob, row, Storage } from "@parley/core"
import { Dispatcher, DispatcherHooks, Handlers, Worker } from "@parley/core/internals"
import { UuidIds } from "@parley/node"
import { Effect, Layer, ManagedRuntime } from "effect"
import { postgresCpu } from "../measuring/postgresCpu.js"
import { type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { type Store, storageOf } from "../world/Store.js"
import { seed, workspaceId } from "../world/seed.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface JobsSetting {
  readonly store: Store & { readonly kind: "postgres" }
}

/** Adds jobs that do nothing, then works them off. */
export interface JobsOrder {
  readonly jobs: number
}

/** The part of working off; `server`: the CPU of Postgres for each job, in µs. */
export interface WorkedOff extends RoundResult {
  readonly server: number | null
}

/** Jobs of one commit, and the number of subjects of which they are. */
const [portion, subjects] = [500, 20]
const lane = "deliveries"

const { store } = settingOf<JobsSetting>()
await seed(store, { verdictWaitMs: 0, webhookUrl: "http://127.0.0.1/" })
const serverCpu = await postgresCpu(store.url)
const ids = UuidIds.make()
const subjectIds = Array.from({ length: subjects }, () => ids.next(Date.now()))
let done = 0

/** Does nothing but settle the job. */
const handlers = Layer.effect(
  Handlers.Handlers,
  Effect.map(Storage, (storage) => {
    const handle = Handlers.each(({ epoch, id }) =>
      Effect.map(storage.commit(changes(workspaceId, { settle: { jobId: id, epoch, again: null } })), () => {
        done++
      })
    )
    return new Proxy({} as Handlers.Handlers, { get: () => handle })
  })
)
const queue = Layer.scoped(Dispatcher.Dispatcher, Dispatcher.make).pipe(
  Layer.provide(handlers),
  Layer.provideMerge(Layer.effect(Storage, DispatcherHooks.hookedCommits)),
  Layer.provideMerge(Layer.effect(DispatcherHooks.DispatcherHooks, DispatcherHooks.make)),
  Layer.provideMerge(Layer.mergeAll(storageOf(store), UuidIds.layer, engineSettings(), Layer.setTracerEnabled(false)))
)
const runtime = ManagedRuntime.make(queue)
const storage = await runtime.runPromise(Storage)

const addJobs = (count: number) => {
  const now = Date.now()
  const job = (n: number) => {
    const id = ids.next(now)
    const subject = subjectIds[n % subjects] as string
    return row(
      "jobs",
      newJob({ id, workspaceId, lane, subject, reference: id, payload: { n }, runAt: now, createdAt: now })
    )
  }
  return Effect.forEach(
    Array.from({ length: Math.ceil(count / portion) }, (_, n) => Math.min(portion, count - n * portion)),
    (size) => storage.commit(changes(workspaceId, { inserts: Array.from({ length: size }, (_, n) => job(n)) })),
    { discard: true }
  )
}

const workOff = (count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      done = 0
      const [cpu, server, start] = [process.cpuUsage(), serverCpu(), performance.now()]
      yield* Layer.build(Worker.layer([lane]))
      yield* Effect.promise(async () => {
        while (done < count) await sleep(5)
      })
      return workedOff(count, start, cpu, server)
    })
  )

const workedOff = (count: number, start: number, cpu: NodeJS.CpuUsage, before: number | null): WorkedOff => {
  const elapsedMs = performance.now() - start
  const { system, user } = process.cpuUsage(cpu)
  const after = serverCpu()
  return {
    ...rateOf(count, elapsedMs, user + system),
    server: before === null || after === null ? null : (after - before) / count
  }
}

answerOrders<JobsOrder>(({ jobs }) => runtime.runPromise(Effect.zipRight(addJobs(jobs), workOff(jobs))))
