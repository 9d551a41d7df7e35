import { Effect } from "effect"
import { makeIssuedKeys } from "./apiKeys.js"
import { bodyOfOrder, makeAutomation } from "./automation.js"
import { makeDialogues } from "./dialogues.js"
import type { Faults } from "./Faults.js"
import type { Hosts } from "./Hosts.js"
import type { Outside, Received } from "./Outside.js"
import type { Receivers } from "./Receivers.js"
import type { Recorder } from "./Recorder.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"
import type { Action, Disturbance, PlannedFile, PlannedOrder, PlannedSend, Step } from "./Step.js"
import type { Subscribers } from "./Subscribers.js"
import type { Timeline } from "./Timeline.js"
import { apiKeys, worldAt } from "./tenants.js"
import { makeTransactions } from "./transactions.js"
import type { Vendor } from "./Vendor.js"

interface Context {
  readonly faults: Faults
  readonly outside: Outside
  readonly receivers: Receivers
  readonly recorder: Recorder
  readonly subscribers: Subscribers
  readonly hosts: Hosts
  readonly timeline: Timeline
  readonly vendor: Vendor
  readonly powerCut: () => void
  /** Waits in simulated time, in ms. */
  readonly pass: (ms: number) => Effect.Effect<void>
}

/** The window of the rate limits in ms. */
const rateWindowMs = 60_000

/** When an application reads the outcome of a request that it wrote in a transaction: in ms after the commit. */
const readOutcomeAfterMs = [1_000, 5_000, 20_000] as const

/** The body of a send. `attachments`: null without files. */
const bodyOf = ({ channel, reference, text, to }: PlannedSend, attachments: ReadonlyArray<object | null> | null) => ({
  channel,
  to,
  type: attachments === null ? "text" : "media",
  message: { body: text, ...(attachments === null ? {} : { attachments }) },
  ...(reference === null ? {} : { external_reference: reference })
})

interface Acknowledgement {
  readonly message_id: string
  readonly message_ids?: ReadonlyArray<string>
  readonly contact_id: string
  readonly conversation_id: string
}

/** A response 502: the provider rejected the message while its request waited. */
interface Rejection {
  readonly error: { readonly details: { readonly message_id?: string } }
}

