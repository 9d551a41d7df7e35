import { Pool } from "undici"
import { atRate } from "../measuring/atRate.js"
import { percentileOf } from "../measuring/percentileOf.js"
import { customers, signatureOf, webhookBody } from "../world/whatsappTraffic.js"
import { answerOrders } from "./answerOrders.js"

/** Posts signed webhooks of WhatsApp, of one message each, at an even rate. */
export interface VendorOrder {
  readonly url: string
  readonly perSecond: number
  readonly seconds: number
  /** A digit that selects the set of customers. */
  readonly group: number
}

/** The responses. */
export interface Answered {
  /** Time from the due time of a webhook to its 200 response, in ms. */
  readonly p50: number
  readonly p99: number
  /** Number of webhooks without a 200 response. */
  readonly refused: number
  /** The provider message ids of the acknowledged webhooks. */
  readonly acknowledged: ReadonlyArray<string>
}

const connections = 256
/** Timeout after which a vendor would retry. */
const timeoutMs = 10_000

const pools = new Map<string, Pool>()
const poolOf = (origin: string): Pool => {
  const pool = pools.get(origin) ?? new Pool(origin, { connections, pipelining: 1, headersTimeout: timeoutMs })
  pools.set(origin, pool)
  return pool
}

let posted = 0

answerOrders<VendorOrder>(async ({ group, perSecond, seconds, url }): Promise<Answered> => {
  const { origin, pathname } = new URL(url)
  const acknowledged: Array<string> = []
  const latencies: Array<number> = []
  await atRate(perSecond, seconds, async (due) => {
    const n = posted++
    const messageId = `wamid.${n}`
    const body = webhookBody(messageId, `4917${group}${String(n % customers).padStart(7, "0")}`)
    const status = await poolOf(origin)
      .request({
        method: "POST",
        path: pathname,
        headers: { "content-type": "application/json", "x-hub-signature-256": signatureOf(body) },
        body
      })
      .then(
        async (answer) => {
          await answer.body.dump()
          return answer.statusCode
        },
        () => null
      )
    if (status !== 200) return
    latencies.push(performance.now() - due)
    acknowledged.push(messageId)
  })
  const rank = percentileOf(latencies)
  return {
    p50: rank(0.5),
    p99: rank(0.99),
    refused: perSecond * seconds - acknowledged.length,
    acknowledged
  }
})
