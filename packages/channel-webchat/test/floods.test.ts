import { expect, it } from "@effect/vitest"
import { Effect, Logger, Metric, type MetricState } from "effect"
import { chatServer } from "./chatServer.js"
import { memoryContext } from "./memoryContext.js"
import { until } from "./until.js"
import { type Given, visitorSecret, webchatAt } from "./visits.js"

/** A host with a chat, and requests of clients with the given addresses over real connections. */
const setting = (bounds: NonNullable<Given["options"]>["bounds"] = {}) =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { provider, connection } = webchatAt(context, { options: { bounds } })
    const logged: Array<{ readonly message: string; readonly annotations: { readonly [key: string]: unknown } }> = []
    const logger = Logger.make(({ message, annotations }) => {
      logged.push({ message: String(message), annotations: Object.fromEntries(annotations) })
    })
    const server = yield* chatServer(provider, connection, { visitor_secret: visitorSecret }, context, logger)
    const ended = new AbortController()
    yield* Effect.addFinalizer(() => Effect.sync(() => ended.abort()))
    const request = async (path: string, address: string, token: string | null, init: RequestInit = {}) =>
      fetch(`${server.url}${path}`, {
        ...init,
        signal: ended.signal,
        headers: { "x-forwarded-for": address, ...(token === null ? {} : { authorization: `Bearer ${token}` }) }
      })
    /** Status and `Retry-After` of an answer whose body is not needed. */
    const result = async (answer: Response) => {
      await answer.body?.cancel()
      return [answer.status, answer.headers.get("retry-after") === null ? "" : "retry later"].join(" ").trim()
    }
    const visit = async (address: string): Promise<string> => {
      const answer = await request("/session", address, null, { method: "POST", body: "{}" })
      if (answer.status !== 200) throw new Error(await result(answer))
      const { data } = (await answer.json()) as { readonly data: { readonly token: string } }
      return data.token
    }
    let written = 0
    return {
      context,
      logged,
      visit,
      session: async (address: string) =>
        result(await request("/session", address, null, { method: "POST", body: "{}" })),
      write: async (token: string, address: string, body = "Hello") => {
        const init = { method: "POST", body: JSON.stringify({ id: `m${++written}`, body }) }
        return result(await request("/messages", address, token, init))
      },
      /** Opens a stream and waits for its first event; it stays open. */
      follow: async (token: string, address: string) => {
        const answer = await request("/stream", address, token)
        if (answer.status !== 200) return { status: await result(answer), end: async () => {} }
        const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
        const { done } = await reader.read()
        return { status: done ? "ended" : "200", end: () => reader.cancel() }
      }
    }
  })

const promise = <A>(run: () => Promise<A>) => Effect.promise(run)
const [home, elsewhere] = ["192.0.2.1", "192.0.2.2"]
const refused = "429 retry later"

it.scopedLive("takes all of an office of 200 people behind one address, with two pages and two messages each", () =>
  Effect.gen(function* () {
    const { context, visit, write, follow } = yield* setting()
    const person = async () => {
      const token = await visit(home)
      const pages = [await follow(token, home), await follow(token, home)]
      const messages = [await write(token, home, "x".repeat(200)), await write(token, home, "x".repeat(200))]
      return [...pages.map(({ status }) => status), ...messages].join()
    }
    const answers: Array<string> = []
    for (let n = 0; n < 200; n += 20) {
      answers.push(...(yield* promise(() => Promise.all(Array.from({ length: 20 }, person)))))
    }
    expect(answers).toEqual(Array.from({ length: 200 }, () => "200,200,202,202"))
    expect(context.events.length).toBe(400)
  })
)

it.scopedLive("takes no more streams from one address than its limit, whatever the number of visitors", () =>
  Effect.gen(function* () {
    const { visit, follow } = yield* setting({ address: { streams: 10 } })
    const open = async (address: string) => follow(await visit(address), address)
    const flood = yield* promise(() => Promise.all(Array.from({ length: 30 }, () => open(home))))
    // Those that started at the same moment above the limit end at once.
    expect(flood.filter(({ status }) => status === "200").length).toBe(10)
    expect((yield* promise(() => open(home))).status).toBe(refused)
    expect((yield* promise(() => open(elsewhere))).status).toBe("200")
    yield* promise(() => flood.find(({ status }) => status === "200")?.end() ?? Promise.resolve())
    yield* until("its place is free", async () => ((await open(home)).status === "200" ? true : undefined))
    expect((yield* promise(() => open(home))).status).toBe(refused)
  })
)

