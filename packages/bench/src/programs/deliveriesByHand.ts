import { randomUUID } from "node:crypto"
import { changes, row, Storage, signature } from "@parley/core"
import { Effect } from "effect"
import { Agent } from "undici"
import { type Claimed, claimOne, finishOne } from "../floor/deliverByHand.js"
import { onPostgres } from "../floor/onPostgres.js"
import { onSqlite } from "../floor/onSqlite.js"
import { callers, type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { endpointsAt, signingSecret } from "../world/deliveries.js"
import { storageOf } from "../world/Store.js"
import { seed, workspaceId } from "../world/seed.js"
import { writeWaiting } from "../world/writeWaiting.js"
import { answerOrders, settingOf } from "./answerOrders.js"
import type { DeliveriesSetting } from "./deliveries.js"

/** Delivers a number of waiting deliveries. */
export interface ByHandOrder {
  readonly waiting: number
}

const { seed: given, store, urls } = settingOf<DeliveriesSetting>()
await seed(store, given)
const endpoints = endpointsAt(urls)
const inTransaction = store.kind === "postgres" ? onPostgres(store.url) : onSqlite(store.file)
const skipping = store.kind === "postgres" ? " FOR UPDATE SKIP LOCKED" : ""
const agent = new Agent()

const prepare = (count: number): Promise<void> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* storage.commit(changes(workspaceId, { ensures: endpoints.map((endpoint) => row("endpoints", endpoint)) }))
    yield* writeWaiting(
      storage,
      endpoints.map(({ id }) => id),
      count
    )
  }).pipe(Effect.provide(storageOf(store)), Effect.runPromise)

const post = async ({ data, eventId, type, url }: Claimed): Promise<number> => {
  const seconds = Math.floor(Date.now() / 1_000)
  const written = typeof data === "string" ? data : JSON.stringify(data)
  const text = `{"id":"${eventId}","type":"${type}","created_at":"${new Date().toISOString()}","data":${written}}`
  const { body, statusCode } = await agent.request({
    origin: new URL(url).origin,
    path: new URL(url).pathname,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-webhook-id": eventId,
      "x-webhook-timestamp": `${seconds}`,
      "x-webhook-signature": signature(signingSecret, seconds, text)
    },
    body: text
  })
  await body.dump()
  return statusCode
}

const loop = async (): Promise<void> => {
  for (;;) {
    const claimed = await claimOne(inTransaction, skipping)
    if (claimed === null) return
    const startedAt = Date.now()
    const status = await post(claimed)
    await finishOne(inTransaction, claimed, { id: randomUUID(), workspaceId, startedAt, status })
  }
}

answerOrders<ByHandOrder>(async ({ waiting }): Promise<RoundResult> => {
  await prepare(waiting)
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await Promise.all(Array.from({ length: callers }, loop))
  const elapsedMs = performance.now() - start
  const { system, user } = process.cpuUsage(cpu)
  return rateOf(waiting, elapsedMs, user + system)
})
