import { mayHaveTakenEffect } from "../endpointChanges.js"
import type { ApplicationHistory, Call, History } from "../History.js"
import { textAt, valueAt } from "../json.js"
import { clockSkew, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/** Length of a window, in ms (docs/reference/rate-limits.md#window). */
const windowLength = 60_000

/** Tokens a minute of an application without limits of its own (docs/reference/rate-limits.md#buckets). */
const defaultLimits = { requestsPerMinute: 600, sendsPerMinute: 100 }

/**
 * No window of a bucket grants more than its limit, over all hosts
 * (docs/reference/rate-limits.md#exact-over-all-hosts), and a 429 comes only if the window may have no tokens left
 * (docs/reference/rate-limits.md#buckets). Checked for the two buckets of an application.
 *
 * A window opens with the first call after the end of the one before, at a time between the request and the response of
 * that call. A call counts for a window only if its request came after the end of the window before for certain, and
 * its response before the end of this one. So with slow responses fewer calls are compared.
 *
 * Not checked: buckets of client addresses, because the journal has none; a bucket after a power cut, which may forget
 * tokens, until a pause of a minute; and, for 429, limits that several buckets share. A request without a response
 * counts as one that may have taken its token within 60 s.
 */
export function* rateBuckets(history: History): Iterable<Violation> {
  const powerCuts = history.faults.filter(({ fault }) => fault.powerCut === true).map(({ fault }) => fault.at)
  for (const known of history.applications.values()) {
    const requests = limitsOf(known, "requestsPerMinute", "requests_per_minute")
    const sends = limitsOf(known, "sendsPerMinute", "sends_per_minute")
    const public_ = known.calls.filter(({ api }) => api === "public")
    const posts = public_.filter(({ operation }) => operation === "POST /messages")
    yield* overLimit("requests", known, public_, takesRequest, requests.most, powerCuts)
    yield* overLimit("sends", known, posts, takesSend, sends.most, powerCuts)
    yield* refusedEarly(known, public_, posts, requests.least, sends.least)
    yield* otherLimit(known, public_, [requests, sends])
  }
}

const limitsOf = ({ application, changes }: ApplicationHistory, name: keyof typeof defaultLimits, wireName: string) => {
  const limits = [application.limits?.[name] ?? defaultLimits[name]]
  for (const call of changes) {
    const changed = valueAt(call.request.body, "limits", wireName)
    if (typeof changed === "number" && mayHaveTakenEffect(call)) limits.push(changed)
  }
  return { least: Math.min(...limits), most: Math.max(...limits) }
}

const codeOf = ({ response }: Call): string | null => textAt(response?.body, "error", "code")

/** Whether a call took a token for certain: its credential was valid, and the storage was there. */
const takesRequest = (call: Call): boolean => {
  const status = call.response?.status ?? 503
  return ![401, 408, 423, 429, 500, 503].includes(status) && codeOf(call) !== "account_suspended"
}

const isReplay = ({ response }: Call): boolean => response?.headers["idempotency-replayed"] === "true"

/** Sends that were carried out: replays and most refusals get their token returned. */
const takesSend = ({ response }: Call): boolean =>
  (response?.status === 202 && response.headers["idempotency-replayed"] !== "true") || response?.status === 502

function* overLimit(
  bucket: string,
  { application }: ApplicationHistory,
  calls: ReadonlyArray<Call>,
  takes: (call: Call) => boolean,
  limit: number,
  powerCuts: ReadonlyArray<number>
): Iterable<Violation> {
  if (calls.length <= limit) return
  for (const window of windowsOf(calls, takes, powerCuts)) {
    if (window.granted.length <= limit) continue
    const last = window.granted.at(-1)
    yield {
      promise: "rate-bucket-is-exact",
      at: last?.response?.at ?? 0,
      text: `A window of ${application.name} granted ${window.granted.length} ${bucket}, and the limit is ${limit}.`,
      entries: window.granted.map(({ entry }) => entry)
    }
  }
}

interface Window {
  readonly granted: ReadonlyArray<Call>
}

/** The time by which a call took its token. One without a response may have done so for a while. */
const respondedAt = ({ request, response }: Call): number => response?.at ?? request.at + settling

/** The windows of a bucket, each with the calls that were granted in it for certain. */
const windowsOf = (
  calls: ReadonlyArray<Call>,
  takes: (call: Call) => boolean,
  powerCuts: ReadonlyArray<number>
): ReadonlyArray<Window> => {
  const windows: Array<Window> = []
  let endsFrom = -Infinity
  let endsUntil = -Infinity
  let start = 0
  while (true) {
    // Calls before this one are over.
    for (let call = calls[start]; call !== undefined && respondedAt(call) < endsFrom; call = calls[start]) start += 1
    const opening = openingOf(calls, start, takes, endsFrom, endsUntil)
    if (opening === null) return windows
    const beforeUntil = endsUntil
    endsFrom = opening.from + windowLength - clockSkew
    endsUntil = opening.until + windowLength + clockSkew
    if (powerCuts.some((at) => at >= opening.from && at <= opening.until + windowLength)) {
      // What the bucket knew is gone, so a window may begin at any time until a pause of a minute shows the next one.
      endsUntil = Math.max(endsUntil, lastBeforePause(calls, endsUntil) + windowLength + clockSkew)
      endsFrom = endsUntil - windowLength
      continue
    }
    const granted: Array<Call> = []
    for (let index = start; index < calls.length; index++) {
      const call = calls[index]
      if (call === undefined || call.request.at > endsFrom) break
      if (takes(call) && call.request.at >= beforeUntil && respondedAt(call) <= endsFrom) granted.push(call)
    }
    windows.push({ granted })
  }
}

/** Bounds of the time at which the next window opens, which is after the end of the one before; null without a call. */
const openingOf = (
  calls: ReadonlyArray<Call>,
  start: number,
  takes: (call: Call) => boolean,
  endsFrom: number,
  endsUntil: number
) => {
  let from = Infinity
  let until = Infinity
  for (let index = start; index < calls.length; index++) {
    const call = calls[index]
    if (call === undefined || call.request.at >= until) break
    if (respondedAt(call) >= endsFrom) from = Math.min(from, call.request.at)
    // One that took a token after the end for certain: at its response at the latest, the window is open.
    if (call.request.at >= endsUntil && takes(call)) until = Math.min(until, respondedAt(call))
  }
  return until === Infinity ? null : { from: Math.max(from, endsFrom), until }
}

/** The last request before a pause of a minute. */
const lastBeforePause = (calls: ReadonlyArray<Call>, from: number): number => {
  let last = from
  for (const { request, response } of calls) {
    if (request.at < from) continue
    if (request.at > last + windowLength + clockSkew) return last
    last = Math.max(last, response?.at ?? request.at)
  }
  return last
}

function* refusedEarly(
  { application }: ApplicationHistory,
  calls: ReadonlyArray<Call>,
  posts: ReadonlyArray<Call>,
  requests: number,
  sends: number
): Iterable<Violation> {
  for (const call of calls) {
    const { response } = call
    if (response?.status !== 429) continue
    const limit = limitIn(call)
    const isSend = call.operation === "POST /messages" && limit === sends && sends !== requests
    if (!isSend && (limit !== requests || (call.operation === "POST /messages" && sends === requests))) continue
    const taken = countBefore(isSend ? posts : calls, call, limit, response.at, isSend)
    if (taken >= (isSend ? sends : requests)) continue
    yield {
      promise: "rate-bucket-is-exact",
      at: response.at,
      text: `${application.name} is refused with 429 after at most ${taken} ${isSend ? "sends" : "requests"} in a minute, and the limit is ${limit}.`,
      entries: [call.entry, call.responseEntry]
    }
  }
}

/** Successes that name a limit which no bucket of the application has (docs/reference/rate-limits.md#headers). */
function* otherLimit(
  { application }: ApplicationHistory,
  calls: ReadonlyArray<Call>,
  limits: ReadonlyArray<{ readonly least: number; readonly most: number }>
): Iterable<Violation> {
  for (const call of calls) {
    const limit = limitIn(call)
    if (call.response === null || call.response.status >= 300) continue
    if (limits.some(({ least, most }) => limit >= least && limit <= most)) continue
    yield {
      promise: "rate-limit-is-named",
      at: call.response.at,
      text: `A response to ${application.name} names the limit ${limit}, and the limits are ${limits.map(({ most }) => most).join(" and ")}.`,
      entries: [call.responseEntry]
    }
  }
}

const limitIn = ({ response }: Call): number => Number(response?.headers["x-ratelimit-limit"])

/**
 * Calls that may have taken a token in the window in which a call was refused. A call that the other bucket of the
 * application refused took one too.
 */
const countBefore = (
  calls: ReadonlyArray<Call>,
  refused: Call,
  limit: number,
  until: number,
  areSends: boolean
): number => {
  const from = refused.request.at - windowLength - clockSkew
  let count = 0
  for (const call of calls) {
    if (call === refused || call.request.at > until || respondedAt(call) < from) continue
    // A replay returned its token before it was answered.
    if (areSends && isReplay(call) && call.responseEntry < refused.entry) continue
    if (call.response?.status !== 429 || limitIn(call) !== limit) count += 1
  }
  return count
}
