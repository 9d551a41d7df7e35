import { createHmac } from "node:crypto"
import type { Entry, Fault, HandOver, Journal, VendorEvent, Verdict, World } from "../../src/audit/Journal.js"

let made = 0

/** A new UUID, which says its number. */
export const newId = (): string => `0190a1b2-0000-7000-8000-${String(++made).padStart(12, "0")}`

export const shop = {
  workspaceId: newId(),
  /** Two applications: `shop` has the connection and both endpoints' URLs, `desk` shares the connection. */
  applicationId: newId(),
  deskId: newId(),
  connectionId: newId(),
  endpoint: { id: newId(), url: "https://shop.test/hooks", secret: "whsec_shop" },
  deskEndpoint: { id: newId(), url: "https://desk.test/hooks", secret: "whsec_desk" }
}

export const rival = {
  workspaceId: newId(),
  applicationId: newId(),
  connectionId: newId(),
  endpoint: { id: newId(), url: "https://rival.test/hooks", secret: "whsec_rival" }
}

const connection = (id: string, workspaceId: string): World["connections"][number] => ({
  id,
  workspaceId,
  channel: "whatsapp",
  dedupes: false,
  unknownSends: "hold",
  receipts: ["delivered", "read"]
})

const world: World = {
  kind: "world",
  at: 0,
  workspaces: [{ id: shop.workspaceId }, { id: rival.workspaceId }],
  applications: [
    { name: "shop", id: shop.applicationId, workspaceId: shop.workspaceId, connectionIds: [shop.connectionId] },
    { name: "desk", id: shop.deskId, workspaceId: shop.workspaceId, connectionIds: [shop.connectionId] },
    { name: "rival", id: rival.applicationId, workspaceId: rival.workspaceId, connectionIds: [rival.connectionId] }
  ],
  connections: [connection(shop.connectionId, shop.workspaceId), connection(rival.connectionId, rival.workspaceId)],
  endpoints: [
    { ...shop.endpoint, applicationId: shop.applicationId, events: ["*"] },
    { ...shop.deskEndpoint, applicationId: shop.deskId, events: ["message.received"] },
    { ...rival.endpoint, applicationId: rival.applicationId, events: ["*"] }
  ]
}

export const isoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

interface SendOptions {
  readonly caller?: string
  readonly id?: string
  readonly key?: string
  readonly body?: object
  readonly replayed?: boolean
  readonly to?: string
}

interface AttemptOptions {
  readonly to?: { readonly id: string; readonly url: string; readonly secret: string }
  readonly eventId?: string
  readonly number?: number
  readonly createdAt?: number
  /** Status of the answer; null: the connection broke; undefined: no answer. */
  readonly status?: number | null | undefined
  readonly arrived?: boolean
  readonly headers?: { readonly [name: string]: string }
  readonly process?: string
}

type WithoutTime<E> = E extends Entry ? Omit<E, "at"> : never

/** Writes a journal by hand, 10 ms from one entry to the next. Each method adds the entries that its name says. */
export class HandWritten {
  readonly entries: Array<Entry>
  now = Date.parse("2026-05-04T08:00:00Z")
  /** The rate limit that responses name. */
  limit = 600
  private numbers = 0
  private readonly sent = new Map<
    string,
    { readonly body: any; readonly connectionId: string; readonly contactId: string; readonly conversationId: string }
  >()

  constructor(changes: Partial<World> = {}) {
    this.entries = [{ ...world, at: this.now, ...changes }]
  }

  wait(ms: number): void {
    this.now += ms
  }

  add(entry: WithoutTime<Entry>): void {
    this.now += 10
    this.entries.push({ ...entry, at: this.now })
  }

  request(
    caller: string,
    method: string,
    path: string,
    body: unknown = null,
    idempotencyKey: string | null = null,
    apiKey?: string
  ): number {
    const request = ++this.numbers
    const used = apiKey === undefined ? {} : { apiKey }
    this.add({ kind: "request", request, caller, method, path, body, idempotencyKey, ...used })
    return request
  }

  respond(
    request: number,
    status: number,
    body: unknown = {},
    headers: { readonly [name: string]: string } = {}
  ): void {
    const requestId = newId()
    const isError = status >= 400 && typeof body === "object" && !("error" in (body ?? {}))
    this.add({
      kind: "response",
      request,
      status,
      headers: {
        "x-request-id": requestId,
        "x-ratelimit-limit": String(this.limit),
        "x-ratelimit-remaining": String(this.limit),
        ...headers
      },
      body: isError ? { error: { message: "m", details: {}, request_id: requestId, ...body } } : body
    })
  }

  call(caller: string, method: string, path: string, body: unknown, status: number, answer: unknown = {}): void {
    this.respond(this.request(caller, method, path, body), status, answer)
  }

