import { allowLists, eventLists, includesType, mayHaveTakenEffect, type Period, periodsOf } from "../endpointChanges.js"
import { type AttemptRecord, type EndpointHistory, type History, workspaceOf } from "../History.js"
import { textAt, valueAt } from "../json.js"
import { attemptTimeout, clockSkew, inFlight } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * An event is delivered only to endpoints that may receive it: of the same workspace; not about a message of another
 * application, which a subscription of the workspace gets, with the name of the application; on a connection of the
 * application's allow-list; subscribed to its type; made before the event
 * (docs/reference/events.md#who-receives-an-event). A deleted or disabled endpoint and a suspended application receive
 * nothing (docs/reference/webhooks.md#endpoint-states, docs/reference/authentication.md#suspended-applications).
 * `webhook.test` goes to its own endpoint.
 *
 * Not checked: events that an administrator recovers, beyond workspace and application; workspaces of contact and lead
 * events, which `tenant-isolation` checks by their ids; messages and bot dialogues of runs.
 */
export function* webhookAudience(history: History): Iterable<Violation> {
  const owners = ownersOf(history)
  const known = new Map<string, Lists>()
  const listsOf = (endpoint: EndpointHistory): Lists => {
    const lists = known.get(endpoint.id) ?? {
      endpoint,
      events: eventLists(endpoint),
      connectionIds: allowLists(history, endpoint.applicationId)
    }
    known.set(endpoint.id, lists)
    return lists
  }
  for (const record of history.attempts) {
    const { attempt, endpoint, entry, event, eventId, type } = record
    if (endpoint === null && history.unansweredUrls.has(attempt.url)) continue
    const problem =
      endpoint === null ? "whose URL no endpoint has" : audienceProblem(history, owners, record, listsOf(endpoint))
    if (problem === null) continue
    yield {
      promise: "webhook-audience",
      at: attempt.at,
      text: `Event ${eventId} (${type}, created at ${textAt(event, "created_at")}) goes to endpoint ${endpoint?.id}, ${problem}.`,
      entries: [entry]
    }
  }
}

/** An endpoint with what it is subscribed to, over time. */
interface Lists {
  readonly endpoint: EndpointHistory
  readonly events: ReadonlyArray<Period<ReadonlyArray<string>>>
  readonly connectionIds: ReadonlyArray<Period<ReadonlyArray<string>>>
}

/** The applications that sent messages, by message id. */
const ownersOf = (history: History): ReadonlyMap<string, string> => {
  const owners = new Map<string, string>()
  for (const { acknowledged, id, rejected } of history.messages.values()) {
    const caller = (acknowledged[0] ?? rejected[0])?.request.caller
    const owner = caller === undefined ? undefined : history.applications.get(caller)?.application.id
    if (owner !== undefined) owners.set(id, owner)
  }
  return owners
}

const connectionOf = ({ event }: AttemptRecord): string | null =>
  textAt(event, "data", "message", "connection_id") ?? textAt(event, "data", "conversation", "connection_id")

const audienceProblem = (
  history: History,
  owners: ReadonlyMap<string, string>,
  record: AttemptRecord,
  { connectionIds, endpoint, events }: Lists
): string | null => {
  const { attempt, event, type } = record
  if (type === "webhook.test") {
    return valueAt(event, "data", "test", "endpoint_id") === endpoint.id ? null : "and is a test of another one"
  }
  const application = history.applicationsById.get(endpoint.applicationId)
  const connectionId = connectionOf(record)
  const connection = connectionId === null ? undefined : history.connections.get(connectionId)
  const workspaceId = workspaceOf(history, endpoint)
  if (connection !== undefined && workspaceId !== null && connection.workspaceId !== workspaceId) {
    return `and is of workspace ${connection.workspaceId}`
  }
  const owner = owners.get(textAt(event, "data", "message", "id") ?? "")
  const named = endpoint.subscription?.workspaceId == null ? endpoint.applicationId : textAt(event, "application_id")
  if (owner !== undefined && owner !== named) return `which is not of application ${owner}, which sent the message`

  const createdAt = Date.parse(textAt(event, "created_at") ?? "")
  const applied = { from: createdAt - clockSkew, until: createdAt + clockSkew }
  const isRecovered = endpoint.changes.some(
    (call) => call.operation.endsWith("/recover") && mayHaveTakenEffect(call) && call.request.at <= attempt.at
  )
  const stopped = stoppedProblem(history, endpoint, attempt.at)
  if (stopped !== null) return stopped
  if (isRecovered) return null
  if (applied.until < endpoint.createdFrom) return "which was made later"
  if (!inForce(events, applied).some((list) => includesType(list, type))) return "which is not subscribed"
  if (
    connectionId !== null &&
    application !== undefined &&
    !inForce(connectionIds, applied).some((ids) => ids.includes(connectionId))
  ) {
    return `whose allow-list does not have connection ${connectionId}`
  }
  return null
}

const inForce = <A>(
  periods: ReadonlyArray<Period<A>>,
  { from, until }: { readonly from: number; readonly until: number }
): ReadonlyArray<A> =>
  periods.filter((period) => period.from <= until && period.until >= from).map(({ value }) => value)

/** Attempts begin before they arrive, and a process may have read the endpoint before it changed. */
const stopping = attemptTimeout + inFlight

const stoppedProblem = (history: History, endpoint: EndpointHistory, at: number): string | null => {
  const deleted = endpoint.changes.find(
    ({ request, response }) => request.method === "DELETE" && response?.status === 200
  )
  if (deleted?.response != null && at > deleted.response.at + stopping) return "which was deleted"
  if (endpoint.changes.length > 0) {
    const statuses = periodsOf("active", -Infinity, endpoint.changes, (body) => textAt(body, "status") ?? undefined)
    if (isStopped(statuses, at, "disabled")) return "which is disabled"
  }
  const changes = history.applicationsById.get(endpoint.applicationId)?.changes ?? []
  if (changes.length > 0) {
    const statuses = periodsOf("active", -Infinity, changes, (body) => textAt(body, "status") ?? undefined)
    if (isStopped(statuses, at, "suspended")) return "whose application is suspended"
  }
  return null
}

/** Whether all values that may be in force shortly before are the stopping one. */
const isStopped = (statuses: ReadonlyArray<Period<string>>, at: number, stopped: string): boolean =>
  inForce(statuses, { from: at - stopping, until: at }).every((status) => status === stopped)