it.scopedLive("opens no more streams for one address in a minute than its limit, also if each is closed at once", () =>
  Effect.gen(function* () {
    const { visit, follow } = yield* setting({ address: { streamsPerMinute: 6 }, total: { streamsPerMinute: 8 } })
    const flood = (address: string) =>
      promise(async () => {
        const answers: Array<string> = []
        for (let n = 0; n < 8; n += 1) {
          const opened = await follow(await visit(address), address)
          answers.push(opened.status)
          if (opened.status === "200") await opened.end()
        }
        return answers
      })
    expect(yield* flood(home)).toEqual([...Array.from({ length: 6 }, () => "200"), refused, refused])
    expect((yield* flood(elsewhere)).slice(0, 3)).toEqual(["200", "200", "503 retry later"])
  })
)

it.scopedLive("counts the addresses of one /64 network together", () =>
  Effect.gen(function* () {
    const { session } = yield* setting({ visitorsPerMinute: 2 })
    const answers: Array<string> = []
    for (const address of ["2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:1:ffff::3", "2001:db8:0:2::1"]) {
      answers.push(yield* promise(() => session(address)))
    }
    expect(answers).toEqual(["200", "200", refused, "200"])
  })
)

it.scopedLive("stores no more messages, and no more bytes of them, from one address than its limits", () =>
  Effect.gen(function* () {
    const { context, visit, write } = yield* setting({
      address: { messagesPerMinute: 12, messageBytesPerMinute: 9_000 }
    })
    const flood = (address: string, body: string) =>
      promise(async () => {
        const answers: Array<string> = []
        for (let n = 0; n < 4; n += 1) {
          const token = await visit(address)
          for (let m = 0; m < 4; m += 1) answers.push(await write(token, address, body))
        }
        return answers
      })
    const short = yield* flood(home, "Hi")
    expect(short.map((answer) => (answer === "202" ? 1 : 0)).join("")).toBe("1111111111110000")
    const long = yield* flood(elsewhere, "x".repeat(4_000))
    expect(long.filter((answer) => answer === "202").length).toBe(2)
    expect(long.filter((answer) => answer === refused).length).toBe(14)
    expect(context.events.length).toBe(14)
  })
)

it.scopedLive("refuses all addresses above the limits of all visitors together, with 503", () =>
  Effect.gen(function* () {
    const { visit, session, write, follow } = yield* setting({
      total: { visitorsPerMinute: 3, streams: 2, messagesPerMinute: 2 }
    })
    const tokens = yield* promise(() => Promise.all([1, 2, 3].map((n) => visit(`192.0.2.${n}`))))
    expect(yield* promise(() => session("192.0.2.4"))).toBe("503 retry later")
    const answers: Array<string> = []
    for (const [n, token] of tokens.entries()) {
      answers.push((yield* promise(() => follow(token, `192.0.2.${n}`))).status)
      answers.push(yield* promise(() => write(token, `192.0.2.${n}`)))
    }
    expect(answers).toEqual(["200", "202", "200", "202", "503 retry later", "503 retry later"])
  })
)

it.scopedLive("counts each refusal in the metric, and logs one line a minute", () =>
  Effect.gen(function* () {
    const counted = Effect.map(Metric.snapshot, (pairs) =>
      pairs.flatMap(({ metricKey: { name, tags }, metricState }) =>
        name === "parley_webchat_refused_total" && tags.map(({ value }) => value).join() === "visitors,address"
          ? [(metricState as MetricState.MetricState.Counter<number>).count]
          : []
      )
    )
    const { session, logged } = yield* setting({ visitorsPerMinute: 1 })
    const [before = 0] = yield* counted
    for (let n = 0; n < 6; n += 1) yield* promise(() => session(home))
    expect(yield* counted).toEqual([before + 5])
    expect(logged).toHaveLength(1)
    expect(logged[0]?.message).toContain("above a limit")
    expect(logged[0]?.annotations).toEqual({ limit: "visitors", of: "address", address: home, refused: 1 })
  })
)
