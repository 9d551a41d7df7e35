import type {
  Enqueue,
  EnqueuedOutcome,
  Fault,
  Handled,
  Handling,
  HandOver,
  Journal,
  Request,
  Response,
  Subscribe,
  VendorEvent,
  VendorEventAnswer,
  Verdict,
  WebhookAnswer,
  WebhookAttempt,
  World
} from "./Journal.js"
import { type JsonObject, listAt, objectOf, parsedJson, textAt, valueAt } from "./json.js"
import { settling } from "./tolerances.js"

/** A request with its response. */
export interface Call {
  readonly request: Request
  readonly entry: number
  /** `/api/v1`: "public", `/admin/v1`: "admin". */
  readonly api: "public" | "admin" | null
  /** Parts of the path behind the version, such as `["messages", "0190…"]`. */
  readonly path: ReadonlyArray<string>
  /** Method and path with `{}` for ids, such as `GET /messages/{}`. */
  readonly operation: string
  response: Response | null
  /** Infinity without a response. */
  responseEntry: number
}

/** A request that an application wrote in a transaction of its own. */
export interface EnqueuedRequest {
  readonly enqueue: Enqueue
  readonly entry: number
  /**
   * As a call to the interface, from the commit on; its response is that of the outcome. Null while no commit is known.
   */
  call: Call | null
  /** The last one that was read. */
  outcome: EnqueuedOutcome | null
  outcomeEntry: number
}

/** A hand-over with its verdict. */
export interface HandOverRecord {
  readonly handOver: HandOver
  readonly entry: number
  verdict: Verdict | null
  /** Infinity without a verdict. */
  verdictEntry: number
}

/** A state of a message that an application, an administrator or a receiver saw. */
export interface Sighting {
  readonly message: JsonObject
  readonly entry: number
  readonly at: number
  /**
   * The entry before which the state was true or became true: the request of a reading. Null of an event, whose state
   * is that of its commit.
   */
  readonly since: number | null
  /** Type of the event; null of a reading. */
  readonly eventType: string | null
  /** Whose request it answers; null of an event. */
  readonly caller: string | null
}

/** What is known of a message of Parley. */
export interface MessageHistory {
  readonly id: string
  readonly sightings: Array<Sighting>
  readonly handOvers: Array<HandOverRecord>
  /** Calls that were answered 202 with its id, the first one first. */
  readonly acknowledged: Array<Call>
  /** The agent's reply that was answered 202 with its id. */
  replied: Call | null
  /** Calls that were answered 502 with its id. */
  readonly rejected: Array<Call>
}

/** What a vendor reports, with all of its calls. */
export interface VendorReport {
  readonly event: VendorEvent
  readonly entry: number
  readonly calls: Array<{
    readonly event: VendorEvent
    readonly entry: number
    answer: VendorEventAnswer | null
    answerEntry: number
  }>
  /** The first 2xx; null without one. */
  acknowledged: { readonly at: number; readonly entry: number } | null
}

/** An attempt, of a webhook or at a subscription, with the event that it carries. */
export interface AttemptRecord {
  /** That of a subscription has the headers only that say which event and attempt it is. */
  readonly attempt: Pick<WebhookAttempt, "at" | "process" | "url" | "headers" | "body">
  readonly entry: number
  /** The parsed body; null where it is not a JSON object. */
  readonly event: JsonObject | null
  readonly eventId: string
  readonly type: string
  readonly number: number
  readonly endpoint: EndpointHistory | null
  answer: WebhookAnswer | null
  answerEntry: number
}

/** What is known of a subscription beyond its endpoint. */
export interface SubscriptionHistory {
  readonly concurrency: number
  readonly ordered: boolean
  /** The workspace whose events it gets; null: those of its application. */
  readonly workspaceId: string | null
  /** The times in which processes handle its events. */
  readonly served: Array<{ readonly process: string; readonly from: number; until: number }>
}

