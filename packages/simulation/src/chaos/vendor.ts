import { createHmac } from "node:crypto"
import type { VendorEvent, Verdict } from "../audit/Journal.js"
import { objectOf, parsedJson, textAt } from "../audit/json.js"
import type { Chance } from "../run/Chance.js"
import type { Recorder } from "../run/Recorder.js"
import { goodMood, type VendorMood } from "../run/Vendor.js"
import { bodyOf, listen } from "./listen.js"

type Report = VendorEvent["report"]

/** A number of a business at WhatsApp, with the connection of Parley that uses it. */
export interface BusinessNumber {
  readonly phoneNumberId: string
  readonly businessAccountId: string
  readonly displayNumber: string
  readonly accessToken: string
  readonly appSecret: string
  connectionId: string
}

/** WhatsApp as an HTTP server, which takes messages and calls hosts with messages of customers and receipts. */
export interface VendorServer {
  readonly url: string
  readonly setMood: (mood: VendorMood) => void
  /** Sends a customer's message to Parley. */
  readonly write: (number: BusinessNumber, from: string, text: string) => void
  /** Number of events that Parley has not confirmed, now or soon. */
  readonly unconfirmed: () => number
  readonly close: () => void
}

const maxLatencyMs = 300
const retryDelays = [500, 2_000, 5_000, 10_000] as const
const callTimeoutMs = 20_000

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: { readonly [name: string]: string }
}

const graphError = (status: number, code: number, message: string): Answer => ({
  status,
  body: { error: { message, type: "OAuthException", code, fbtrace_id: "chaos" } }
})

const answers = {
  rejected: graphError(400, 131026, "Message undeliverable"),
  throttled: { ...graphError(429, 130429, "Rate limit hit"), headers: { "retry-after": "1" } },
  transient: graphError(400, 131000, "Something went wrong")
} as const

