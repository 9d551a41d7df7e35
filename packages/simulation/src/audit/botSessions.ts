import { mayHaveTakenEffect } from "./endpointChanges.js"
import type { AttemptRecord, Call, History } from "./History.js"
import { type JsonObject, listAt, objectOf, textAt, valueAt } from "./json.js"

/** A bot that administrators made. */
export interface BotHistory {
  readonly id: string
  readonly workspaceId: string
  /** In lower case. */
  readonly keywords: ReadonlyArray<string>
  /** Empty if a step may lead to another one than the next. */
  readonly steps: ReadonlyArray<JsonObject>
  /** When it was active for certain; Infinity if it never was. */
  activeFrom: number
  /** Whether it may have been changed after it was activated. */
  isChanged: boolean
  /** Whether all of its sessions were listed after the quiet. */
  isListed: boolean
}

/** A session of a bot, as administrators read it. */
export interface SessionHistory {
  readonly id: string
  readonly botId: string
  readonly conversationId: string
  readonly connectionId: string
  readonly contactId: string
  /** Of the run that started it; null: a customer did. */
  readonly applicationId: string | null
  /** Not empty. */
  readonly readings: Array<{ readonly session: JsonObject; readonly call: Call }>
  /** Attempts at the events of its begin and its end. */
  readonly events: Array<AttemptRecord>
}

/** Bots and their sessions, by id. */
export interface BotHistories {
  readonly bots: ReadonlyMap<string, BotHistory>
  readonly sessions: ReadonlyMap<string, SessionHistory>
}

/** The bots that administrators made, and the sessions that they read. */
export const botsOf = (history: History): BotHistories => {
  const bots = new Map<string, BotHistory>()
  const sessions = new Map<string, SessionHistory>()
  for (const call of history.calls) {
    const { entry, operation, path, request, response } = call
    if (operation === "POST /bots" && response?.status === 201) {
      const id = textAt(response.body, "data", "id") ?? ""
      const steps = listAt(request.body, "steps")
      bots.set(id, {
        id,
        workspaceId: textAt(request.body, "workspace_id") ?? "",
        keywords: listAt(request.body, "start", "keywords").map((keyword) => String(keyword).toLowerCase()),
        steps: JSON.stringify(steps).includes('"go_to"') ? [] : steps.map((step) => objectOf(step) ?? {}),
        activeFrom: Infinity,
        isChanged: false,
        isListed: false
      })
    }
    const bot = bots.get(path[1] ?? "")
    if (operation === "PATCH /bots/{}" && bot !== undefined && mayHaveTakenEffect(call)) {
      if (bot.activeFrom < Infinity || textAt(request.body, "status") !== "active") bot.isChanged = true
      else if (response?.status === 200) bot.activeFrom = response.at
    }
    if (operation !== "GET /bots/{}/sessions" || response?.status !== 200) continue
    for (const value of listAt(response.body, "data")) addReading(sessions, objectOf(value) ?? {}, call)
    const isLast = textAt(response.body, "links", "next") === null
    if (bot !== undefined && isLast && entry > (history.quiet?.entry ?? Infinity)) bot.isListed = true
  }
  for (const record of history.attempts) {
    if (record.type.startsWith("bot."))
      sessions.get(textAt(record.event, "data", "bot", "session_id") ?? "")?.events.push(record)
  }
  return { bots, sessions }
}

const addReading = (sessions: Map<string, SessionHistory>, session: JsonObject, call: Call): void => {
  const id = textAt(session, "id") ?? ""
  const known = sessions.get(id)
  if (known !== undefined) return void known.readings.push({ session, call })
  sessions.set(id, {
    id,
    botId: textAt(session, "bot_id") ?? "",
    conversationId: textAt(session, "conversation_id") ?? "",
    connectionId: textAt(session, "connection_id") ?? "",
    contactId: textAt(session, "contact_id") ?? "",
    applicationId: textAt(session, "application_id"),
    readings: [{ session, call }],
    events: []
  })
}

/** The last reading of a session. */
export const lastOf = ({ readings }: SessionHistory): SessionHistory["readings"][number] =>
  readings.at(-1) as SessionHistory["readings"][number]

/** The answers in a session or in an event, by the keys of their steps. */
export const answersOf = (value: unknown): ReadonlyArray<readonly [key: string, answer: unknown]> =>
  Object.entries(objectOf(valueAt(value, "answers")) ?? {})

/** Calls by which people took a conversation over, or may have: an agent's reply, and a change of the conversation. */
export const takeoversOf = (history: History, conversationId: string): ReadonlyArray<Call> =>
  history.calls.filter(
    (call) =>
      call.api === "admin" &&
      call.path[0] === "conversations" &&
      call.path[1] === conversationId &&
      (call.request.method === "PATCH" || call.operation === "POST /conversations/{}/messages") &&
      mayHaveTakenEffect(call)
  )
