import { randomUUID } from "node:crypto"
import { Pool } from "undici"
import { atRate } from "../measuring/atRate.js"
import { callers, measure, type RoundResult, rateOf, untilCount, untilElapsed } from "../measuring/RoundResult.js"
import { apiKey } from "../world/seed.js"
import { bodyOf, type Handles, handleNumbers, handleOf } from "../world/traffic.js"
import { answerOrders } from "./answerOrders.js"

/** Posts messages for a duration, up to a number, or at a rate; or reads a path repeatedly. */
export type ClientOrder = {
  readonly origin: string
  readonly until:
    | { readonly seconds: number }
    | { readonly count: number }
    | { readonly perSecond: number; readonly seconds: number }
} & ({ readonly handles: Handles } | { readonly path: string })

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

const get = async (origin: string, path: string): Promise<void> => {
  const { body, statusCode } = await poolOf(origin).request({
    method: "GET",
    path,
    headers: { authorization: `Bearer ${apiKey}` }
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${origin}${path} answered ${statusCode}: ${text}`)
}

/** The calls at an even rate. */
const evenly = async (perSecond: number, seconds: number, call: () => Promise<unknown>): Promise<RoundResult> => {
  const start = performance.now()
  await atRate(perSecond, seconds, call)
  return rateOf(perSecond * seconds, performance.now() - start, null)
}

answerOrders<ClientOrder>(({ origin, until, ...order }) => {
  const call = () => ("path" in order ? get(origin, order.path) : post(origin, order.handles))
  if ("perSecond" in until) return evenly(until.perSecond, until.seconds, call)
  return measure("seconds" in until ? untilElapsed(until.seconds) : untilCount(until.count), call)
})
