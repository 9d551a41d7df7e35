import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How many receivers there are, each on a port of its own, and how many of them take a webhook and never answer. */
export interface ReceiversSetting {
  readonly count: number
  readonly hanging: number
}

/** Waits for so many webhooks that were answered, those included that came since it was last asked. */
export interface ReceiversOrder {
  readonly webhooks: number
}

/** Milliseconds from just before an event's commit to its receipt. */
export interface Received {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

const { count, hanging } = settingOf<ReceiversSetting>()
let latencies: Array<number> = []
let wanted: (() => void) | null = null

const listen = async (answers: boolean): Promise<string> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      if (!answers) return
      const { created_at } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { readonly created_at: string }
      latencies.push(Date.now() - Date.parse(created_at))
      response.end()
      wanted?.()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const urls: Array<string> = []
for (let n = 0; n < count; n++) urls.push(await listen(n >= hanging))

answerOrders<ReceiversOrder>(async ({ webhooks }) => {
  await new Promise<void>((resolve) => {
    wanted = () => {
      if (latencies.length >= webhooks) resolve()
    }
    wanted()
  })
  wanted = null
  const sorted = latencies.sort((one, other) => one - other)
  latencies = []
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) } satisfies Received
}, urls.join(" "))
