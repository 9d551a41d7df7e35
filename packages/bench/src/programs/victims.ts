import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Pool } from "undici"
import { atRate } from "../measuring/atRate.js"
import { makeLedger } from "../soak/Ledger.js"
import type { Block, Losses, Measure, Samples } from "../soak/report.js"
import { apiKey } from "../world/seed.js"
import { bodyOf, handleNumbers, handleOf } from "../world/traffic.js"
import { answerOrders } from "./answerOrders.js"

/** Starts the traffic, names the block that samples count for (null: none), asks for progress, or ends. */
export type VictimsOrder =
  | { readonly origin: string; readonly chatPath: string; readonly messagesPerSecond: number }
  | { readonly block: Block | null }
  | "progress"
  | "finish"

export interface VictimsProgress {
  /** Messages of the application and of visitors that were accepted so far. */
  readonly accepted: number
  /** How often a request of a victim was refused or failed, by status; each was repeated. */
  readonly refused: { readonly [result: string]: number }
  /** Number of messages that are due for more than five seconds and had no webhook yet. */
  readonly late: number
}

export interface VictimsResult extends Omit<VictimsProgress, "late">, Losses {
  readonly samples: Samples
}

const visitors = 8
/** Time between two messages of a visitor: below the 20 a minute that one may send. */
const visitorEveryMs = 4_000
/** How long a refused request is repeated, and the pause in between. */
const repeatedForMs = 60_000
const repeatEveryMs = 250
/** A message without a webhook after this time is late. */
const lateMs = 5_000
/** How long the last webhooks may take. */
const finishMs = 120_000

const statuses = ["message.queued", "message.sent", "message.delivered", "message.read"]
const replyStatuses = ["message.queued", "message.sent"]

const ledger = makeLedger()
const stop = new AbortController()
const samples: Samples = { attack: {}, dummy: {} }
const refused: Record<string, number> = {}
const unaccepted: Array<string> = []
const waitingForReply = new Set<string>()
let accepted = 0
let block: Block | null = null
let pool: Pool
let chat = ""

/** Due time and block of what is under way, by reference. */
const due = new Map<string, { readonly at: number; readonly block: Block | null }>()

/** The references in `due` that had no webhook yet. */
const waitingForWebhook = new Set<string>()

const beginMessage = (reference: string, at: number) => {
  due.set(reference, { at, block })
  waitingForWebhook.add(reference)
}

const late = (): number => {
  const before = performance.now() - lateMs
  return [...waitingForWebhook].filter((reference) => (due.get(reference)?.at ?? before) < before).length
}

const measure = (measure: Measure, reference: string) => {
  const begun = due.get(reference)
  if (begun === undefined || begun.block === null) return
  const ofBlock = samples[begun.block]
  ofBlock[measure] ??= []
  ofBlock[measure].push(performance.now() - begun.at)
}

/** Posts until the request is accepted; false if it never was. */
const post = async (
  reference: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown
): Promise<boolean> => {
  const end = performance.now() + repeatedForMs
  let result = ""
  while (performance.now() < end) {
    try {
      const response = await pool.request({
        method: "POST",
        path,
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body)
      })
      const text = await response.body.text()
      if (response.statusCode === 202) {
        accepted++
        return true
      }
      result = `${response.statusCode} ${text.slice(0, 200)}`
      refused[response.statusCode] = (refused[response.statusCode] ?? 0) + 1
    } catch (error) {
      result = (error as NodeJS.ErrnoException).code ?? String(error)
      refused[result] = (refused[result] ?? 0) + 1
    }
    await sleep(repeatEveryMs)
  }
  unaccepted.push(`${reference}: ${result}`)
  return false
}

const send = (reference: string, body: object): Promise<boolean> =>
  post(
    reference,
    "/api/v1/messages",
    { authorization: `Bearer ${apiKey}`, "idempotency-key": reference },
    { ...body, external_reference: reference }
  )

const next = handleNumbers()
let sent = 0

/** One message of the application. */
const message = async (at: number) => {
  const reference = `message-${++sent}`
  beginMessage(reference, at)
  if (!(await send(reference, bodyOf(handleOf(next("known")))))) return
  ledger.accept(reference, statuses)
  measure("answer", reference)
}

/** Answers a visitor in the conversation. */
const reply = async (reference: string, conversationId: string) => {
  const answer = `reply-to-${reference}`
  waitingForReply.add(reference)
  const body = { channel: "webchat", to: conversationId, type: "text", message: { body: answer } }
  if (await send(answer, body)) ledger.accept(answer, replyStatuses)
}

const visitorMessage = /^visitor-\d+-\d+$/
const visitorReply = /^reply-to-(visitor-\d+-\d+)$/

