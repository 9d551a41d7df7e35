import { type Call, type History, isEnqueued, type MessageHistory } from "../History.js"
import { canonicalJson, textAt } from "../json.js"
import { keyRetention } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * Statuses that a request gets whatever its key is: they stand before the key in the order of checks, or are failures.
 */
const beforeTheKey = new Set([400, 401, 403, 408, 413, 423, 429, 500, 503])

/**
 * An `Idempotency-Key` of an application stands for one request for 24 hours: the same request gets the first answer
 * again, with `Idempotency-Replayed`, and another request 409 `idempotency_conflict`. A 409 needs a cause: another
 * request with the key, or one that still runs (docs/reference/idempotency.md#record-states,
 * docs/reference/idempotency.md#conflicts). A request whose response is missing has one effect or none: of the messages
 * with its reference, at most one was not rejected at once
 * (docs/reference/idempotency.md#key-effect-and-answer-in-one-commit).
 *
 * Not checked: keys of administrators; runs that an event starts; effects of unanswered requests without a reference of
 * their own.
 */
export function* idempotency(history: History): Iterable<Violation> {
  const groups = new Map<string, Array<Call>>()
  for (const call of history.requests) {
    const { caller, idempotencyKey, method } = call.request
    if (call.api !== "public" || method !== "POST" || idempotencyKey === null) continue
    const key = `${caller} ${idempotencyKey}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [call])
    else group.push(call)
  }
  for (const group of groups.values()) {
    const fingerprints = group.length === 1 ? [""] : group.map(fingerprintOf)
    for (const [index, call] of group.entries()) yield* ofCall(group, fingerprints, call, index)
  }
  yield* messagesOf(history, groups)
}

const fingerprintOf = ({ operation, request }: Call): string => `${operation} ${canonicalJson(request.body)}`

const isSuccess = ({ response }: Call): boolean => response !== null && response.status >= 200 && response.status < 300

/** A failure that may have come after the commit. A 502 frees the key. */
const isUnclear = ({ response }: Call): boolean => response?.status === 500 || response?.status === 503

const isReplay = ({ response }: Call): boolean => response?.headers["idempotency-replayed"] === "true"

/** The outcome of an enqueued request does not say whether it is a replay. */
const mayBeReplay = (call: Call): boolean => isReplay(call) || isEnqueued(call)

const broken = (promise: string, call: Call, problem: string, other?: Call): Violation => ({
  promise,
  at: call.response?.at ?? call.request.at,
  text: `${call.request.method} ${call.request.path} with the key ${call.request.idempotencyKey} of ${call.request.caller} ${problem}.`,
  entries: other === undefined ? [call.entry] : [other.entry, call.responseEntry]
})

function* ofCall(
  group: ReadonlyArray<Call>,
  fingerprints: ReadonlyArray<string>,
  call: Call,
  index: number
): Iterable<Violation> {
  const { response } = call
  if (response === null) return
  let isConflictCaused = false
  let isReplayCaused = false
  for (const [position, other] of group.entries()) {
    if (position === index || other.entry > call.responseEntry) continue
    const isSame = fingerprints[position] === fingerprints[index]
    // Its effect may exist: it succeeded, failed on the way, or is not answered yet.
    const isOver = other.responseEntry < call.entry
    const mayExist = !isOver || isSuccess(other) || isUnclear(other)
    if (mayExist && !(isSame && isOver && isSuccess(other))) isConflictCaused = true
    if (isSame && mayExist) isReplayCaused = true
    if (Math.abs(response.at - other.request.at) >= keyRetention || !isSuccess(other)) continue
    yield* againstSuccess(call, other, isSame)
  }
  if (
    response.status === 409 &&
    textAt(response.body, "error", "code") === "idempotency_conflict" &&
    !isConflictCaused
  ) {
    yield broken(
      "idempotency-conflict-has-a-cause",
      call,
      "is a conflict, and no other request has the key or is running"
    )
  }
  if (isReplay(call) && !isReplayCaused) {
    yield broken("one-effect-per-key", call, "is a replay without an earlier request")
  }
}

/** A call beside or after another one that succeeded. */
function* againstSuccess(call: Call, other: Call, isSame: boolean): Iterable<Violation> {
  const { response } = call
  if (response === null) return
  if (isSuccess(call)) {
    // Each pair once.
    if (other.responseEntry > call.responseEntry) return
    if (!isSame) yield broken("one-effect-per-key", call, "succeeded, and so did another request with the key", other)
    else if (canonicalJson(response.body) !== canonicalJson(other.response?.body)) {
      yield broken("one-effect-per-key", call, "has another answer than the first time", other)
    } else if (!mayBeReplay(call) && !mayBeReplay(other))
      yield broken("one-effect-per-key", call, "was carried out twice", other)
    return
  }
  // Where they overlap, the refusal may have come first.
  if (other.responseEntry > call.entry || beforeTheKey.has(response.status)) return
  if (!isSame && response.status === 409) return
  yield broken(
    "one-effect-per-key",
    call,
    `is answered ${response.status} after ${isSame ? "the same" : "another"} request with the key succeeded`,
    other
  )
}

/** What the messages of one send have in common: their `group_id`, if its files became several messages. */
const sendOf = ({ id, sightings }: MessageHistory): string =>
  sightings.map(({ message }) => textAt(message, "group_id")).find((groupId) => groupId !== null) ?? id

/**
 * Messages with a reference that only one key sends: those that were not rejected while the request waited are one at
 * most.
 */
function* messagesOf(history: History, groups: ReadonlyMap<string, ReadonlyArray<Call>>): Iterable<Violation> {
  const callsOf = new Map<string, ReadonlyArray<Call> | null>()
  for (const group of groups.values()) {
    for (const reference of new Set(group.map((call) => textAt(call.request.body, "external_reference")))) {
      if (reference !== null) callsOf.set(reference, callsOf.has(reference) ? null : group)
    }
  }
  if (callsOf.size === 0) return
  const messages = new Map<string, Set<string>>()
  for (const message of history.messages.values()) {
    const seen = message.acknowledged[0]?.request.body ?? message.sightings[0]?.message
    const reference = textAt(seen, "external_reference")
    if (reference === null || callsOf.get(reference) == null) continue
    if (message.rejected.length > 0 || message.handOvers.at(-1)?.verdict?.outcome === "rejected") continue
    const known = messages.get(reference)
    if (known === undefined) messages.set(reference, new Set([sendOf(message)]))
    else known.add(sendOf(message))
  }
  for (const [reference, found] of messages) {
    const ids = [...found]
    const calls = callsOf.get(reference) ?? []
    const [first, last] = [calls[0], calls.at(-1)]
    if (ids.length < 2 || first === undefined || last === undefined) continue
    if (last.request.at - first.request.at >= keyRetention) continue
    yield {
      promise: "one-effect-per-key",
      at: last.request.at,
      text: `The key ${first.request.idempotencyKey} of ${first.request.caller} made ${ids.length} messages: ${ids.join(", ")}.`,
      entries: calls.map(({ entry }) => entry)
    }
  }
}
