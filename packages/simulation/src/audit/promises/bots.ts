import {
  answersOf,
  type BotHistories,
  type BotHistory,
  botsOf,
  lastOf,
  type SessionHistory,
  takeoversOf
} from "../botSessions.js"
import { mayHaveTakenEffect } from "../endpointChanges.js"
import type { Call, History } from "../History.js"
import { canonicalJson, type JsonObject, listAt, textAt, timeAt, valueAt } from "../json.js"
import { clockSkew, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * A message that equals a keyword starts a bot, unless one is active. Each message of the customer is one answer at
 * most, in the order in which they came, and each answer is stored. A session ends once, and stays as it ended: at the
 * end of its script, when its time is over and not before, or when a person takes over. The bot says each text once
 * (docs/reference/automations.md#bot-session-status, docs/reference/automations.md#who-stops-a-bot,
 * docs/reference/automations.md#steps-and-commits).
 *
 * Not checked: bots that were changed after their activation, that a workflow starts, that have a responder or steps
 * with `go_to`; first messages of conversations; answers and texts that are not unique; whether an answer is valid;
 * conversations whose contacts an administrator changes.
 */
export function* bots(history: History): Iterable<Violation> {
  const known = botsOf(history)
  for (const session of known.sessions.values()) {
    yield* stays(session)
    yield* time(history, session)
    yield* takeover(history, session)
  }
  const unique = uniqueTexts(history)
  yield* answers(history, known, unique)
  if (history.end === null) return
  yield* keywords(history, known)
  for (const session of known.sessions.values()) yield* texts(history, known, session, unique)
}

const statusOf = (session: JsonObject): string => textAt(session, "status") ?? ""

/** A session that ended does not change, answers are not taken back, and the event of its end says the same. */
function* stays(session: SessionHistory): Iterable<Violation> {
  const stateOf = (one: JsonObject) =>
    canonicalJson([one.status, one.outcome ?? null, one.ended_at ?? null, one.answers ?? {}])
  let before: SessionHistory["readings"][number] | undefined
  for (const reading of session.readings) {
    // Readings that overlap may be answered in another order.
    const isOlder = before !== undefined && reading.call.entry < before.call.responseEntry
    if (isOlder) continue
    const isKept =
      before === undefined ||
      (statusOf(before.session) === "active"
        ? answersOf(before.session).every(([key, answer]) => valueAt(reading.session, "answers", key) === answer)
        : stateOf(before.session) === stateOf(reading.session))
    if (!isKept) {
      yield violation("bot-session-stays-ended", reading.call, `Session ${session.id} changed.`, before?.call)
    }
    before = reading
  }
  const last = lastOf(session)
  if (statusOf(last.session) === "active") return
  for (const { attempt, entry, event, type } of session.events) {
    if (type === "bot.started") continue
    const bot = valueAt(event, "data", "bot")
    const isSame =
      (type === "bot.handoff") === (statusOf(last.session) === "handed_off") &&
      (textAt(bot, "outcome") ?? null) === (last.session.outcome ?? null) &&
      canonicalJson(valueAt(bot, "answers")) === canonicalJson(last.session.answers)
    if (isSame) continue
    yield {
      promise: "bot-session-stays-ended",
      at: attempt.at,
      text: `The event ${type} of session ${session.id} and a reading of it differ.`,
      entries: [last.call.responseEntry, entry].sort((one, other) => one - other)
    }
  }
}

function* time({ quiet }: History, session: SessionHistory): Iterable<Violation> {
  const { call, session: last } = lastOf(session)
  const expiresAt = timeAt(last, "expires_at") ?? 0
  const endedAt = timeAt(last, "ended_at")
  if (textAt(last, "outcome") === "timed_out" && endedAt !== null && endedAt < expiresAt - clockSkew) {
    yield violation("bot-times-out-in-time", call, `Session ${session.id} timed out ${expiresAt - endedAt} ms early.`)
  }
  const isOver = quiet !== null && call.request.at > Math.max(quiet.at, expiresAt) + settling
  if (statusOf(last) !== "active" || !isOver) return
  yield violation("bot-session-ends", call, `Session ${session.id} is active, and its time is over.`)
}

/** Whether a run, or a message that was not stored before an entry, may have started a session. */
const mayStart = ({ reports }: History, { applicationId, connectionId }: SessionHistory, entry: number): boolean =>
  applicationId !== null ||
  [...reports.values()].some(
    ({ acknowledged, event }) =>
      event.report.type === "message" &&
      event.connectionId === connectionId &&
      (acknowledged === null || acknowledged.entry > entry)
  )

/** Sessions that go on after a person took over, or that an earlier message starts. */
function* takeover(history: History, session: SessionHistory): Iterable<Violation> {
  const { call, session: last } = lastOf(session)
  const startedAt = timeAt(last, "started_at") ?? Infinity
  for (const taken of takeoversOf(history, session.conversationId)) {
    const { request, response } = taken
    if (response === null || response.status >= 300 || call.entry < taken.responseEntry) continue
    const isReply = taken.operation === "POST /conversations/{}/messages"
    if (!isReply && !/^(resolved|closed)$/.test(textAt(request.body, "status") ?? "")) continue
    const endedAt = timeAt(last, "ended_at") ?? Infinity
    const wentOn = startedAt < request.at - clockSkew && endedAt > response.at + clockSkew
    const startedLater = startedAt > response.at + clockSkew && !mayStart(history, session, taken.entry)
    if (!wentOn && !startedLater) continue
    const text = `Session ${session.id} ${wentOn ? "went on" : "started"} after ${request.method} ${request.path}.`
    yield violation("takeover-stops-the-bot", call, text, taken)
  }
}

/** Texts that one message of a customer has, by connection and text; with the first and the acknowledged call. */
type Unique = ReadonlyMap<string, { readonly entry: number; readonly acknowledged: number } | null>

const uniqueTexts = ({ reports }: History): Unique => {
  const found = new Map<string, { readonly entry: number; readonly acknowledged: number } | null>()
  for (const { acknowledged, entry, event } of reports.values()) {
    if (event.report.type !== "message") continue
    const key = `${event.connectionId} ${event.report.text}`
    found.set(key, found.has(key) ? null : { entry, acknowledged: acknowledged?.entry ?? Infinity })
  }
  return found
}

function* answers(history: History, { bots, sessions }: BotHistories, unique: Unique): Iterable<Violation> {
  const called = new Set([...history.reports.values()].map(({ event }) => event.connectionId))
  const takenBy = new Map<string, Call>()
  for (const session of sessions.values()) {
    const { call, session: last } = lastOf(session)
    if (!called.has(session.connectionId)) continue
    const steps = bots.get(session.botId)?.steps ?? []
    const questions = steps.filter((step) => textAt(step, "type") === "ask").map((step) => textAt(step, "key") ?? "")
    const missing = questions.find((key) => valueAt(last, "answers", key) === undefined)
    if (missing !== undefined && textAt(last, "outcome") === "finished") {
      yield violation("bot-stores-answers", call, `Session ${session.id} is finished without an answer "${missing}".`)
    }
    let before: { readonly entry: number; readonly answer: unknown } | undefined
    for (const key of questions) {
      const answer = valueAt(last, "answers", key)
      if (typeof answer !== "string") continue
      const written = `${session.connectionId} ${answer}`
      const message = unique.get(written)
      if (message === undefined) {
        const text = `Session ${session.id} has the answer "${answer}", which no customer wrote.`
        yield violation("bot-takes-a-message-once", call, text)
      }
      if (message == null) continue
      const earlier = takenBy.get(written)
      if (earlier !== undefined) {
        yield violation("bot-takes-a-message-once", call, `The message "${answer}" is two answers.`, earlier)
      }
      takenBy.set(written, call)
      if (before !== undefined && message.acknowledged < before.entry) {
        const text = `Session ${session.id} took "${before.answer}" before "${answer}", which came earlier.`
        yield violation("bot-takes-messages-in-order", call, text)
      }
      before = { entry: message.entry, answer }
    }
  }
}

/** Whether an administrator may have changed, merged or erased contacts. */
const changesContacts = ({ calls }: History): boolean =>
  calls.some(
    (call) =>
      call.api === "admin" && call.path[0] === "contacts" && call.request.method !== "GET" && mayHaveTakenEffect(call)
  )

/** Messages that equal a keyword, and no session was active since. */
function* keywords(history: History, { bots, sessions }: BotHistories): Iterable<Violation> {
  if (changesContacts(history)) return
  for (const { id, sightings } of history.messages.values()) {
    const [first] = sightings
    const receivedAt = first === undefined ? null : timeAt(first.message, "received_at")
    if (first === undefined || receivedAt === null || textAt(first.message, "direction") !== "inbound") continue
    const bot = botOf(history, [...bots.values()], first.message, receivedAt)
    if (bot === undefined) continue
    const conversationId = textAt(first.message, "conversation_id") ?? ""
    const takeovers = takeoversOf(history, conversationId)
    if (takeovers.some(({ response }) => (response?.at ?? Infinity) > receivedAt - clockSkew)) continue
    const isTaken = [...sessions.values()].some(
      (session) =>
        session.conversationId === conversationId &&
        (timeAt(lastOf(session).session, "ended_at") ?? Infinity) > receivedAt - clockSkew
    )
    if (isTaken) continue
    yield {
      promise: "keyword-starts-a-bot",
      at: first.at,
      text: `Message ${id} has a keyword of bot ${bot.id}, and no session of its conversation was active since.`,
      entries: [first.entry]
    }
  }
}

/** A bot that a message starts, if all sessions of its workspace are known. */
const botOf = (
  { connections, quiet }: History,
  bots: ReadonlyArray<BotHistory>,
  message: JsonObject,
  receivedAt: number
): BotHistory | undefined => {
  const workspaceId = connections.get(textAt(message, "connection_id") ?? "")?.workspaceId
  const own = bots.filter((bot) => bot.workspaceId === workspaceId)
  if (quiet === null || own.some(({ isChanged, isListed }) => isChanged || !isListed)) return undefined
  const text = textAt(message, "body")?.trim().toLowerCase() ?? ""
  return own.find(({ activeFrom, keywords }) => activeFrom + clockSkew < receivedAt && keywords.includes(text))
}

/** Texts with a unique answer, in the messages of the conversation: one for each step of a script that is finished. */
function* texts(
  history: History,
  { bots }: BotHistories,
  session: SessionHistory,
  unique: Unique
): Iterable<Violation> {
  const { session: last } = lastOf(session)
  const bot = bots.get(session.botId)
  const list = history.calls.findLast(
    ({ entry, operation, path, response }) =>
      operation === "GET /conversations/{}/messages" &&
      path[1] === session.conversationId &&
      entry > (history.quiet?.entry ?? Infinity) &&
      response?.status === 200 &&
      valueAt(response.body, "meta", "has_more") === false
  )
  if (bot === undefined || list === undefined || session.applicationId !== null) return
  const isFinished = textAt(last, "outcome") === "finished"
  for (const step of bot.steps) {
    if (textAt(step, "type") === "ask") continue
    const keys = [...(textAt(step, "text") ?? "").matchAll(/\{\{answers\.(\w+)\}\}/g)].map(([, key]) => key ?? "")
    const given = keys.map((key) => valueAt(last, "answers", key))
    const isUnique = given.some((answer) => unique.get(`${session.connectionId} ${answer}`) != null)
    if (!isUnique || given.includes(undefined)) continue
    const text = keys.reduce(
      (filled, key, n) => filled.replace(`{{answers.${key}}}`, String(given[n])),
      textAt(step, "text") ?? ""
    )
    const said = listAt(list.response?.body, "data").filter(
      (message) => textAt(message, "direction") === "outbound" && textAt(message, "body") === text
    ).length
    // Until the end of the script, the step may have to be done; a hand-off takes place also where it may say nothing.
    if (said === 1 || (said === 0 && !isFinished)) continue
    yield violation("bot-says-once", list, `Session ${session.id} has ${said} messages "${text}".`)
  }
}

const violation = (promise: string, call: Call, text: string, earlier?: Call): Violation => ({
  promise,
  at: call.response?.at ?? call.request.at,
  text,
  entries: earlier === undefined ? [call.responseEntry] : [earlier.responseEntry, call.responseEntry]
})
