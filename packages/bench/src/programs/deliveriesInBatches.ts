import { randomUUID } from "node:crypto"
import { changes, row, Storage, signature } from "@parley/core"
import { Effect } from "effect"
import { Agent } from "undici"
import type { AttemptedDelivery, BatchQueue, LeasedDelivery } from "../floor/BatchQueue.js"
import { batchQueueOnPostgres } from "../floor/batchQueueOnPostgres.js"
import { batchQueueOnSqlite } from "../floor/batchQueueOnSqlite.js"
import { postWebhook } from "../floor/postWebhook.js"
import { callers, type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { endpointsAt, signingSecret } from "../world/deliveries.js"
import { storageOf } from "../world/Store.js"
import { seed } from "../world/seed.js"
import { writeWaiting } from "../world/writeWaiting.js"
import { answerOrders, settingOf } from "./answerOrders.js"
import type { DeliveriesSetting } from "./deliveries.js"
import type { ByHandOrder } from "./deliveriesByHand.js"

const { seed: given, store, urls } = settingOf<DeliveriesSetting>()
await seed(store, given)
const endpoints = endpointsAt(urls)
await Effect.gen(function* () {
  const storage = yield* Storage
  const workspaceId = endpoints[0]?.workspaceId as string
  yield* storage.commit(changes(workspaceId, { inserts: endpoints.map((endpoint) => row("endpoints", endpoint)) }))
}).pipe(Effect.provide(storageOf(store)), Effect.runPromise)
const queue: BatchQueue =
  store.kind === "postgres" ? await batchQueueOnPostgres(store.url) : batchQueueOnSqlite(store.file)
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
/** Deliveries of one lease statement. */
const leaseLimit = 256

const prepare = (count: number): Promise<void> =>
  Effect.flatMap(Storage, (storage) =>
    writeWaiting(
      storage,
      endpoints.map(({ id }) => id),
      count
    )
  ).pipe(Effect.provide(storageOf(store)), Effect.runPromise)

/** Posts a delivery, signed as the engine does, and reads its response. */
const post = (delivery: LeasedDelivery, attemptId: string, onEnd: (status: number) => void): void => {
  const { createdAt, data, eventId, externalReference, type } = delivery
  const seconds = Math.floor(Date.now() / 1_000)
  const head = {
    id: eventId,
    type,
    created_at: new Date(createdAt).toISOString(),
    external_reference: externalReference
  }
  const body = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
  const headers = {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1.0",
    "x-webhook-id": eventId,
    "x-webhook-timestamp": `${seconds}`,
    "x-webhook-signature": signature(signingSecret, seconds, body),
    "x-delivery-attempt": "1",
    "x-event-id": eventId,
    "x-event-type": type,
    "x-event-timestamp": `${seconds}`,
    "x-delivery-id": attemptId
  }
  postWebhook(agent, { url: delivery.url, body, headers }, onEnd)
}

/** Delivers a number of deliveries: {@link callers} posts at once, with one lease and one record in flight each. */
const deliverAll = (count: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const waiting: Array<LeasedDelivery> = []
    let attempted: Array<AttemptedDelivery> = []
    let [posting, recorded] = [0, 0]
    let [isLeasing, isRecording] = [false, false]

    const lease = () => {
      if (isLeasing || waiting.length > callers) return
      isLeasing = true
      queue.lease(leaseLimit).then((leased) => {
        isLeasing = leased.length === 0
        waiting.push(...leased)
        proceed()
      }, reject)
    }
    const record = () => {
      if (isRecording || attempted.length === 0) return
      isRecording = true
      const batch = attempted
      attempted = []
      queue.finish(batch).then(() => {
        isRecording = false
        recorded += batch.length
        if (recorded >= count) return resolve()
        record()
      }, reject)
    }
    const proceed = () => {
      while (posting < callers && waiting.length > 0) {
        const delivery = waiting.shift() as LeasedDelivery
        const [attemptId, startedAt] = [randomUUID(), Date.now()]
        posting++
        post(delivery, attemptId, (status) => {
          posting--
          attempted.push({ delivery, attemptId, status, startedAt, endedAt: Date.now() })
          setImmediate(record)
          proceed()
        })
      }
      lease()
    }
    proceed()
  })

answerOrders<ByHandOrder>(async ({ waiting }): Promise<RoundResult> => {
  await prepare(waiting)
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await deliverAll(waiting)
  const elapsedMs = performance.now() - start
  const { system, user } = process.cpuUsage(cpu)
  return rateOf(waiting, elapsedMs, user + system)
})
