import type { AttemptRecord, Call, EndpointHistory, History } from "./History.js"
import { listAt, valueAt } from "./json.js"

/** Whether a call took effect, or may have: its response is missing, a success, or a 5xx after an uncertain commit. */
export const mayHaveTakenEffect = ({ response }: Call): boolean =>
  response === null || response.status < 300 || response.status >= 500

/** Calls that make deliveries or attempts outside of the schedule: replays, recoveries, tests, enabling. */
export const startsDeliveries = (call: Call): boolean =>
  call.operation.endsWith("/replay") ||
  call.operation.endsWith("/recover") ||
  (call.request.method === "PATCH" && valueAt(call.request.body, "status") === "active")

/**
 * The time from which an endpoint's status, URL or list of events may have been another one; Infinity where it never
 * was.
 */
export const changedFrom = (endpoint: EndpointHistory): number => {
  const change = endpoint.changes.find(
    (call) => (call.request.method === "PATCH" || call.request.method === "DELETE") && mayHaveTakenEffect(call)
  )
  return change?.request.at ?? Infinity
}

/** The time from which an application's scopes, status or allow-list may have been another one. */
export const applicationChangedFrom = (history: History, applicationId: string): number =>
  history.applicationsById.get(applicationId)?.changes.find(mayHaveTakenEffect)?.request.at ?? Infinity

/** A value that an administrator sets, with the time in which it may be in force. */
export interface Period<A> {
  readonly value: A
  readonly from: number
  readonly until: number
}

/** The values of a field over time. A period ends when the response to the next change arrived. */
export const periodsOf = <A>(
  initial: A,
  from: number,
  changes: ReadonlyArray<Call>,
  valueIn: (body: unknown) => A | undefined
): ReadonlyArray<Period<A>> => {
  const periods: Array<Period<A>> = []
  let current = { value: initial, from }
  for (const call of changes) {
    if (call.request.method !== "PATCH" && call.request.method !== "DELETE") continue
    const value = call.request.method === "DELETE" ? undefined : valueIn(call.request.body)
    if (value === undefined || !mayHaveTakenEffect(call)) continue
    const isCertain = call.response !== null && call.response.status < 300
    periods.push({ ...current, until: isCertain ? (call.response?.at ?? Infinity) : Infinity })
    current = { value, from: call.request.at }
  }
  return [...periods, { ...current, until: Infinity }]
}

export const eventLists = (endpoint: EndpointHistory): ReadonlyArray<Period<ReadonlyArray<string>>> =>
  periodsOf(endpoint.events, endpoint.createdFrom, endpoint.changes, (body) =>
    valueAt(body, "events") === undefined ? undefined : listAt(body, "events").map(String)
  )

export const allowLists = (history: History, applicationId: string): ReadonlyArray<Period<ReadonlyArray<string>>> => {
  const known = history.applicationsById.get(applicationId)
  if (known === undefined) return []
  return periodsOf(known.application.connectionIds, -Infinity, known.changes, (body) =>
    valueAt(body, "connection_ids") === undefined ? undefined : listAt(body, "connection_ids").map(String)
  )
}

export const includesType = (events: ReadonlyArray<string>, type: string): boolean =>
  events.length === 0 || events.includes("*") || events.includes(type)

export const isSuccess = ({ answer }: AttemptRecord): boolean =>
  answer !== null && answer.status !== null && answer.status >= 200 && answer.status < 300
