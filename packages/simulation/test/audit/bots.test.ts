import { describe, expect, test } from "vitest"
import { type HandWritten, isoTime, newId, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const bot = newId()
const conversation = newId()
const contact = newId()
const steps = [
  { key: "item", type: "ask", text: "What may it be?" },
  { key: "note", type: "ask", text: "Anything else?" },
  { key: "end", type: "finish", text: "Done: {{answers.item}}" }
]
const admin = (history: HandWritten, method: string, path: string, body: unknown, status: number, answer: object) =>
  history.call("administrator", method, `/admin/v1${path}`, body, status, { data: answer })

const publish = (history: HandWritten) => {
  const body = { workspace_id: shop.workspaceId, start: { keywords: ["book"] }, steps }
  admin(history, "POST", "/bots", body, 201, { id: bot })
  admin(history, "PATCH", `/bots/${bot}`, { status: "active" }, 200, { id: bot })
  history.wait(10_000)
}

/** A customer's message, with its event at both endpoints that receive it. Its time is now. */
const write = (history: HandWritten, text: string) => {
  const at = isoTime(history.now)
  history.customerWrites(text)
  const message = history.inbound(newId(), text, { conversation_id: conversation, received_at: at })
  const options = { eventId: newId(), createdAt: history.now }
  history.webhook("message.received", { message }, options)
  history.webhook("message.received", { message }, { ...options, to: shop.deskEndpoint })
}

const session = (changes: object = {}) => ({
  id: "0190a1b2-0000-7000-8000-0000000000b0",
  bot_id: bot,
  conversation_id: conversation,
  contact_id: contact,
  connection_id: shop.connectionId,
  application_id: null,
  status: "completed",
  outcome: "finished",
  answers: { item: "tea", note: "no" },
  started_at: isoTime(Date.parse("2026-05-04T08:00:10Z")),
  expires_at: isoTime(Date.parse("2026-05-04T08:30:00Z")),
  ended_at: isoTime(Date.parse("2026-05-04T08:00:20Z")),
  ...changes
})
const active = { status: "active", outcome: null, ended_at: null, answers: {} }

const list = (history: HandWritten, ...sessions: ReadonlyArray<object>) =>
  history.call("administrator", "GET", `/admin/v1/bots/${bot}/sessions?limit=100`, null, 200, {
    data: sessions,
    links: { next: null }
  })

/** The events of a session, to the endpoint that receives all. */
const events = (history: HandWritten, of: ReturnType<typeof session>, types = ["bot.started", "bot.completed"]) => {
  const { answers, id, outcome, started_at } = of
  const data = { conversation: { id: conversation, connection_id: shop.connectionId } }
  for (const type of types) {
    const ended = type === "bot.started" ? {} : { answers, outcome }
    history.webhook(type, { ...data, bot: { id: bot, name: "Booking", session_id: id, started_at, ...ended } })
  }
}

const said = (history: HandWritten, count: number) => {
  const data = Array.from({ length: count }, () =>
    history.message(newId(), "queued", { conversation_id: conversation, body: "Done: tea" })
  ).reverse()
  history.call("shop", "GET", `/api/v1/conversations/${conversation}/messages?limit=100`, null, 200, {
    data,
    meta: { has_more: false }
  })
}

interface Given {
  readonly changes?: object
  readonly texts?: ReadonlyArray<string>
  readonly types?: ReadonlyArray<string>
  /** How often the bot said its last text. */
  readonly says?: number
  /** Whether the session is in the list. */
  readonly isListed?: boolean
}

/** A customer who answers a bot, and what is read after the quiet. */
const booked = ({ changes = {}, isListed = true, says = 1, texts = ["book", "tea", "no"], types }: Given = {}) =>
  brokenBy((history) => {
    publish(history)
    for (const text of texts) write(history, text)
    const read = session(changes)
    if (isListed) events(history, read, types === undefined ? undefined : [...types])
    history.quiet()
    history.wait(3_600_000)
    list(history, ...(isListed ? [read] : []))
    said(history, says)
    history.end()
  })

describe("bots", () => {
  test("a session that a keyword starts, with the customer's answers", () => {
    expect(booked()).toEqual([])
    expect(booked({ says: 0 })).toEqual(["bot-says-once"])
    expect(booked({ says: 2 })).toEqual(["bot-says-once"])
  })

  test("a keyword that starts nothing", () => {
    expect(booked({ isListed: false, says: 0 })).toEqual(["keyword-starts-a-bot"])
    expect(booked({ isListed: false, says: 0, texts: ["hello"] })).toEqual([])
    // Its only session had ended before.
    expect(booked({ changes: { ended_at: isoTime(Date.parse("2026-05-04T08:00:01Z")) } })).toEqual([
      "keyword-starts-a-bot"
    ])
  })

  test("answers that are missing, that no customer wrote, that are two answers, or in another order", () => {
    expect(booked({ changes: { answers: { item: "tea" } } })).toEqual(["bot-stores-answers"])
    expect(booked({ texts: ["book", "no"] })).toEqual(["bot-takes-a-message-once"])
    expect(booked({ changes: { answers: { item: "tea", note: "tea" } } })).toEqual(["bot-takes-a-message-once"])
    expect(booked({ texts: ["book", "no", "tea"] })).toEqual(["bot-takes-messages-in-order"])
  })

  test("a session that does not end, or times out too early", () => {
    const times = (changes: object) => booked({ changes, says: 0, types: ["bot.started"] })
    expect(times({ ...active })).toEqual(["bot-session-ends"])
    expect(times({ ...active, expires_at: isoTime(Date.parse("2026-05-05T08:00:00Z")) })).toEqual([])
    const timedOut = { outcome: "timed_out", answers: {} }
    expect(booked({ changes: timedOut, says: 0 })).toEqual(["bot-times-out-in-time"])
    const inTime = { ...timedOut, ended_at: isoTime(Date.parse("2026-05-04T08:30:00Z")) }
    expect(booked({ changes: inTime, says: 0 })).toEqual([])
  })

  test("events of the begin and the end that do not arrive, or say something else", () => {
    expect(booked({ types: ["bot.completed"] })).toEqual(["event-delivered"])
    expect(booked({ types: ["bot.started"] })).toEqual(["event-delivered"])
    expect(booked({ types: ["bot.started", "bot.handoff", "bot.completed"] })).toEqual([
      "bot-session-stays-ended",
      "event-once"
    ])
  })

  test("a session that changes after its end", () => {
    const read = (...changes: ReadonlyArray<object>) =>
      brokenBy((history) => {
        for (const text of ["tea", "no", "milk"]) write(history, text)
        for (const change of changes) list(history, session(change))
      })
    expect(read({ ...active, answers: { item: "tea" } }, {})).toEqual([])
    expect(read({ ...active, answers: { item: "milk" } }, {})).toEqual(["bot-session-stays-ended"])
    expect(read({}, { answers: { item: "tea", note: "milk" } })).toEqual(["bot-session-stays-ended"])
    expect(read({}, { ...active })).toEqual(["bot-session-stays-ended"])
  })

  test("a session that goes on after a person took over", () => {
    const takenOver = (body: object, path: string, changes: object) =>
      brokenBy((history) => {
        publish(history)
        history.wait(60_000)
        const reply = history.message(newId(), "queued", { conversation_id: conversation, body: "I am here." })
        const [method, status] = path === "" ? ["PATCH", 200] : ["POST", 202]
        admin(history, String(method), `/conversations/${conversation}${path}`, body, Number(status), reply)
        history.wait(60_000)
        list(history, session({ answers: {}, ...changes }))
      })
    const stopped = { outcome: "stopped", ended_at: isoTime(Date.parse("2026-05-04T08:01:10Z")) }
    const later = { ended_at: isoTime(Date.parse("2026-05-04T08:02:00Z")) }
    expect(takenOver({ body: "I am here." }, "/messages", stopped)).toEqual([])
    expect(takenOver({ body: "I am here." }, "/messages", later)).toEqual(["takeover-stops-the-bot"])
    expect(takenOver({ body: "I am here." }, "/messages", active)).toEqual(["takeover-stops-the-bot"])
    expect(takenOver({ status: "resolved" }, "", active)).toEqual(["takeover-stops-the-bot"])
    expect(takenOver({ status: "open" }, "", active)).toEqual([])
    // The message that starts it came before.
    const started = { ...active, started_at: isoTime(Date.parse("2026-05-04T08:02:00Z")) }
    expect(takenOver({ body: "I am here." }, "/messages", started)).toEqual(["takeover-stops-the-bot"])
  })
})

describe("an agent's reply", () => {
  const replied = (script: (history: HandWritten, id: string) => void, ends = true) =>
    brokenBy((history) => {
      const id = newId()
      const queued = history.message(id, "queued")
      admin(history, "POST", `/conversations/${conversation}/messages`, { body: "Hello" }, 202, queued)
      script(history, id)
      history.quiet()
      history.wait(120_000)
      if (ends) admin(history, "GET", `/messages/${id}`, null, 200, history.message(id, "sent"))
      history.end()
    })
  const arrives = (history: HandWritten, id: string) => {
    history.progress(id, "queued")
    history.handOver(id, "accepted")
    history.progress(id, "sent")
  }

  test("is handed over, and its events reach all applications of the connection", () => {
    expect(replied(arrives)).toEqual([])
    expect(replied((history, id) => history.handOver(id, "accepted"))).toEqual(["event-delivered"])
  })

  test("ends, with the text that the agent gave", () => {
    expect(replied(arrives, false)).toEqual(["accepted-message-ends"])
    const changed = replied((history, id) => {
      history.progress(id, "queued")
      history.endHandOver(history.beginHandOver(id, { text: "Bye" }), "accepted")
      history.progress(id, "sent")
    })
    expect(changed).toEqual(["handed-over-as-sent"])
  })
})
