import { Pool } from "undici"
import { atRate } from "../measuring/atRate.js"
import { percentileOf } from "../measuring/percentileOf.js"
import { measure, untilCount } from "../measuring/RoundResult.js"
import { customers, signatureOf, webhookBody } from "../world/whatsappTraffic.js"
import { answerOrders } from "./answerOrders.js"

/** Posts signed webhooks of WhatsApp, of one message each: at an even rate, or a number of them by `callers`. */
export type VendorOrder = {
  readonly url: string
  /** A digit that selects the set of customers. */
  readonly group: number
} & ({ readonly perSecond: number; readonly seconds: number } | { readonly count: number })

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

answerOrders<VendorOrder>(async ({ group, url, ...load }): Promise<Answered> => {
  const { origin, pathname } = new URL(url)
  const acknowledged: Array<string> = []
  const latencies: Array<number> = []
  const post = async (due: number) => {
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
  }
  if ("count" in load) await measure(untilCount(load.count), () => post(performance.now()))
  else await atRate(load.perSecond, load.seconds, post)
  const rank = percentileOf(latencies)
  return {
    p50: rank(0.5),
    p99: rank(0.99),
    refused: ("count" in load ? load.count : load.perSecond * load.seconds) - acknowledged.length,
    acknowledged
  }
})
