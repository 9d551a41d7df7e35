import { allowLists } from "../endpointChanges.js"
import { type Call, type History, isUuid, workspaceOf } from "../History.js"
import { textAt, valueAt } from "../json.js"
import { plainHandle } from "../plainHandle.js"
import type { Violation } from "../Violation.js"

/** Fields with ids that are not Parley's, or not of a workspace. */
const foreign = new Set(["external_id", "provider_message_id", "request_id"])

/** Fields that carry a customer's handle. */
const handleFields = new Set(["handle", "email", "phone"])

/**
 * Two workspaces share nothing: an id or a handle of one never appears in a response or a webhook of another
 * (docs/reference/authentication.md#visibility). Two applications of one workspace never see each other's messages, and
 * see conversations and messages on connections of their allow-list only
 * (docs/reference/authentication.md#visibility-of-messages, docs/reference/authentication.md#allow-list).
 *
 * Not checked: responses to administrators, who see everything; names and texts; handles that callers or customers of
 * both workspaces use; messages of runs and bots, whose application the journal does not show; webhooks to other
 * applications, which `webhook-audience` checks.
 */
export function* isolation(history: History): Iterable<Violation> {
  yield* workspaces(history)
  yield* messages(history)
  yield* connections(history)
}

/** What applications and their endpoints received, by workspace. */
function* received(
  history: History
): Iterable<{ readonly workspaceId: string; readonly at: number; readonly entry: number; readonly body: unknown }> {
  for (const { application, calls } of history.applications.values()) {
    for (const { response, responseEntry } of calls) {
      if (response === null) continue
      yield { workspaceId: application.workspaceId, at: response.at, entry: responseEntry, body: response.body }
    }
  }
  for (const { attempt, endpoint, entry, event } of history.attempts) {
    const workspaceId = endpoint === null ? null : workspaceOf(history, endpoint)
    if (workspaceId === null) continue
    yield { workspaceId, at: attempt.at, entry, body: event }
  }
}

/** Visits each text of a JSON value with its field. Links repeat what the caller asked for. */
const visitTexts = (value: unknown, visit: (field: string, text: string) => void, field = ""): void => {
  if (typeof value === "string") visit(field, value)
  else if (Array.isArray(value)) for (const item of value) visitTexts(item, visit, field)
  else if (typeof value === "object" && value !== null) {
    for (const name in value) {
      if (name !== "links") visitTexts((value as { readonly [name: string]: unknown })[name], visit, name)
    }
  }
}

const isIdField = (field: string): boolean =>
  field === "id" || ((field.endsWith("_id") || field.endsWith("_ids")) && !foreign.has(field))

function* workspaces(history: History): Iterable<Violation> {
  const owners = new Map<string, { readonly workspaceId: string; readonly entry: number }>()
  const { world } = history
  for (const { id, workspaceId } of [...world.connections, ...world.applications]) {
    owners.set(id, { workspaceId, entry: 0 })
  }
  for (const { id } of world.workspaces) owners.set(id, { workspaceId: id, entry: 0 })
  const given = world.workspaces.length < 2 ? null : givenHandles(history)
  const found: Array<Violation> = []
  for (const { at, body, entry, workspaceId } of received(history)) {
    const add = (text: string, owner: string, entries: ReadonlyArray<number>) => {
      const problem = `${text} of workspace ${owner} appears in workspace ${workspaceId}.`
      found.push({ promise: "workspace-isolation", at, text: problem, entries })
    }
    visitTexts(body, (field, text) => {
      if (isIdField(field) && isUuid(text)) {
        const owner = owners.get(text)
        if (owner === undefined) owners.set(text, { workspaceId, entry })
        else if (owner.workspaceId !== workspaceId) add(`${text} (${field})`, owner.workspaceId, [owner.entry, entry])
      } else if (given !== null && handleFields.has(field)) {
        const known = given.get(plainHandle(text))
        if (known != null && !known.has(workspaceId)) add(`The ${field} ${text}`, [...known].join(", "), [entry])
      }
    })
  }
  yield* found
}

/** The workspaces in which each handle was given by a caller, an administrator or a customer; null: all of them. */
const givenHandles = (history: History): ReadonlyMap<string, ReadonlySet<string> | null> => {
  const given = new Map<string, Set<string> | null>()
  const add = (handle: string, workspaceId: string | null) => {
    const key = plainHandle(handle)
    if (workspaceId === null) given.set(key, null)
    const known = given.get(key)
    if (known === null || workspaceId === null) return
    if (known === undefined) given.set(key, new Set([workspaceId]))
    else known.add(workspaceId)
  }
  for (const { request } of history.requests) {
    const workspaceId = history.applications.get(request.caller)?.application.workspaceId ?? null
    visitTexts(request.body, (field, text) => {
      if (handleFields.has(field) || field === "to" || field === "from") add(text, workspaceId)
    })
  }
  for (const { event } of history.reports.values()) {
    const workspaceId = history.connections.get(event.connectionId)?.workspaceId ?? null
    if (event.report.type === "message") add(event.report.from, workspaceId)
  }
  return given
}

function* messages(history: History): Iterable<Violation> {
  for (const { acknowledged, id, rejected, sightings } of history.messages.values()) {
    const sent = acknowledged[0] ?? rejected[0]
    if (sent === undefined) continue
    for (const { at, caller, entry } of sightings) {
      if (caller === null || caller === sent.request.caller || !history.applications.has(caller)) continue
      yield {
        promise: "application-isolation",
        at,
        text: `${caller} reads message ${id}, which ${sent.request.caller} sent.`,
        entries: [sent.entry, entry]
      }
    }
  }
}

/** Connections in the answers of an application that are not on its allow-list. */
function* connections(history: History): Iterable<Violation> {
  for (const { application, calls } of history.applications.values()) {
    const lists = allowLists(history, application.id)
    const isAllowed = (id: string, { request, response }: Call): boolean =>
      lists.some(({ from, until, value }) => from <= (response?.at ?? 0) && until >= request.at && value.includes(id))
    for (const call of calls) {
      const resource = call.path[0]
      if (call.request.method !== "GET" || call.response?.status !== 200) continue
      if (resource !== "messages" && resource !== "conversations" && resource !== "channels") continue
      const data = valueAt(call.response.body, "data")
      for (const item of Array.isArray(data) ? data : [data]) {
        const id = textAt(item, resource === "channels" ? "id" : "connection_id")
        if (id === null || isAllowed(id, call)) continue
        yield {
          promise: "application-isolation",
          at: call.response.at,
          text: `${call.request.caller} reads ${call.request.path}, and connection ${id} is not on its allow-list.`,
          entries: [call.entry, call.responseEntry]
        }
      }
    }
  }
}
