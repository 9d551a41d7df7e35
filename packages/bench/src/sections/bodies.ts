import { setTimeout as sleep } from "node:timers/promises"
import { median } from "../measuring/compare.js"
import { singleRow, type TableRow } from "../measuring/table.js"
import { expensiveMails } from "../world/expensiveMails.js"
import { largeAdminBodies, largeBodies } from "../world/largeBodies.js"
import { apiKey } from "../world/seed.js"
import { mailConnectionId, mailSecret, seedSoak } from "../world/seedSoak.js"
import { buildHost } from "../world/standalone.js"
import type { Bench } from "./Bench.js"

const adminToken = "bodies-admin-token-0123456789abcdef"
const maxMailBytes = 30_000_000

interface Post {
  readonly name: string
  readonly path: string
  readonly body: string | Buffer
  readonly type?: string
  readonly token: string
}

const posts: ReadonlyArray<Post> = [
  ...largeBodies.map((one) => ({ ...one, token: apiKey })),
  ...largeAdminBodies.map((one) => ({ ...one, token: adminToken })),
  ...expensiveMails(maxMailBytes).map((one) => ({
    ...one,
    name: `a mail, ${one.name}`,
    path: `/inbound/${mailConnectionId}`,
    token: mailSecret
  }))
]

/** Posts a body; returns the longest time in ms that another connection waited for `GET /healthz` meanwhile. */
const maxWaitOf = async (origin: string, { body, path, token, type = "application/json" }: Post): Promise<number> => {
  let maxWaitMs = 0
  let isDone = false
  const ping = async () => {
    while (!isDone) {
      const start = performance.now()
      await (await fetch(`${origin}/healthz`)).arrayBuffer()
      maxWaitMs = Math.max(maxWaitMs, performance.now() - start)
    }
  }
  const pings = ping()
  await sleep(20)
  maxWaitMs = 0
  const answer = await fetch(`${origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": type, "idempotency-key": crypto.randomUUID() },
    body
  })
  await answer.arrayBuffer()
  isDone = true
  await pings
  // A mail that takes longer than 20 s is refused with 503, so that the service posts it again.
  if (![200, 201, 202, 400, 422, 503].includes(answer.status)) throw new Error(`${path} answered ${answer.status}`)
  return maxWaitMs
}

/** The longest time that a body at the limits keeps other requests waiting, on SQLite. */
export const bodiesSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  buildHost()
  const store = bench.stores.sqlite()
  await seedSoak(store, bench.webhookUrl, bench.webhookUrl)
  const host = await bench.startHost(store, { PARLEY_ADMIN_TOKEN: adminToken })
  const rows: Array<TableRow> = []
  for (const one of posts) {
    bench.progress(`bodies, ${one.name}`)
    const waits: Array<number> = []
    // The first ones run code that is not compiled yet.
    for (let round = -2; round < bench.rounds; round++) {
      const wait = await maxWaitOf(host.origin, one)
      if (round >= 0) waits.push(wait)
    }
    rows.push(
      singleRow(
        `Bodies, SQLite: ${one.name}`,
        `others wait ${median(waits).toFixed(0)} ms (${Math.min(...waits).toFixed(0)}–${Math.max(...waits).toFixed(0)})`
      )
    )
  }
  await host.stop()
  return rows
}