/** `originOf` selects the host that an event is sent to. */
export const startVendor = async (
  numbers: ReadonlyArray<BusinessNumber>,
  chance: Chance,
  recorder: Recorder,
  originOf: () => string
): Promise<VendorServer> => {
  let mood = goodMood
  let unconfirmed = 0
  let isClosed = false

  const report = (number: BusinessNumber, event: string, report: Report, callbackData: string | null) => {
    unconfirmed++
    const body = JSON.stringify(webhookOf(number, report, callbackData))
    const signature = `sha256=${createHmac("sha256", number.appSecret).update(body).digest("hex")}`
    const deliver = async (n: number): Promise<void> => {
      if (isClosed) return
      const call = recorder.number()
      recorder.record({ kind: "vendor-event", call, event, connectionId: number.connectionId, report })
      const status = await fetch(`${originOf()}/inbound/${number.connectionId}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-hub-signature-256": signature },
        body,
        signal: AbortSignal.timeout(callTimeoutMs)
      }).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => null
      )
      if (status !== null) recorder.record({ kind: "vendor-event-answer", call, status })
      if (status !== null && status < 300) {
        unconfirmed--
        return
      }
      setTimeout(() => void deliver(n + 1), retryDelays[Math.min(n, retryDelays.length - 1)])
    }
    void deliver(0)
  }

  const reportReceipts = (number: BusinessNumber, id: string, messageId: string) => {
    const fails = chance.happens(mood.fails / 2)
    const statuses = chance.happens(mood.contradicts)
      ? (["delivered", "failed", "read"] as const)
      : fails
        ? (["failed"] as const)
        : (["delivered", "read"] as const)
    let after = chance.between(0, 400)
    for (const status of statuses) {
      if (!fails && chance.happens(0.1)) continue
      for (let n = chance.happens(mood.repeats) ? 2 : 1; n > 0; n--) {
        // The vendor writes times in seconds.
        const happenedAt = Math.floor((Date.now() + after) / 1_000) * 1_000
        const receipt: Report = { type: "receipt", providerMessageId: id, status, happenedAt }
        unconfirmed++
        setTimeout(() => {
          unconfirmed--
          report(number, `${id}-${status}`, receipt, messageId)
        }, after + chance.between(0, 1_500))
      }
      after += chance.between(1, 2_000)
    }
  }

  /** What the vendor does with a message. A null answer: none. */
  const decide = (): { readonly outcome: Verdict["outcome"]; readonly taken: boolean; readonly breaks: boolean } => {
    let left = chance.between(0, 999) / 1_000
    const is = (probability: number) => {
      left -= probability
      return left < 0
    }
    if (is(mood.rejects)) return { outcome: "rejected", taken: false, breaks: false }
    if (is(mood.throttles)) return { outcome: "throttled", taken: false, breaks: false }
    if (is(mood.fails)) return { outcome: "transient", taken: false, breaks: false }
    if (is(mood.losesRequest)) return { outcome: "lost", taken: false, breaks: true }
    if (is(mood.losesAnswer)) return { outcome: "lost", taken: true, breaks: true }
    if (is(mood.neverAnswers)) return { outcome: "lost", taken: true, breaks: false }
    return { outcome: "accepted", taken: true, breaks: false }
  }

  const server = await listen(async (request, response) => {
    const text = await bodyOf(request)
    if (text === null) return
    const send = ({ body, headers, status }: Answer) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
    if (request.method === "GET" && request.url?.includes("/message_templates?") === true) {
      return send({ status: 200, body: { data: [] } })
    }
    const [, phoneNumberId] = /^\/v\d+\.0\/(\d+)\/messages$/.exec(request.url ?? "") ?? []
    const number = numbers.find((one) => one.phoneNumberId === phoneNumberId)
    if (number === undefined || request.method !== "POST") return send(graphError(400, 100, "Unsupported request"))
    if (request.headers.authorization !== `Bearer ${number.accessToken}`) return send(graphError(401, 190, "Bad token"))
    const message = objectOf(parsedJson(text))
    const messageId = textAt(message, "biz_opaque_callback_data") ?? ""
    const handOver = recorder.number()
    recorder.record({
      kind: "hand-over",
      handOver,
      process: "a host",
      connectionId: number.connectionId,
      messageId,
      to: textAt(message, "to") ?? "",
      text: textAt(message, "text", "body") ?? ""
    })
    setTimeout(
      () => {
        const { breaks, outcome, taken } = decide()
        const id = taken ? `wamid.${recorder.number()}` : null
        if (id !== null) reportReceipts(number, id, messageId)
        const hasCaller = request.socket.writable && !response.destroyed
        recorder.record({
          kind: "verdict",
          handOver,
          taken,
          outcome: hasCaller ? outcome : "lost",
          providerMessageId: id
        })
        if (breaks) request.socket.destroy()
        else if (outcome === "accepted") {
          send({ status: 200, body: { messaging_product: "whatsapp", contacts: [], messages: [{ id }] } })
        } else if (outcome === "rejected" || outcome === "throttled" || outcome === "transient") send(answers[outcome])
      },
      chance.between(0, maxLatencyMs)
    )
  })

  return {
    url: server.url,
    setMood: (next) => {
      mood = next
    },
    write: (number, from, text) => {
      const id = `wamid.customer-${recorder.number()}`
      report(number, id, { type: "message", providerMessageId: id, from, text, sentAt: Date.now() }, null)
    },
    unconfirmed: () => unconfirmed,
    close: () => {
      isClosed = true
      server.close()
    }
  }
}

/** An event in Meta's form. Its numbers have no plus. */
const webhookOf = (number: BusinessNumber, report: Report, callbackData: string | null): object => {
  const value =
    report.type === "message"
      ? {
          contacts: [{ profile: { name: "Ada" }, wa_id: report.from.slice(1) }],
          messages: [
            {
              id: report.providerMessageId,
              from: report.from.slice(1),
              timestamp: String(Math.floor(report.sentAt / 1_000)),
              type: "text",
              text: { body: report.text }
            }
          ]
        }
      : {
          statuses: [
            {
              id: report.providerMessageId,
              status: report.status,
              timestamp: String(report.happenedAt / 1_000),
              biz_opaque_callback_data: callbackData,
              ...(report.status === "failed" ? { errors: [{ code: 131026, title: "Message undeliverable" }] } : {})
            }
          ]
        }
  const metadata = {
    display_phone_number: number.displayNumber.replace(/\D/g, ""),
    phone_number_id: number.phoneNumberId
  }
  const change = { field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } }
  return { object: "whatsapp_business_account", entry: [{ id: number.businessAccountId, changes: [change] }] }
}