/** An endpoint, from the world, from a response to its creation, or of a subscription. */
export interface EndpointHistory {
  /** Its URL, for a subscription whose id no process got. */
  readonly id: string
  /** Null: webhooks. */
  readonly subscription: SubscriptionHistory | null
  /** That of its workspace, for a subscription of a workspace. */
  readonly applicationId: string
  readonly events: ReadonlyArray<string>
  readonly secret: string | null
  /**
   * Times of the request and of the response that made it; -Infinity where the world has it. Of a subscription from a
   * time on, that time.
   */
  readonly createdFrom: number
  readonly createdUntil: number
  /** Time at which it was known to be stored; -Infinity where the world has it, Infinity if no process got its id. */
  readonly storedAt: number
  /** Calls of administrators that change it, or make deliveries for it. */
  readonly changes: Array<Call>
  readonly attempts: Array<AttemptRecord>
  /** Whether the last reading of administrators after the quiet shows it active. */
  isActiveAtEnd: boolean
  /**
   * Types of the events whose delivery was pending in lists of administrators after the quiet; null without a list that
   * was read to its end.
   */
  pendingAtEnd: ReadonlySet<string> | null
}

/** An application with the calls that change it. */
export interface ApplicationHistory {
  readonly application: World["applications"][number]
  readonly changes: Array<Call>
  readonly calls: Array<Call>
}

/** A fault of processes or of the storage, with the time at which it ended: at once, at its end, or with the quiet. */
export interface FaultPeriod {
  readonly fault: Fault
  readonly entry: number
  until: number
}

