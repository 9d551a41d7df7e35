import { randomUUID } from "node:crypto"
import { SandboxProvider } from "@parley/channel-sandbox"
import { createParley } from "@parley/host"
import Pg from "pg"
import { type RoundResult, rateOf } from "../measuring/RoundResult.js"
import type { Store } from "../world/Store.js"
import { applicationId, type Seed, secretKeyText, seed } from "../world/seed.js"
import { renderedBody } from "../world/traffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** What a transaction writes beside an order: an enqueued message, or a bare row with the same payload. */
export interface EnqueueSetting {
  readonly store: Store & { readonly kind: "postgres" }
  readonly seed: Seed
  readonly writes: "enqueued" | "row"
}

/** Callers on connections of their own, each of which runs transactions one after another. */
export interface EnqueueOrder {
  readonly seconds: number
  readonly callers: number
}

const { seed: given, store, writes } = settingOf<EnqueueSetting>()
await seed(store, given)
const parley = await createParley({
  storage: { url: store.url },
  channels: [SandboxProvider],
  secretKey: secretKeyText,
  worker: false
})
const clients: Array<Pg.Client> = []
const clientAt = async (index: number): Promise<Pg.Client> => {
  const known = clients[index]
  if (known !== undefined) return known
  const client = new Pg.Client(store.url)
  clients[index] = client
  await client.connect()
  return client
}
const first = await clientAt(0)
await first.query("CREATE TABLE orders (id uuid PRIMARY KEY)")
await first.query("CREATE TABLE outbox (id uuid PRIMARY KEY, payload json NOT NULL, created_at timestamptz NOT NULL)")

const send = { channel: "whatsapp", to: "+15550001234", type: "text" as const, message: { body: renderedBody } }

const write = async (client: Pg.Client): Promise<void> => {
  if (writes === "row") {
    const row = [randomUUID(), JSON.stringify({ kind: "send", key: randomUUID(), body: send }), new Date()]
    await client.query("INSERT INTO outbox (id, payload, created_at) VALUES ($1, $2, $3)", row)
    return
  }
  await parley.enqueue(client, { application: applicationId, send, idempotencyKey: randomUUID() })
}

answerOrders<EnqueueOrder>(async ({ callers, seconds }): Promise<RoundResult> => {
  const used = await Promise.all(Array.from({ length: callers }, (_, index) => clientAt(index)))
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  let count = 0
  const call = async (client: Pg.Client): Promise<void> => {
    while (performance.now() - start < seconds * 1_000) {
      await client.query("BEGIN")
      await client.query("INSERT INTO orders (id) VALUES ($1)", [randomUUID()])
      await write(client)
      await client.query("COMMIT")
      count++
    }
  }
  await Promise.all(used.map(call))
  const { system, user } = process.cpuUsage(cpu)
  return rateOf(count, performance.now() - start, user + system)
})