/** Performs the steps of a plan. `readAll` reads all that the callers can see, at the end. */
export const perform = (context: Context) => {
  const { faults, hosts, outside, receivers, recorder, subscribers, timeline, vendor } = context
  const sent: Array<PlannedSend> = []
  const messages: Array<{ readonly application: string; readonly id: string }> = []
  const contacts: Array<{ readonly application: string; readonly id: string }> = []
  /** Modulo the length of the list; -1: the last one. */
  const nth = <A>(list: ReadonlyArray<A>, n: number): A | undefined => list.at(list.length === 0 ? 0 : n % list.length)

  const conversations: Array<{ readonly application: string; readonly id: string }> = []
  /** Remembers what an accepted send names, for later readings. */
  const acknowledge = (
    application: string,
    { contact_id, conversation_id, message_id, message_ids }: Acknowledgement
  ): void => {
    for (const id of message_ids ?? [message_id]) messages.push({ application, id })
    if (!conversations.some(({ id }) => id === conversation_id))
      conversations.push({ application, id: conversation_id })
    if (!contacts.some(({ id }) => id === contact_id)) contacts.push({ application, id: contact_id })
  }
  const keys = makeIssuedKeys(outside)
  const transactions = makeTransactions(hosts.serving, recorder, (application, response) =>
    acknowledge(application, response as Acknowledgement)
  )

  /** Uploads a file with this content; null without an answer. Each application repeats its uploads under one key. */
  const upload = (application: string, content: string) =>
    Effect.map(
      outside.request(application, "POST", "/api/v1/attachments", {
        idempotencyKey: content,
        body: content,
        isFile: true
      }),
      (received) =>
        received?.status === 201 ? (received.body as { readonly data: { readonly id: string } }).data.id : null
    )
  const attachmentOf = (application: string, file: PlannedFile): Effect.Effect<object | null> =>
    "url" in file
      ? Effect.succeed(file)
      : Effect.map(upload(application, file.upload), (id) => (id === null ? null : { attachment_id: id }))

  const post = (send: PlannedSend) =>
    Effect.flatMap(
      Effect.forEach(send.files ?? [], (file) => attachmentOf(send.application, file)),
      (attachments) => (attachments.includes(null) ? Effect.void : postWith(send, attachments))
    )
  const postWith = (send: PlannedSend, attachments: ReadonlyArray<object | null>) => {
    const { application, files, key } = send
    return Effect.map(
      outside.request(application, "POST", "/api/v1/messages", {
        idempotencyKey: key,
        body: bodyOf(send, files === undefined ? null : attachments)
      }),
      (received) => {
        const rejected = received?.status === 502 ? (received.body as Rejection).error.details.message_id : undefined
        if (rejected !== undefined) messages.push({ application, id: rejected })
        if (received?.status === 202)
          acknowledge(application, (received.body as { readonly data: Acknowledgement }).data)
      }
    )
  }
  const administer = (method: string, path: string, body?: unknown) =>
    Effect.asVoid(outside.request("administrator", method, `/admin/v1${path}`, body === undefined ? {} : { body }))

  /** Replays the newest delivery of a message. */
  const replay = (messageId: string) =>
    Effect.flatMap(
      outside.request("administrator", "GET", `/admin/v1/webhook-deliveries?message_id=${messageId}`),
      (received) => {
        if (received?.status !== 200) return Effect.void
        const [newest] = (received.body as { readonly data: ReadonlyArray<{ readonly id: string }> }).data
        return newest === undefined ? Effect.void : administer("POST", `/webhook-deliveries/${newest.id}/replay`)
      }
    )

  /** Paths of the applications and connections that administrators changed. */
  const changed = new Set<string>()
  const setStatus = (path: string, status: string) => {
    changed.add(path)
    return administer("PATCH", path, { status })
  }

  const idsIn = (received: Received | null): ReadonlyArray<string> =>
    received?.status === 200
      ? (received.body as { readonly data: ReadonlyArray<{ readonly id: string }> }).data.map(({ id }) => id)
      : []
  const readForeign = (application: string, of: string) =>
    Effect.gen(function* () {
      const get = (caller: string, path: string) => outside.request(caller, "GET", `/api/v1${path}`)
      for (const id of idsIn(yield* get(of, "/conversations"))) {
        const found = idsIn(yield* get(of, `/conversations/${id}/messages?limit=10`))
        yield* get(application, `/conversations/${id}`)
        yield* get(application, `/conversations/${id}/messages?limit=10`)
        for (const message of found) yield* get(application, `/messages/${message}`)
      }
    })

  /** The event of an order; null if the application knows no contact yet. */
  const orderOf = ({ application, nth: index, order }: PlannedOrder) => {
    const known = contacts.filter((one) => one.application === application)
    const contact = nth(known, index)
    return contact === undefined ? null : bodyOfOrder(application, contact.id, order)
  }

  const act = (action: Action): Effect.Effect<void> => {
    switch (action.type) {
      case "send":
        sent.push(action)
        return post(action)
      case "enqueue": {
        const { request } = action
        const body = request.type === "send" ? bodyOf(request, null) : orderOf(request)
        if (body === null) return Effect.void
        return Effect.flatMap(transactions.enqueue(action, body), (isCommitted) => {
          if (!isCommitted) return Effect.void
          if (request.type === "send") sent.push(request)
          return Effect.forEach(
            readOutcomeAfterMs,
            (ms) => Effect.zipRight(context.pass(ms), transactions.readOutcomes),
            { discard: true }
          )
        })
      }
      case "repeat": {
        const earlier = nth(
          sent.filter(({ application }) => application === action.application),
          action.nth
        )
        if (earlier === undefined) return Effect.void
        return post(action.changed ? { ...earlier, text: `${earlier.text}!` } : earlier)
      }
      case "read": {
        const { application, what } = action
        const lists = { message: messages, contact: contacts, messages: conversations, conversations: [], contacts: [] }
        const known = nth<{ readonly id: string }>(lists[what], action.nth)?.id
        const path = {
          message: `/messages/${known}`,
          contact: `/contacts/${known}`,
          messages: `/conversations/${known}/messages?limit=50`,
          conversations: "/conversations",
          contacts: "/contacts"
        }[what]
        if (known === undefined && what !== "conversations" && what !== "contacts") return Effect.void
        return Effect.asVoid(outside.request(application, "GET", `/api/v1${path}`))
      }
      case "read-foreign":
        return readForeign(action.application, action.of)
      case "write": {
        const id = `customer-${recorder.number()}`
        const { connectionId, from, text } = action
        return outside.report(connectionId, id, {
          type: "message",
          providerMessageId: id,
          from,
          text,
          sentAt: timeline.now()
        })
      }
      case "set-application":
        return setStatus(`/applications/${action.applicationId}`, action.status)
      case "set-endpoint":
        return administer("PATCH", `/webhook-endpoints/${action.endpointId}`, { status: action.status })
      case "subscribe":
        return Effect.sync(() => hosts.subscribe(action.host, action.subscription))
      case "unsubscribe":
        return Effect.sync(() => hosts.unsubscribe(action.host, action.subscription))
      case "set-subscription": {
        const id = nth(hosts.subscriptionIds(), action.nth)
        return id === undefined
          ? Effect.void
          : administer("PATCH", `/webhook-endpoints/${id}`, { status: action.status })
      }
      case "set-connection":
        return setStatus(`/connections/${action.connectionId}`, action.status)
      case "rotate-endpoint":
        return administer("POST", `/webhook-endpoints/${action.endpointId}/rotate-secret`)
      case "recover-endpoint":
        return administer("POST", `/webhook-endpoints/${action.endpointId}/recover`, {
          since: new Date(timeline.now() - 600_000).toISOString()
        })
      case "issue-key":
        return keys.issue(action.application)
      case "rotate-key":
        return keys.rotate(action.nth)
      case "revoke-key":
        return keys.revoke(action.nth)
      case "use-key":
        return keys.use(action.nth)
      case "publish-workflow":
        return automation.publish(action.workspaceId, action.wait)
      case "order": {
        const body = orderOf(action)
        return body === null ? Effect.void : automation.order(action.application, body)
      }
      case "read-runs":
        return automation.readRuns(action.workspaceId)
      case "publish-bot":
        return dialogues.publish(action.bot)
      case "reply":
      case "resolve":
        return dialogues[action.type](action.workspaceId, action.nth)
      case "change-number": {
        const contact = nth(contacts, action.nth)
        return contact === undefined
          ? Effect.void
          : administer("PATCH", `/contacts/${contact.id}`, { phone: action.phone })
      }
      case "replay-delivery": {
        const message = nth(messages, action.nth)
        return message === undefined ? Effect.void : replay(message.id)
      }
      case "erase": {
        const contact = nth(contacts, action.nth)
        return contact === undefined ? Effect.void : administer("DELETE", `/contacts/${contact.id}`)
      }
      case "merge": {
        const [into, from] = [nth(contacts, action.into), nth(contacts, action.nth)]
        if (into === undefined || from === undefined || into.id === from.id) return Effect.void
        return administer("POST", `/contacts/${into.id}/merge`, { contact_id: from.id })
      }
    }
  }

  const disturb = (disturbance: Disturbance): void => {
    const process = "process" in disturbance ? hosts.processOf(disturbance.process) : undefined
    if ("process" in disturbance && process?.isAlive() !== true) return
    const name = process?.name ?? ""
    const note = (text: string) => recorder.record({ kind: "fault", text })
    const noteOutside = (text: string) => recorder.record({ kind: "fault", text, outside: true })
    const lasts = (text: string, ms: number) => {
      const fault = `fault ${recorder.number()}`
      recorder.record({ kind: "fault", text: `${text} for ${ms} ms`, begins: fault })
      timeline.after(ms, () => recorder.record({ kind: "fault", text: `${text} no longer`, ends: fault }))
    }
    switch (disturbance.type) {
      case "crash":
        if (disturbance.port === null) return void process?.crash()
        return void faults.crashAtNextCall(name, disturbance.port, disturbance.when)
      case "stop":
        return void hosts.shutDown(disturbance.process)
      case "stall":
        lasts(`${name} stalls`, disturbance.ms)
        return void process?.stall(disturbance.ms)
      case "suspend":
        lasts(`the machine of ${name} is suspended`, disturbance.ms)
        return void process?.suspend(disturbance.ms)
      case "stall-at": {
        const { call, ms } = disturbance
        return void faults.stallAtNextCall(call, (caller) => {
          lasts(`${caller.name} stalls in ${call}`, ms)
          caller.stall(ms)
        })
      }
      case "stall-all":
        lasts("all processes stall", disturbance.ms)
        return void hosts.stallAll(disturbance.ms)
      case "step-clock":
        note(`the clock of ${name} steps by ${disturbance.ms} ms`)
        return void process?.stepClock(disturbance.ms)
      case "drift":
        note(`the clock of ${name} drifts by ${disturbance.msPerSecond} ms/s`)
        return void process?.drift(disturbance.msPerSecond)
      case "storage-away":
        lasts("the database is away", disturbance.ms)
        return void faults.takeStorageAway(disturbance.ms)
      case "lose-commit":
        note(`the next commit of ${name} gets no answer, and is ${disturbance.applied ? "applied" : "not applied"}`)
        return void faults.loseNextCommit(name, disturbance.applied)
      case "fail-calls": {
        const { call, count } = disturbance
        return void faults.failNextCalls(name, call, count, () => note(`the call ${call} of ${name} fails`))
      }
      case "slow":
        recorder.record({ kind: "fault", text: "the database is fast", ends: "slow" })
        if (disturbance.ms > 0) {
          const text = `the database takes up to ${disturbance.ms} ms longer`
          recorder.record({ kind: "fault", text, begins: "slow" })
        }
        return void faults.slowDown(disturbance.ms)
      case "power-cut":
        recorder.record({ kind: "fault", text: "power cut of the database", powerCut: true })
        return void context.powerCut()
      case "hints": {
        const { late, lost, doubled } = disturbance
        note(`hints are lost, doubled and late with probabilities ${lost}, ${doubled} and ${late}`)
        return void faults.setHintFaults({ late, lost, doubled })
      }
      case "vendor":
        noteOutside(`the vendors change: ${JSON.stringify(disturbance.mood)}`)
        return void vendor.setMood(disturbance.mood)
      case "receiver":
        noteOutside(`${disturbance.url} ${disturbance.mood}`)
        receivers.setMood(disturbance.url, disturbance.mood)
        return void subscribers.setMood(disturbance.url, disturbance.mood)
    }
  }

  const endpointIds = () => [...worldAt(0).endpoints.map(({ id }) => id), ...hosts.subscriptionIds()]
  const activate = (path: string) =>
    Effect.flatMap(outside.request("administrator", "GET", `/admin/v1${path}`), (received) => {
      const { status } = (received?.body as { readonly data?: { readonly status?: string } } | null)?.data ?? {}
      return status === "active" ? Effect.void : administer("PATCH", path, { status: "active" })
    })
  /**
   * Activates all that was paused, suspended or disabled, so that no work waits for it. The rest is not changed: the
   * audit does not check deliveries to endpoints that an administrator changed.
   */
  const activateAll = Effect.gen(function* () {
    for (const path of changed) yield* activate(path)
    for (const id of endpointIds()) yield* activate(`/webhook-endpoints/${id}`)
  })

  /** Reads, and waits for the next window where the rate limit is reached. */
  const read = (caller: string, path: string): ReturnType<Outside["request"]> =>
    Effect.flatMap(outside.request(caller, "GET", path), (received) =>
      received?.status === 429
        ? Effect.zipRight(context.pass(rateWindowMs), read(caller, path))
        : Effect.succeed(received)
    )
  const automation = makeAutomation(outside, (path) => read("administrator", path), recorder.number)
  const dialogues = makeDialogues(outside, read, recorder.number)
  const pages = (application: string, path: string): Effect.Effect<void> =>
    Effect.flatMap(read(application, path), (received) => {
      const next = (received?.body as { readonly links?: { readonly next: string | null } } | null)?.links?.next
      return next == null ? Effect.void : pages(application, next.slice(next.indexOf("/api/v1")))
    })
  const readAll = Effect.gen(function* () {
    yield* transactions.readOutcomes
    for (const application of apiKeys.keys()) {
      for (const { id } of messages.filter((one) => one.application === application)) {
        const found = yield* read(application, `/api/v1/messages/${id}`)
        const { status } = (found?.body as { readonly data?: { readonly status: string } } | null)?.data ?? {}
        if (status === "queued") yield* read("administrator", `/admin/v1/messages/${id}/sending`)
      }
      yield* pages(application, "/api/v1/conversations?per_page=100")
      yield* pages(application, "/api/v1/contacts?per_page=100")
    }
    for (const id of endpointIds()) {
      yield* read("administrator", `/admin/v1/webhook-endpoints/${id}/deliveries?limit=100`)
    }
    yield* automation.readAll
    yield* dialogues.readAll
    for (const lane of [
      "sends",
      "receipts",
      "deliveries",
      "retries",
      "subscriptions",
      "runs",
      "calls",
      "enqueued",
      "parked"
    ]) {
      yield* outside.request("administrator", "GET", `/admin/v1/jobs?lane=${lane}`)
    }
    yield* outside.request("administrator", "GET", "/admin/v1/status")
  })

  const step = (step: Step, outsideProcess: SimulatedProcess): void => {
    if ("action" in step) outsideProcess.fork(act(step.action))
    else disturb(step.disturbance)
  }
  return Object.assign(step, { activateAll, readAll })
}