interface Webhook {
  readonly id: string
  readonly type: string
  readonly external_reference?: string | null
  readonly data: { readonly message?: { readonly body: string; readonly conversation_id: string } }
}

const take = ({ data, external_reference, id: eventId, type }: Webhook) => {
  const received = type === "message.received" && visitorMessage.test(data.message?.body ?? "")
  const reference = received ? data.message?.body : external_reference
  if (reference == null) return
  if (!ledger.report({ eventId, reference, type })) return
  waitingForWebhook.delete(reference)
  measure("webhook", reference)
  if (received) void reply(reference, data.message?.conversation_id as string)
}

const receiver = createServer((incoming, response) => {
  const chunks: Array<Buffer> = []
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
  incoming.on("end", () => {
    take(JSON.parse(Buffer.concat(chunks).toString("utf8")))
    response.end()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", 4_096, resolve))

/** Reads the events of one stream until it ends; returns the last id. */
const read = async (stream: IncomingMessage, lastId: string): Promise<string> => {
  let id = lastId
  let text = ""
  stream.setEncoding("utf8")
  for await (const chunk of stream) {
    text += chunk
    const events = text.split("\n\n")
    text = events.pop() ?? ""
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      id = /^id: ?(.*)$/m.exec(event)?.[1] ?? id
      const reference = visitorReply.exec((JSON.parse(data) as { readonly body: string }).body)?.[1]
      if (reference !== undefined && waitingForReply.delete(reference)) measure("reply", reference)
    }
  }
  return id
}

/** Follows a visitor's stream, and opens it again when it ends. */
const follow = async (origin: string, identity: Readonly<Record<string, string>>) => {
  let lastId = "0"
  while (!stop.signal.aborted) {
    await new Promise<void>((resolve) => {
      const headers = { ...identity, "last-event-id": lastId }
      const opened = request(`${origin}${chat}/stream`, { agent: false, headers, signal: stop.signal }, (stream) => {
        if (stream.statusCode !== 200) {
          const result = `stream ${stream.statusCode}`
          refused[result] = (refused[result] ?? 0) + 1
        }
        read(stream, lastId).then(
          (id) => {
            lastId = id
            resolve()
          },
          () => resolve()
        )
      })
      opened.on("error", () => resolve())
      opened.end()
    })
    if (!stop.signal.aborted) await sleep(repeatEveryMs)
  }
}

let isFinishing = false

/** As through a trusted proxy: each visitor has an address of its own, which nothing else uses. */
const addressOf = (visitor: number) => ({ "x-forwarded-for": `198.51.100.${visitor + 1}` })

/** A visitor of the web chat with a stream. */
const visit = async (origin: string, visitor: number) => {
  const response = await pool.request({
    method: "POST",
    path: `${chat}/session`,
    headers: { "content-type": "application/json", ...addressOf(visitor) },
    body: "{}"
  })
  const { data } = (await response.body.json()) as { readonly data: { readonly token: string } }
  const identity = { authorization: `Bearer ${data.token}`, ...addressOf(visitor) }
  void follow(origin, identity)
  await sleep((visitorEveryMs / visitors) * visitor)
  for (let n = 1; !isFinishing; n++) {
    const reference = `visitor-${visitor}-${n}`
    beginMessage(reference, performance.now())
    const posted = post(reference, `${chat}/messages`, identity, { id: reference, body: reference })
    posted.then((isAccepted) => {
      if (!isAccepted) return
      ledger.accept(reference, ["message.received"])
      measure("visitor", reference)
    })
    await sleep(visitorEveryMs)
  }
}

const begin = (origin: string, messagesPerSecond: number) => {
  pool = new Pool(origin, { connections: 64, pipelining: 1 })
  for (let visitor = 0; visitor < visitors; visitor++) void visit(origin, visitor)
  void atRate(messagesPerSecond, Number.POSITIVE_INFINITY, message, traffic.signal)
}

const traffic = new AbortController()

const finish = async (): Promise<VictimsResult> => {
  isFinishing = true
  traffic.abort()
  const end = performance.now() + finishMs
  const isIncomplete = () => ledger.missing().length + waitingForReply.size > 0
  await sleep(2_000)
  while (performance.now() < end && isIncomplete()) await sleep(1_000)
  stop.abort()
  return {
    accepted,
    refused,
    samples,
    unaccepted,
    missing: [...ledger.missing(), ...[...waitingForReply].map((reference) => `${reference}: its reply in the stream`)],
    repeated: ledger.repeated()
  }
}

answerOrders<VictimsOrder>(
  async (order) => {
    if (order === "finish") return finish()
    if (order === "progress") return { accepted, refused, late: late() } satisfies VictimsProgress
    if ("block" in order) {
      block = order.block
      return null
    }
    chat = order.chatPath
    begin(order.origin, order.messagesPerSecond)
    return null
  },
  `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
)
