import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { percentileOf } from "../measuring/percentileOf.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** Number of receivers, each on its own port. */
export interface ReceiversSetting {
  readonly count: number
}

/**
 * Waits for a number of answered webhooks since the previous order. From now on, a number of the receivers accept a
 * webhook and never answer.
 */
export interface ReceiversOrder {
  readonly webhooks: number
  readonly hanging: number
}

/** Time from just before an event's commit to its receipt, in ms. */
export interface Received {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

const { count } = settingOf<ReceiversSetting>()
let hangs = 0
let latencies: Array<number> = []
let wanted: (() => void) | null = null

const listen = async (number: number): Promise<string> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      if (number < hangs) return
      const { created_at } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { readonly created_at: string }
      latencies.push(Date.now() - Date.parse(created_at))
      response.end()
      wanted?.()
    })
  })
  // Longer than the pauses between rounds: a post must not meet a socket that is just being closed.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const urls: Array<string> = []
for (let n = 0; n < count; n++) urls.push(await listen(n))

answerOrders<ReceiversOrder>(async ({ hanging, webhooks }) => {
  hangs = hanging
  await new Promise<void>((resolve) => {
    wanted = () => {
      if (latencies.length >= webhooks) resolve()
    }
    wanted()
  })
  wanted = null
  const at = percentileOf(latencies)
  latencies = []
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) } satisfies Received
}, urls.join(" "))
