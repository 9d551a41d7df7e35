import { randomUUID } from "node:crypto"
import { Pool } from "undici"
import { callers, forSeconds, measure, times } from "../measuring/Round.js"
import { apiKey } from "../world/seed.js"
import { bodyOf, type Handles, handleNumbers, handleOf } from "../world/traffic.js"
import { answerOrders } from "./answerOrders.js"

/** Posts messages for so long, or so many. */
export interface ClientOrder {
  readonly origin: string
  readonly handles: Handles
  readonly until: { readonly seconds: number } | { readonly count: number }
}

const next = handleNumbers()
const pools = new Map<string, Pool>()

const poolOf = (origin: string): Pool => {
  let pool = pools.get(origin)
  if (pool === undefined) {
    pool = new Pool(origin, { connections: callers, pipelining: 1 })
    pools.set(origin, pool)
  }
  return pool
}

const post = async (origin: string, handles: Handles): Promise<void> => {
  const { body, statusCode } = await poolOf(origin).request({
    method: "POST",
    path: "/api/v1/messages",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID()
    },
    body: JSON.stringify(bodyOf(handleOf(next(handles))))
  })
  const text = await body.text()
  if (statusCode !== 202) throw new Error(`${origin} answered ${statusCode}: ${text}`)
}

answerOrders<ClientOrder>(({ handles, origin, until }) =>
  measure("seconds" in until ? forSeconds(until.seconds) : times(until.count), () => post(origin, handles))
)
