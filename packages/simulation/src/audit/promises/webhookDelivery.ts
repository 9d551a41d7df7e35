import { botsOf, lastOf } from "../botSessions.js"
import { allowLists, eventLists, includesType, isSuccess } from "../endpointChanges.js"
import { erasureOfMessage, erasuresOf } from "../erasures.js"
import {
  type AttemptRecord,
  acceptedBy,
  connectionIdOf,
  type EndpointHistory,
  type History,
  type MessageHistory,
  workspaceOf
} from "../History.js"
import { listAt, textAt, timeAt, valueAt } from "../json.js"
import { receivesUntil } from "../receivers.js"
import { delaysOf, lastNumber } from "../retryDelays.js"
import { servedUntil } from "../serving.js"
import { clockSkew, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"
import { byEvent } from "./webhookSchedule.js"

const steps = ["queued", "sent", "delivered", "read"]

/**
 * Each state of a message reaches every endpoint that may receive it, at least once: at the end of the history an
 * attempt was answered 2xx, or its next attempt is not due yet, or the schedule is exhausted
 * (docs/reference/events.md#written-with-the-state-change, docs/reference/webhooks.md#retry-schedule). So does
 * `contact.created` of a contact that `POST /contacts` made, the begin and the end of a bot's session, and
 * `enqueued.failed` of a request that was refused (docs/reference/enqueue.md#outcome).
 *
 * Not checked: endpoints and applications from the time at which an administrator changes them; endpoints that may have
 * been disabled, or whose application was suspended or lost a scope; events before the endpoint was made; events of
 * erased contacts; and other types of events.
 */
export function* webhookDelivery(history: History): Iterable<Violation> {
  yield* deliveryStates(history)
  if (history.end === null) return
  const receivers = [...history.endpoints.values()].map((endpoint) => receiverOf(history, endpoint))
  if (receivers.length === 0) return
  const erasures = erasuresOf(history)
  for (const message of history.messages.values()) {
    if (erasureOfMessage(erasures, message) !== null) continue
    const states = statesOf(message)
    for (const receiver of receivers) {
      if (!mayReceive(history, receiver, message)) continue
      for (const { at, entry, type } of states) {
        // An event happened before it was seen, and by how much is not known: the first sign of the message is its
        // earliest time.
        if (at > receiver.until || firstSignOf(message) < receiver.from || !includesType(receiver.events, type))
          continue
        yield* delivered(history, receiver, `${type} ${message.id}`, at, entry)
      }
    }
  }
  yield* createdContacts(history, receivers, erasures)
  yield* botEvents(history, receivers, erasures)
  yield* refusals(history, receivers)
}

/**
 * Deliveries that administrators read as delivered without an answer 2xx, as failed before the last attempt of the
 * schedule, or, after the quiet, as pending without a time or a reason
 * (docs/reference/webhooks.md#success-and-failure, docs/reference/webhooks.md#delivery-states).
 */
function* deliveryStates(history: History): Iterable<Violation> {
  if (history.world.unseenAttempts !== undefined) return
  // A delivery whose event was erased fails.
  const mayFail = erasuresOf(history).size > 0
  for (const { operation, path, request, response, responseEntry } of history.calls) {
    const endpoint = history.endpoints.get(path[1] ?? "")
    if (operation !== "GET /webhook-endpoints/{}/deliveries" || response?.status !== 200 || endpoint === undefined)
      continue
    const isDeleted = endpoint.changes.some(({ request }) => request.method === "DELETE")
    const attempts = byEvent(endpoint)
    for (const delivery of listAt(response.body, "data")) {
      const status = textAt(delivery, "status")
      const made = (attempts.get(textAt(delivery, "event_id") ?? "") ?? []).filter(({ entry }) => entry < responseEntry)
      const isBroken =
        status === "delivered"
          ? !made.some(isSuccess)
          : status === "pending"
            ? isQuiet(history, request.at) && isForgotten(delivery, request.at) && servedUntil(endpoint) > request.at
            : status === "failed" && !isDeleted && !mayFail && !isExhausted(endpoint, delivery, made)
      if (!isBroken) continue
      yield {
        promise: "delivery-state-has-a-cause",
        at: response.at,
        text: `The delivery of event ${textAt(delivery, "event_id")} to endpoint ${endpoint.id} is ${status} after ${made.length} attempts, ${made.filter(isSuccess).length} of which succeeded.`,
        entries: [responseEntry]
      }
    }
  }
}

const isQuiet = ({ quiet }: History, at: number): boolean => quiet !== null && at > quiet.at + settling

/** Whether a pending delivery has neither a time nor a reason to wait, or its time has passed. */
const isForgotten = (delivery: unknown, at: number): boolean => {
  const next = timeAt(delivery, "next_attempt_at")
  return next === null ? textAt(delivery, "waiting_for") === null : next < at - settling
}

/** Whether a failed delivery had its last attempt. Of those at a subscription, a fault may hide the last one. */
const isExhausted = (endpoint: EndpointHistory, delivery: unknown, made: ReadonlyArray<AttemptRecord>): boolean => {
  if (endpoint.subscription === null) return made.some(({ number, type }) => number >= lastNumber(endpoint, type))
  return Number(valueAt(delivery, "attempt_count")) >= lastNumber(endpoint, textAt(delivery, "event_type") ?? "")
}

/** An endpoint, with the time in which it receives events for certain. */
interface Receiver {
  readonly endpoint: EndpointHistory
  readonly events: ReadonlyArray<string>
  readonly connectionIds: ReadonlyArray<string>
  readonly caller: string | null
  readonly workspaceId: string | null
  readonly from: number
  readonly until: number
  /** Attempts by type and id of the resource. */
  readonly attempts: ReadonlyMap<string, ReadonlyArray<AttemptRecord>>
}

const receiverOf = (history: History, endpoint: EndpointHistory): Receiver => {
  const application = history.applicationsById.get(endpoint.applicationId)?.application
  const attempts = new Map<string, ReadonlyArray<AttemptRecord>>()
  for (const records of byEvent(endpoint).values()) {
    const event = records[0]?.event
    const id =
      textAt(event, "data", "message", "id") ??
      textAt(event, "data", "bot", "session_id") ??
      textAt(event, "data", "contact", "id") ??
      textAt(event, "data", "enqueued", "id")
    attempts.set(`${records[0]?.type} ${id}`, records)
  }
  return {
    endpoint,
    events: eventLists(endpoint)[0]?.value ?? [],
    connectionIds: allowLists(history, endpoint.applicationId)[0]?.value ?? [],
    caller: application?.name ?? null,
    workspaceId: workspaceOf(history, endpoint),
    from: endpoint.createdUntil + clockSkew,
    until: receivesUntil(history, endpoint) - clockSkew,
    attempts
  }
}

/** The states that a message was seen in, and those before them. */
const statesOf = (
  message: MessageHistory
): ReadonlyArray<{ readonly type: string; readonly at: number; readonly entry: number }> => {
  const states: Array<{ readonly type: string; readonly at: number; readonly entry: number }> = []
  const add = (type: string, at: number, entry: number) => {
    if (!states.some((state) => state.type === type)) states.push({ type, at, entry })
  }
  for (const { request, response, responseEntry } of [...acceptedBy(message), ...message.rejected]) {
    add("message.queued", response?.at ?? request.at, responseEntry)
    if (response?.status === 502) add("message.failed", response.at, responseEntry)
  }
  for (const { at, entry, message: seen } of message.sightings) {
    if (textAt(seen, "direction") === "inbound") {
      add("message.received", at, entry)
      continue
    }
    const status = textAt(seen, "status") ?? ""
    for (let rank = 0; rank <= steps.indexOf(status); rank++) add(`message.${steps[rank]}`, at, entry)
    if (status === "failed") add("message.failed", at, entry)
  }
  return states
}

/** Time of the first entry that the message is due to: the request that made it. */
const firstSignOf = (message: MessageHistory): number => {
  const { handOvers, rejected, sightings } = message
  const signs = [
    ...[...acceptedBy(message), ...rejected].map(({ request }) => request.at),
    ...handOvers.slice(0, 1).map(({ handOver }) => handOver.at)
  ]
  const seen = sightings[0]?.message
  return signs.length > 0 || seen === undefined
    ? Math.min(...signs)
    : Date.parse(textAt(seen, "received_at") ?? "") || 0
}

/**
 * Messages of applications go to their own endpoints, and to the workspace; inbound ones and agents' replies to all.
 * Those of runs and bots are left out.
 */
const mayReceive = (history: History, receiver: Receiver, message: MessageHistory): boolean => {
  const ofWorkspace = receiver.endpoint.subscription?.workspaceId != null
  const connectionId = connectionIdOf(message)
  if (connectionId === null || !(ofWorkspace || receiver.connectionIds.includes(connectionId))) return false
  if (history.connections.get(connectionId)?.workspaceId !== receiver.workspaceId) return false
  const caller = (message.acknowledged[0] ?? message.rejected[0])?.request.caller
  if (caller !== undefined) return ofWorkspace || caller === receiver.caller
  return message.replied !== null || textAt(message.sightings[0]?.message, "direction") === "inbound"
}

function* delivered(history: History, receiver: Receiver, key: string, at: number, entry: number): Iterable<Violation> {
  const attempts = receiver.attempts.get(key) ?? []
  if (attempts.some(isSuccess)) return
  const end = history.end?.at ?? 0
  const calm = Math.max(history.quiet?.at ?? 0, at) + settling
  const last = attempts.at(-1)
  const delays = delaysOf(receiver.endpoint)
  const delay = last === undefined ? 0 : delays[last.number - 1]
  if (delay === undefined) return
  // 10 % of jitter, and the time limit of the attempt before.
  const due = last === undefined ? at : last.attempt.at + delay * 1.1 + settling
  if (Math.max(due, calm) > end) return
  // Attempts that reached no receiver delay the next one by up to a day. Then a list shows a delivery of this type as
  // pending.
  const mayWait = receiver.endpoint.pendingAtEnd?.has(key.slice(0, key.indexOf(" "))) ?? true
  if (history.world.unseenAttempts !== undefined && end < calm + 1.1 * (delays.at(-1) ?? 0) && mayWait) return
  // Behind an earlier event that is tried again, it waits.
  if (receiver.endpoint.subscription?.ordered === true && mayWait && hasFailing(receiver.endpoint)) return
  // Without a process that handles it, the event waits. `subscriptions.ts` checks that this is stated.
  if (servedUntil(receiver.endpoint) < Math.max(due, calm) && mayWait) return
  yield {
    promise: "event-delivered",
    at: end,
    text: `Event ${key.replace(" ", " of ")} did not arrive at endpoint ${receiver.endpoint.id}${
      last === undefined ? "" : `, and attempt ${last.number} was the last one`
    }.`,
    entries: last === undefined ? [entry] : [entry, last.entry]
  }
}

/** Whether an event was tried without success. */
const hasFailing = (endpoint: EndpointHistory): boolean =>
  [...byEvent(endpoint).values()].some((attempts) => !attempts.some(isSuccess))

function* botEvents(
  history: History,
  receivers: ReadonlyArray<Receiver>,
  erasures: ReadonlyMap<string, unknown>
): Iterable<Violation> {
  for (const found of botsOf(history).sessions.values()) {
    const { call, session } = lastOf(found)
    const ending = textAt(session, "status") === "handed_off" ? "bot.handoff" : "bot.completed"
    const events = [
      ["bot.started", timeAt(session, "started_at")],
      [ending, timeAt(session, "ended_at")]
    ] as const
    if (erasures.has(found.contactId)) continue
    for (const receiver of receivers) {
      const { connectionIds, endpoint, events: types, from, until, workspaceId } = receiver
      const ofWorkspace = endpoint.subscription?.workspaceId != null
      if (history.connections.get(found.connectionId)?.workspaceId !== workspaceId) continue
      if (!ofWorkspace && !connectionIds.includes(found.connectionId)) continue
      if (!ofWorkspace && found.applicationId !== null && found.applicationId !== endpoint.applicationId) continue
      for (const [type, at] of events) {
        if (at === null || at < from || at > until || !includesType(types, type)) continue
        yield* delivered(history, receiver, `${type} ${found.id}`, at, call.responseEntry)
      }
    }
  }
}

function* createdContacts(
  history: History,
  receivers: ReadonlyArray<Receiver>,
  erasures: ReadonlyMap<string, unknown>
): Iterable<Violation> {
  for (const { api, operation, request, response, responseEntry } of history.calls) {
    if (operation !== "POST /contacts" || api !== "public" || response?.status !== 201) continue
    const id = textAt(response.body, "data", "id") ?? ""
    const workspaceId = history.applications.get(request.caller)?.application.workspaceId
    if (erasures.has(id)) continue
    for (const receiver of receivers) {
      if (receiver.workspaceId !== workspaceId || !includesType(receiver.events, "contact.created")) continue
      // A replay answers for an event of an earlier request.
      if (response.headers["idempotency-replayed"] === "true") continue
      if (request.at < receiver.from || response.at > receiver.until) continue
      yield* delivered(history, receiver, `contact.created ${id}`, response.at, responseEntry)
    }
  }
}

function* refusals(history: History, receivers: ReadonlyArray<Receiver>): Iterable<Violation> {
  for (const { call, enqueue, outcome, outcomeEntry } of history.enqueued.values()) {
    if (call === null || outcome?.status !== "refused") continue
    const workspaceId = history.applications.get(enqueue.caller)?.application.workspaceId
    for (const receiver of receivers) {
      const ofWorkspace = receiver.endpoint.subscription?.workspaceId != null
      if (ofWorkspace ? receiver.workspaceId !== workspaceId : receiver.caller !== enqueue.caller) continue
      if (!includesType(receiver.events, "enqueued.failed")) continue
      if (call.request.at < receiver.from || outcome.at > receiver.until) continue
      yield* delivered(history, receiver, `enqueued.failed ${enqueue.id}`, outcome.at, outcomeEntry)
    }
  }
}
