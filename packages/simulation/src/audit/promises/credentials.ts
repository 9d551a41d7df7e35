import type { Call, History } from "../History.js"
import { textAt } from "../json.js"
import { possibleValues } from "../possibleValues.js"
import type { Violation } from "../Violation.js"

/** Answers that a request may get before its credential is checked, or because the storage was away. */
const unrelated = new Set([408, 429, 500, 503])

/**
 * A key that was revoked or rotated is refused with 401 from the answer on, and a key that was not is accepted; a
 * suspended application gets 403 `account_suspended` for every request, and no other one does
 * (docs/reference/authentication.md#when-a-change-takes-effect,
 * docs/reference/authentication.md#suspended-applications).
 *
 * Not checked: OAuth clients and tokens, scopes, and keys that the journal does not name.
 */
export function* credentials(history: History): Iterable<Violation> {
  const revocations = revocationsOf(history)
  for (const { application, calls, changes } of history.applications.values()) {
    for (const call of calls) {
      if (call.api !== "public" || call.response === null || unrelated.has(call.response.status)) continue
      const { request, response } = call
      if (request.apiKey !== undefined) yield* ofKey(call, revocations.get(request.apiKey) ?? [])
      if (response.status === 401) continue
      const statusIn = ({ request }: Call) => textAt(request.body, "status") ?? undefined
      const statuses = possibleValues("active", changes, statusIn, request.at, response.at)
      const isRefused = textAt(response.body, "error", "code") === "account_suspended"
      if (statuses.has(isRefused ? "suspended" : "active")) continue
      yield {
        promise: "suspended-application-is-refused",
        at: response.at,
        text: `${application.name} is ${[...statuses].join(" or ")}, and ${request.method} ${request.path} is answered ${response.status}.`,
        entries: [
          ...changes.map(({ entry }) => entry).filter((entry) => entry < call.responseEntry),
          call.responseEntry
        ]
      }
    }
  }
}

/** Calls that revoke or rotate a key, by its id. Those that had no effect are left out. */
const revocationsOf = ({ calls }: History): ReadonlyMap<string, ReadonlyArray<Call>> => {
  const revocations = new Map<string, Array<Call>>()
  for (const call of calls) {
    const isRevocation =
      call.operation === "DELETE /applications/{}/api-keys/{}" ||
      call.operation === "POST /applications/{}/api-keys/{}/rotate"
    const status = call.response?.status ?? 500
    if (!isRevocation || (status >= 300 && status < 500)) continue
    const id = call.path[3] ?? ""
    revocations.set(id, [...(revocations.get(id) ?? []), call])
  }
  return revocations
}

function* ofKey(call: Call, revocations: ReadonlyArray<Call>): Iterable<Violation> {
  const { request, response, responseEntry } = call
  const isRefused = response?.status === 401
  const revoked = revocations.find(
    ({ response, responseEntry }) => response !== null && response.status < 300 && responseEntry < call.entry
  )
  const mayBeRevoked = revocations.some(({ entry }) => entry < responseEntry)
  if (revoked !== undefined && !isRefused) {
    yield {
      promise: "revoked-key-is-refused",
      at: response?.at ?? 0,
      text: `${request.method} ${request.path} with the revoked key ${request.apiKey} is answered ${response?.status}.`,
      entries: [revoked.responseEntry, responseEntry]
    }
  }
  if (isRefused && !mayBeRevoked) {
    yield {
      promise: "valid-key-is-accepted",
      at: response?.at ?? 0,
      text: `${request.method} ${request.path} with the valid key ${request.apiKey} is answered 401.`,
      entries: [call.entry, responseEntry]
    }
  }
}