/** A journal with its indexes. Built in one pass. */
export interface History {
  readonly journal: Journal
  readonly world: World
  readonly calls: ReadonlyArray<Call>
  /** {@link calls} and those of enqueued requests, in the order of their entries. */
  readonly requests: ReadonlyArray<Call>
  /** By id. */
  readonly enqueued: ReadonlyMap<string, EnqueuedRequest>
  readonly applications: ReadonlyMap<string, ApplicationHistory>
  /** By id. */
  readonly applicationsById: ReadonlyMap<string, ApplicationHistory>
  readonly connections: ReadonlyMap<string, World["connections"][number]>
  readonly connectionChanges: ReadonlyMap<string, ReadonlyArray<Call>>
  readonly messages: ReadonlyMap<string, MessageHistory>
  readonly handOvers: ReadonlyArray<HandOverRecord>
  readonly endpoints: ReadonlyMap<string, EndpointHistory>
  readonly attempts: ReadonlyArray<AttemptRecord>
  /** URLs of endpoints that administrators may have made: the response is missing. */
  readonly unansweredUrls: ReadonlySet<string>
  /** Contents of uploads by their id. */
  readonly uploads: ReadonlyMap<string, string>
  /** By connection and `event`. */
  readonly reports: ReadonlyMap<string, VendorReport>
  readonly faults: ReadonlyArray<FaultPeriod>
  readonly quiet: { readonly at: number; readonly entry: number } | null
  readonly end: { readonly at: number; readonly entry: number; readonly files: ReadonlyArray<string> } | null
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (text: string): boolean => text.length === 36 && text[8] === "-" && uuid.test(text)

/** Splits a path once for each different one: most requests of a journal share theirs but for an id. */
const routeOf = (path: string): Pick<Call, "api" | "path"> & { readonly shape: string } => {
  const query = path.indexOf("?")
  const [, api, version, ...parts] = (query < 0 ? path : path.slice(0, query)).split("/")
  return {
    api: version !== "v1" ? null : api === "api" ? "public" : api === "admin" ? "admin" : null,
    path: parts,
    shape: parts.map((part) => (isUuid(part) ? "/{}" : `/${part}`)).join("")
  }
}

/** The messages in a response: of a message, of a list of messages. */
const messagesIn = (call: Call, body: unknown): ReadonlyArray<JsonObject> => {
  if (!call.operation.includes("/messages") || call.request.method !== "GET") return []
  const data = valueAt(body, "data")
  const values = Array.isArray(data) ? data : [data]
  return values.filter(
    (value): value is JsonObject => textAt(value, "direction") !== null && textAt(value, "id") !== null
  )
}

/** The messages that a 202 to `POST /messages` names: several where its files did not fit into one. */
export const acknowledgedIds = ({ response }: Call): ReadonlyArray<string> => {
  if (response?.status !== 202) return []
  const first = textAt(response.body, "data", "message_id")
  const all = listAt(response.body, "data", "message_ids").map(String)
  return all.length > 0 ? all : first === null ? [] : [first]
}

const empty = (): Pick<
  EndpointHistory,
  "subscription" | "changes" | "attempts" | "isActiveAtEnd" | "pendingAtEnd"
> => ({
  subscription: null,
  changes: [],
  attempts: [],
  isActiveAtEnd: false,
  pendingAtEnd: null
})

/** The number of the call of an enqueued request, which no request has. */
const noRequest = -1

const enqueuedCall = ({ body, caller, idempotencyKey, operation }: Enqueue, at: number, entry: number): Call => ({
  request: {
    kind: "request",
    at,
    request: noRequest,
    caller,
    method: "POST",
    path: operation.replace("POST ", "/api/v1"),
    idempotencyKey,
    body
  },
  entry,
  api: "public",
  path: [operation.replace("POST /", "")],
  operation,
  response: null,
  responseEntry: Infinity
})

/** Whether a call stands for an enqueued request. */
export const isEnqueued = ({ request }: Call): boolean => request.request === noRequest

/** Reads a journal once. Fails where it does not begin with the {@link World}. */
export const historyOf = (journal: Journal): History => {
  const world = journal[0]
  if (world?.kind !== "world") throw new Error("A journal begins with its world.")

  const calls: Array<Call> = []
  const callOf = new Map<number, Call>()
  const enqueued = new Map<string, EnqueuedRequest>()
  const applications = new Map<string, ApplicationHistory>()
  const applicationsById = new Map<string, ApplicationHistory>()
  const connectionChanges = new Map<string, Array<Call>>()
  const messages = new Map<string, MessageHistory>()
  const handOvers: Array<HandOverRecord> = []
  const handOverOf = new Map<number, HandOverRecord>()
  const endpoints = new Map<string, EndpointHistory>()
  const endpointByUrl = new Map<string, EndpointHistory>()
  const pendingOf = new Map<EndpointHistory, Set<string>>()
  const attempts: Array<AttemptRecord> = []
  const attemptOf = new Map<number, AttemptRecord>()
  const endpointOfDelivery = new Map<string, string>()
  const uploads = new Map<string, string>()
  const reports = new Map<string, VendorReport>()
  const vendorCallOf = new Map<number, { report: VendorReport; call: VendorReport["calls"][number] }>()
  const faults: Array<FaultPeriod> = []
  let quiet: History["quiet"] = null
  let end: History["end"] = null

  for (const application of world.applications) {
    const known = { application, changes: [], calls: [] }
    applications.set(application.name, known)
    applicationsById.set(application.id, known)
  }
  for (const endpoint of world.endpoints) {
    const known = { ...endpoint, createdFrom: -Infinity, createdUntil: -Infinity, storedAt: -Infinity, ...empty() }
    endpoints.set(endpoint.id, known)
    endpointByUrl.set(endpoint.url, known)
  }

  const messageOf = (id: string): MessageHistory => {
    const known = messages.get(id)
    if (known !== undefined) return known
    const made: MessageHistory = {
      id,
      sightings: [],
      handOvers: [],
      acknowledged: [],
      replied: null,
      rejected: []
    }
    messages.set(id, made)
    return made
  }

  const addChange = (call: Call) => {
    const [resource, id = "", action] = call.path
    if (resource === "applications" && call.request.method === "PATCH") applicationsById.get(id)?.changes.push(call)
    if (resource === "connections" && call.request.method === "PATCH") {
      const known = connectionChanges.get(id)
      if (known === undefined) connectionChanges.set(id, [call])
      else known.push(call)
    }
    if (resource === "webhook-endpoints") {
      const endpoint = endpoints.get(id)
      endpoint?.changes.push(call)
      const url = textAt(call.request.body, "url")
      if (endpoint !== undefined && url !== null) endpointByUrl.set(url, endpoint)
    }
    // Whose delivery it is, is not in the path, but in a list that an administrator read before.
    if (resource === "webhook-deliveries" && action === "replay") {
      const owner = endpoints.get(endpointOfDelivery.get(id) ?? "")
      for (const endpoint of owner === undefined ? endpoints.values() : [owner]) endpoint.changes.push(call)
    }
  }

  const addResponse = (call: Call, response: Response, entry: number) => {
    call.response = response
    if (call.operation === "GET /webhook-deliveries" && response.status === 200) {
      for (const delivery of listAt(response.body, "data")) {
        endpointOfDelivery.set(textAt(delivery, "id") ?? "", textAt(delivery, "endpoint_id") ?? "")
      }
    }
    call.responseEntry = entry
    if (call.operation === "POST /messages" && call.api === "public") {
      for (const id of acknowledgedIds(call)) messageOf(id).acknowledged.push(call)
      const rejected = response.status === 502 ? textAt(response.body, "error", "details", "message_id") : null
      if (rejected !== null) messageOf(rejected).rejected.push(call)
    }
    const reply = objectOf(valueAt(response.body, "data"))
    if (call.operation === "POST /conversations/{}/messages" && response.status === 202 && reply !== null) {
      const message = messageOf(textAt(reply, "id") ?? "")
      message.replied = call
      const { caller } = call.request
      message.sightings.push({ message: reply, entry, at: response.at, since: call.entry, eventType: null, caller })
    }
    if (call.operation === "POST /attachments" && response.status === 201) {
      uploads.set(textAt(response.body, "data", "id") ?? "", String(call.request.body))
    }
    if (response.status === 200) {
      for (const message of messagesIn(call, response.body)) {
        messageOf(textAt(message, "id") ?? "").sightings.push({
          message,
          entry,
          at: response.at,
          since: call.entry,
          eventType: null,
          caller: call.request.caller
        })
      }
    }
    const read = response.status === 200 && quiet !== null ? endpoints.get(call.path[1] ?? "") : undefined
    if (read !== undefined && call.operation === "GET /webhook-endpoints/{}") {
      read.isActiveAtEnd = textAt(response.body, "data", "status") === "active"
    }
    if (read !== undefined && call.operation === "GET /webhook-endpoints/{}/deliveries") {
      const pending = pendingOf.get(read) ?? new Set()
      pendingOf.set(read, pending)
      for (const delivery of listAt(response.body, "data")) {
        if (textAt(delivery, "status") === "pending") pending.add(textAt(delivery, "event_type") ?? "")
      }
      if (textAt(response.body, "links", "next") === null) read.pendingAtEnd = pending
    }
    if (call.operation === "POST /applications/{}/webhook-endpoints" && response.status === 201) {
      const data = valueAt(response.body, "data")
      const id = textAt(data, "id") ?? ""
      if (endpoints.has(id)) return
      const endpoint: EndpointHistory = {
        id,
        applicationId: call.path[1] ?? "",
        events: listAt(data, "events").map(String),
        secret: textAt(data, "secret"),
        createdFrom: call.request.at,
        createdUntil: response.at,
        storedAt: response.at,
        ...empty()
      }
      endpoints.set(id, endpoint)
      endpointByUrl.set(textAt(call.request.body, "url") ?? "", endpoint)
    }
  }

  const subscribedIds = new Map<string, string>()
  const subscribedAt = new Map<string, number>()
  for (const value of journal) {
    if (value.kind !== "subscribed" || subscribedIds.has(value.url)) continue
    subscribedIds.set(value.url, value.endpointId)
    subscribedAt.set(value.url, value.at)
  }
  const addSubscription = (subscribe: Subscribe) => {
    const { at, concurrency, events, ofWorkspace, ordered, ownerId, process, since, url } = subscribe
    let endpoint = endpointByUrl.get(url)
    if (endpoint === undefined) {
      const storedAt = subscribedAt.get(url) ?? Infinity
      endpoint = {
        applicationId: ownerId,
        events,
        id: subscribedIds.get(url) ?? url,
        secret: null,
        createdFrom: since ?? at,
        createdUntil: storedAt === Infinity ? Infinity : (since ?? storedAt),
        storedAt,
        ...empty(),
        subscription: { concurrency, ordered, workspaceId: ofWorkspace ? ownerId : null, served: [] }
      }
      endpoints.set(endpoint.id, endpoint)
      endpointByUrl.set(url, endpoint)
    }
    endpoint.subscription?.served.push({ process, from: at, until: Infinity })
  }
  /** Ends the time in which a process handles events: of one subscription, or of all. */
  const endServing = (process: string, url: string | null, at: number) => {
    for (const endpoint of url === null ? endpoints.values() : [endpointByUrl.get(url)]) {
      for (const period of endpoint?.subscription?.served ?? []) {
        if (period.process === process) period.until = Math.min(period.until, at)
      }
    }
  }

  const addHandling = ({ at, attempt, body, number, process, url }: Handling, entry: number) => {
    const event = objectOf(parsedJson(body))
    const headers = {
      "x-webhook-id": textAt(event, "id") ?? "",
      "x-event-type": textAt(event, "type") ?? "",
      "x-delivery-attempt": String(number),
      "x-delivery-id": `handling ${attempt}`
    }
    addAttempt({ kind: "webhook", at, attempt, process, url, headers, body }, entry)
  }
  const addHandled = ({ at, attempt, succeeded }: Handled, answerEntry: number) => {
    const record = attemptOf.get(attempt)
    if (record === undefined) return
    record.answer = { kind: "webhook-answer", at, attempt, status: succeeded ? 200 : null, arrived: true }
    record.answerEntry = answerEntry
  }

  const addAttempt = (attempt: WebhookAttempt, entry: number) => {
    const event = objectOf(parsedJson(attempt.body))
    const record: AttemptRecord = {
      attempt,
      entry,
      event,
      eventId: attempt.headers["x-webhook-id"] ?? "",
      type: attempt.headers["x-event-type"] ?? "",
      number: Number(attempt.headers["x-delivery-attempt"]),
      endpoint: endpointByUrl.get(attempt.url) ?? null,
      answer: null,
      answerEntry: Infinity
    }
    attempts.push(record)
    attemptOf.set(attempt.attempt, record)
    record.endpoint?.attempts.push(record)
    const message = objectOf(valueAt(event, "data", "message"))
    const id = textAt(message, "id")
    if (message === null || id === null) return
    messageOf(id).sightings.push({
      message,
      entry,
      at: attempt.at,
      since: null,
      eventType: textAt(event, "type"),
      caller: null
    })
  }

  const addOutcome = (known: EnqueuedRequest, outcome: EnqueuedOutcome, entry: number) => {
    known.outcome = outcome
    known.outcomeEntry = entry
    const { answer, at } = outcome
    if (known.call === null || known.call.response !== null || answer === null) return
    known.call.response = { kind: "response", at, request: noRequest, headers: {}, ...answer }
    known.call.responseEntry = entry
    for (const id of acknowledgedIds(known.call)) messageOf(id).acknowledged.push(known.call)
  }

  const addVendorEvent = (event: VendorEvent, entry: number) => {
    const key = `${event.connectionId} ${event.event}`
    let report = reports.get(key)
    if (report === undefined) {
      report = { event, entry, calls: [], acknowledged: null }
      reports.set(key, report)
    }
    const call = { event, entry, answer: null, answerEntry: Infinity }
    report.calls.push(call)
    vendorCallOf.set(event.call, { report, call })
  }

  for (let entry = 1; entry < journal.length; entry++) {
    const value = journal[entry]
    switch (value?.kind) {
      case "request": {
        const { api, path, shape } = routeOf(value.path)
        const operation = `${value.method} ${shape}`
        const call: Call = { request: value, entry, api, path, operation, response: null, responseEntry: Infinity }
        calls.push(call)
        callOf.set(value.request, call)
        applications.get(value.caller)?.calls.push(call)
        if (api === "admin" && value.method !== "GET") addChange(call)
        break
      }
      case "response": {
        const call = callOf.get(value.request)
        if (call !== undefined) addResponse(call, value, entry)
        break
      }
      case "enqueue":
        enqueued.set(value.id, { enqueue: value, entry, call: null, outcome: null, outcomeEntry: Infinity })
        break
      case "enqueued": {
        const known = enqueued.get(value.id)
        if (known !== undefined) known.call = enqueuedCall(known.enqueue, value.at, entry)
        break
      }
      case "enqueued-outcome": {
        const known = enqueued.get(value.id)
        if (known !== undefined) addOutcome(known, value, entry)
        break
      }
      case "hand-over": {
        const record: HandOverRecord = { handOver: value, entry, verdict: null, verdictEntry: Infinity }
        handOvers.push(record)
        handOverOf.set(value.handOver, record)
        messageOf(value.messageId).handOvers.push(record)
        break
      }
      case "verdict": {
        const record = handOverOf.get(value.handOver)
        if (record === undefined) break
        record.verdict = value
        record.verdictEntry = entry
        break
      }
      case "vendor-event":
        addVendorEvent(value, entry)
        break
      case "vendor-event-answer": {
        const known = vendorCallOf.get(value.call)
        if (known === undefined) break
        known.call.answer = value
        known.call.answerEntry = entry
        if (value.status >= 200 && value.status < 300) known.report.acknowledged ??= { at: value.at, entry }
        break
      }
      case "webhook":
        addAttempt(value, entry)
        break
      case "webhook-answer": {
        const record = attemptOf.get(value.attempt)
        if (record === undefined) break
        record.answer = value
        record.answerEntry = entry
        break
      }
      case "subscribe":
        addSubscription(value)
        break
      case "unsubscribe":
        endServing(value.process, value.url, value.at)
        break
      case "handling":
        addHandling(value, entry)
        break
      case "handled":
        addHandled(value, entry)
        break
      case "fault":
        if (value.crashed !== undefined) endServing(value.crashed, null, value.at)
        for (const period of faults) {
          if (value.ends !== undefined && period.fault.begins === value.ends)
            period.until = Math.min(period.until, value.at)
        }
        if (value.outside !== true)
          faults.push({ fault: value, entry, until: value.begins === undefined ? value.at : Infinity })
        break
      case "quiet":
        quiet = { at: value.at, entry }
        for (const period of faults) period.until = Math.min(period.until, value.at)
        break
      case "end":
        end = { at: value.at, entry, files: value.files ?? [] }
        break
    }
  }

  const enqueuedCalls = [...enqueued.values()].flatMap(({ call }) => call ?? [])
  const requests =
    enqueuedCalls.length === 0 ? calls : [...calls, ...enqueuedCalls].sort((one, other) => one.entry - other.entry)

  const unansweredUrls = new Set<string>()
  for (const { operation, request, response } of calls) {
    const url =
      operation === "POST /applications/{}/webhook-endpoints" && response === null ? textAt(request.body, "url") : null
    if (url !== null) unansweredUrls.add(url)
  }

  return {
    journal,
    world,
    calls,
    requests,
    enqueued,
    applications,
    applicationsById,
    connections: new Map(world.connections.map((connection) => [connection.id, connection])),
    connectionChanges,
    messages,
    handOvers,
    endpoints,
    attempts,
    unansweredUrls,
    uploads,
    reports,
    faults,
    quiet,
    end
  }
}

/**
 * Whether no fault can have kept a process from its work or from the storage in a period: none happened or lasted in
 * it, its last millisecond included, or in the minute before. After that, leases have ended and retries were made.
 */
export const isCalm = ({ faults }: History, from: number, until: number): boolean =>
  !faults.some((period) => period.fault.at <= until && period.until > from - settling)

/** Whether no fault lasted in a period, or happened in it. */
export const isUndisturbed = ({ faults }: History, from: number, until: number): boolean =>
  !faults.some((period) => period.fault.at <= until && period.until >= from)

/** The workspace of an endpoint; null where the journal does not name its application. */
export const workspaceOf = ({ applicationsById }: History, endpoint: EndpointHistory): string | null =>
  endpoint.subscription?.workspaceId ?? applicationsById.get(endpoint.applicationId)?.application.workspaceId ?? null

/** The calls that were answered 202 with the id of a message: of an application, or of an agent. */
export const acceptedBy = ({ acknowledged, replied }: MessageHistory): ReadonlyArray<Call> =>
  replied === null ? acknowledged : [...acknowledged, replied]

/** The connection of a message; null where nothing shows it. */
export const connectionIdOf = (message: MessageHistory): string | null => {
  for (const { message: seen } of message.sightings) {
    const id = textAt(seen, "connection_id")
    if (id !== null) return id
  }
  const acknowledged = textAt(message.acknowledged[0]?.response?.body, "data", "connection_id")
  return acknowledged ?? message.handOvers[0]?.handOver.connectionId ?? null
}
