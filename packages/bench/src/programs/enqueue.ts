import { randomUUID } from "node:crypto"
import { Enqueued } from "@parley/core"
import { enqueueStatement } from "@parley/postgres"
import { ManagedRuntime } from "effect"
import Pg from "pg"
import { type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { idleEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { applicationId, type Seed, seed } from "../world/seed.js"
import { renderedBody } from "../world/traffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** What a transaction writes beside an order: an enqueued message, or a bare row with the same payload. */
export interface EnqueueSetting {
  readonly store: Store & { readonly kind: "postgres" }
  readonly seed: Seed
  readonly writes: "enqueued" | "row"
}

/** Runs transactions one after another. */
export interface EnqueueOrder {
  readonly seconds: number
}

const { seed: given, store, writes } = settingOf<EnqueueSetting>()
await seed(store, given)
const runtime = ManagedRuntime.make(idleEngineOn(store))
const { prepare } = await runtime.runPromise(Enqueued)
const client = new Pg.Client(store.url)
await client.connect()
await client.query("CREATE TABLE orders (id uuid PRIMARY KEY)")
await client.query("CREATE TABLE outbox (id uuid PRIMARY KEY, payload json NOT NULL, created_at timestamptz NOT NULL)")

const body = { channel: "whatsapp", to: "+15550001234", type: "text", message: { body: renderedBody } }

const write = async (): Promise<void> => {
  if (writes === "row") {
    const row = [randomUUID(), JSON.stringify({ kind: "send", key: randomUUID(), body }), new Date()]
    await client.query("INSERT INTO outbox (id, payload, created_at) VALUES ($1, $2, $3)", row)
    return
  }
  const request = { kind: "send" as const, key: randomUUID(), body }
  const job = await runtime.runPromise(prepare(applicationId, request, null))
  const { text, values } = enqueueStatement(job)
  await client.query(text, values)
}

answerOrders<EnqueueOrder>(async ({ seconds }): Promise<RoundResult> => {
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  let count = 0
  for (; performance.now() - start < seconds * 1_000; count++) {
    await client.query("BEGIN")
    await client.query("INSERT INTO orders (id) VALUES ($1)", [randomUUID()])
    await write()
    await client.query("COMMIT")
  }
  const { system, user } = process.cpuUsage(cpu)
  return rateOf(count, performance.now() - start, user + system)
})