  /** `POST /messages` without a response; its key and body for the response. */
  sendRequest({ body, caller = "shop", key = newId(), to = "+49301234567" }: SendOptions = {}): number {
    return this.request(
      caller,
      "POST",
      "/api/v1/messages",
      body ?? { channel: "whatsapp", to, type: "text", message: { body: "Hello" }, external_reference: null },
      key
    )
  }

  acknowledge(request: number, id: string, replayed = false): void {
    const answered = this.entries.find((entry) => entry.kind === "request" && entry.request === request)
    const caller = answered?.kind === "request" ? answered.caller : "shop"
    const known = this.sent.get(id) ?? {
      body: answered?.kind === "request" ? answered.body : {},
      connectionId: caller === "rival" ? rival.connectionId : shop.connectionId,
      contactId: newId(),
      conversationId: newId()
    }
    this.sent.set(id, known)
    this.respond(
      request,
      202,
      {
        data: {
          message_id: id,
          status: "queued",
          external_reference: null,
          conversation_id: known.conversationId,
          contact_id: known.contactId,
          connection_id: known.connectionId,
          request_id: id.replace("0190a1b2", "0190a1b3")
        }
      },
      replayed ? { "idempotency-replayed": "true" } : {}
    )
  }

  /** A send that is answered 202. */
  send(options: SendOptions = {}): string {
    const id = options.id ?? newId()
    this.acknowledge(this.sendRequest(options), id, options.replayed)
    return id
  }

  /** The contact of a message that was sent. */
  contactOf(id: string): string {
    return this.sent.get(id)?.contactId ?? ""
  }

  beginHandOver(id: string, changes: Partial<HandOver> = {}, process = "one"): number {
    const handOver = ++this.numbers
    this.add({
      kind: "hand-over",
      handOver,
      process,
      connectionId: this.sent.get(id)?.connectionId ?? shop.connectionId,
      messageId: id,
      to: "+49301234567",
      text: "Hello",
      ...changes
    })
    return handOver
  }

  endHandOver(handOver: number, outcome: Verdict["outcome"], providerMessageId = `wamid.${handOver}`): void {
    const isAccepted = outcome === "accepted"
    this.add({
      kind: "verdict",
      handOver,
      taken: isAccepted,
      outcome,
      providerMessageId: isAccepted ? providerMessageId : null
    })
  }

  handOver(id: string, outcome: Verdict["outcome"], process = "one", providerMessageId?: string): void {
    this.endHandOver(this.beginHandOver(id, {}, process), outcome, providerMessageId)
  }

  /** A message in wire shape, with the times of its status. */
  message(id: string, status: string, changes: object = {}): object {
    const known = this.sent.get(id)
    const rank = ["queued", "sent", "delivered", "read"].indexOf(status)
    const start = Date.parse("2026-05-04T08:00:00Z")
    return {
      id,
      external_reference: null,
      conversation_id: known?.conversationId ?? "0190a1b2-0000-7000-8000-0000000000c0",
      contact_id: known?.contactId ?? "0190a1b2-0000-7000-8000-0000000000c1",
      connection_id: known?.connectionId ?? shop.connectionId,
      direction: "outbound",
      type: "text",
      status,
      body: "Hello",
      attachments: [],
      error: status === "failed" ? { code: "provider_error", message: "The provider rejected it." } : null,
      sent_at: isoTime(rank >= 1 ? start + 1 : null),
      delivered_at: isoTime(rank >= 2 ? start + 2 : null),
      read_at: isoTime(rank >= 3 ? start + 3 : null),
      ...changes
    }
  }

  inbound(id: string, text: string, changes: object = {}): object {
    const start = Date.parse("2026-05-04T08:00:00Z")
    return this.message(id, "delivered", {
      direction: "inbound",
      body: text,
      sent_at: isoTime(start),
      delivered_at: isoTime(start),
      received_at: isoTime(start),
      ...changes
    })
  }

  /** A reading of a message by its application. */
  read(id: string, status: string, changes: object = {}, caller = "shop"): void {
    this.call(caller, "GET", `/api/v1/messages/${id}`, null, 200, { data: this.message(id, status, changes) })
  }

  beginWebhook(type: string, data: object, options: AttemptOptions = {}): number {
    const {
      createdAt = this.now,
      eventId = newId(),
      headers = {},
      number = 1,
      process = "one",
      to = shop.endpoint
    } = options
    const body = JSON.stringify({ id: eventId, type, created_at: isoTime(createdAt), data })
    const timestamp = String(Math.floor((this.now + 10) / 1000))
    const attempt = ++this.numbers
    this.add({
      kind: "webhook",
      attempt,
      process,
      url: to.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Parley-Webhooks/1.0",
        "x-webhook-id": eventId,
        "x-event-id": eventId,
        "x-event-type": type,
        "x-webhook-timestamp": timestamp,
        "x-event-timestamp": timestamp,
        "x-webhook-signature": `sha256=${createHmac("sha256", to.secret).update(`${timestamp}.${body}`).digest("hex")}`,
        "x-delivery-id": newId(),
        "x-delivery-attempt": String(number),
        ...headers
      },
      body
    })
    return attempt
  }

  answerWebhook(attempt: number, status: number | null, arrived = true): void {
    this.add({ kind: "webhook-answer", attempt, status, arrived })
  }

  /** A webhook that is answered 200 unless the options say otherwise; the id of its event. */
  webhook(type: string, data: object, options: AttemptOptions = {}): string {
    const eventId = options.eventId ?? newId()
    const attempt = this.beginWebhook(type, data, { ...options, eventId })
    const status = "status" in options ? options.status : 200
    if (status !== undefined) this.answerWebhook(attempt, status, options.arrived)
    return eventId
  }

  /** A process has the function of a subscription of the shop, or of its workspace, from now on. */
  subscribe(process: string, { ofWorkspace = false, ordered = false } = {}): void {
    const ownerId = ofWorkspace ? shop.workspaceId : shop.applicationId
    const of = { ownerId, ofWorkspace, ordered }
    this.add({ kind: "subscribe", process, url: "subscription:notes", ...of, events: [], since: null, concurrency: 16 })
  }

  /** An attempt at the shop's subscription whose function does not end yet; its number. */
  beginHandling(
    type: string,
    data: object,
    options: Pick<AttemptOptions, "createdAt" | "eventId" | "number" | "process"> = {}
  ): number {
    const { createdAt = this.now, eventId = newId(), number = 1, process = "one" } = options
    const attempt = ++this.numbers
    const body = JSON.stringify({ id: eventId, type, created_at: isoTime(createdAt), data })
    this.add({ kind: "handling", attempt, process, url: "subscription:notes", number, body })
    return attempt
  }

  /** An attempt at the shop's subscription, which succeeds unless the options say otherwise; the id of its event. */
  handling(
    type: string,
    data: object,
    options: Parameters<HandWritten["beginHandling"]>[2] & {
      /** Null: the function does not end. */
      readonly succeeded?: boolean | null
    } = {}
  ): string {
    const { eventId = newId(), succeeded = true } = options
    const attempt = this.beginHandling(type, data, { ...options, eventId })
    if (succeeded !== null) this.add({ kind: "handled", attempt, succeeded })
    return eventId
  }

  /** Webhook of a message's status. */
  progress(id: string, status: string, options: AttemptOptions = {}): string {
    return this.webhook(`message.${status}`, { message: this.message(id, status) }, options)
  }

  vendorCalls(
    event: string,
    report: VendorEvent["report"],
    status: number | null = 200,
    connectionId = shop.connectionId
  ): void {
    const call = ++this.numbers
    this.add({ kind: "vendor-event", call, event, connectionId, report })
    if (status !== null) this.add({ kind: "vendor-event-answer", call, status })
  }

  customerWrites(
    text: string,
    options: { readonly event?: string; readonly from?: string; readonly status?: number | null } = {}
  ): string {
    const { event = newId(), from = "+49307654321", status = 200 } = options
    this.vendorCalls(event, { type: "message", providerMessageId: event, from, text, sentAt: this.now }, status)
    return event
  }

  receipt(
    providerMessageId: string,
    status: "delivered" | "read" | "failed",
    answer: number | null = 200,
    connectionId = shop.connectionId
  ): void {
    const report = { type: "receipt", providerMessageId, status, happenedAt: this.now } as const
    this.vendorCalls(`${providerMessageId} ${status}`, report, answer, connectionId)
  }

  fault(changes: Partial<Fault>): void {
    this.add({ kind: "fault", text: "fault", ...changes })
  }

  crash(process: string): void {
    this.fault({ crashed: process })
  }

  quiet(): void {
    this.add({ kind: "quiet" })
  }

  /** The end, a while after the quiet. */
  end(files: ReadonlyArray<string> = []): void {
    this.wait(300_000)
    this.add({ kind: "end", files })
  }
}

/** The journal that a script writes. `changes`: of the world. */
export const journalOf = (script: (history: HandWritten) => void, changes: Partial<World> = {}): Journal => {
  const history = new HandWritten(changes)
  script(history)
  return history.entries
}

/** The connection of the shop with other settings. */
export const withConnection = (changes: Partial<World["connections"][number]>): Partial<World> => ({
  connections: world.connections.map((known) => (known.id === shop.connectionId ? { ...known, ...changes } : known))
})
