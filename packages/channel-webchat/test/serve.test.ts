import { expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { customerSignature } from "../src/index.js"
import { memoryContext, quoting } from "./memoryContext.js"
import { bodyOf, connectionId, type Given, identitySecret, png, visitorSecret, webchatAt } from "./visits.js"

const shop = "https://shop.example"
const signature = customerSignature(identitySecret, "42")

it.effect("keeps the handle of a visitor with a session", () =>
  Effect.gen(function* () {
    const { open, post } = webchatAt(memoryContext())
    const first = yield* open()
    expect(first.handle).toMatch(/^visitor:[0-9a-f-]{36}$/)
    yield* TestClock.adjust("89 days")
    const second = yield* open({}, first.token)
    expect(second.handle).toBe(first.handle)
    yield* TestClock.adjust("2 days")
    expect((yield* open({}, first.token)).handle).not.toBe(first.handle)
    expect((yield* open({}, second.token)).handle).toBe(first.handle)
    expect(bodyOf(yield* post("/messages", { id: "1", body: "Hi" }, first.token)).error.code).toBe("unauthenticated")
  })
)

it.effect("gives a signed customer the same handle on every device", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post } = webchatAt(context)
    const anonymous = yield* open()
    const phone = yield* open({ customer: "42", signature, name: " Ada\n Lovelace " })
    const laptop = yield* open({ customer: "42", signature }, anonymous.token)
    expect([phone.handle, laptop.handle]).toEqual(["customer:42", "customer:42"])
    yield* post("/messages", { id: "1", body: "Hi" }, phone.token)
    expect(context.events).toMatchObject([{ from: "customer:42", displayName: "Ada Lovelace" }])
    expect((yield* open({}, phone.token)).handle).toMatch(/^visitor:/)
  })
)

it.effect("refuses a customer id without the site's signature", () =>
  Effect.gen(function* () {
    const { post } = webchatAt(memoryContext())
    for (const wrong of [
      undefined,
      "",
      signature.slice(0, -1),
      signature.toUpperCase(),
      customerSignature("x", "42")
    ]) {
      const answer = yield* post("/session", { customer: "42", signature: wrong })
      expect([answer.status, bodyOf(answer).error.code]).toEqual([403, "forbidden"])
    }
    expect((yield* post("/session", { customer: "43", signature })).status).toBe(403)
    const none = webchatAt(memoryContext(), { credentials: { visitor_secret: visitorSecret } })
    expect(bodyOf(yield* none.post("/session", { customer: "42", signature })).error.details).toHaveProperty("customer")
  })
)

it.effect("stores a message once per id", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post } = webchatAt(context)
    const { token, handle } = yield* open({ name: "Ada" })
    for (const body of ["Hello", "Hello", "Hello"]) {
      expect((yield* post("/messages", { id: "m-1", body }, token)).status).toBe(202)
    }
    yield* post("/messages", { id: "m-2", body: "Again" }, token)
    expect(context.stored(handle).map(({ body }) => body)).toEqual(["Hello", "Again"])
    expect(context.events[0]).toEqual({
      _tag: "Message",
      providerMessageId: `${handle}/m-1`,
      from: handle,
      body: "Hello",
      subject: null,
      displayName: "Ada",
      attachments: [],
      automatic: false
    })
  })
)

it.effect("takes an option of a recent question of the conversation, with its own title", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post, get } = webchatAt(context)
    const { token, handle } = yield* open()
    const { handle: stranger, token: foreign } = yield* open()
    const option = { id: "l", title: "Large", description: null }
    const content = { type: "choices", button: null, options: [option] } as const
    const question = context.push(handle, "Which size?", { type: "choices", content })
    yield* post("/messages", { id: "0", body: "Hello" }, foreign)
    expect(bodyOf(yield* get("/messages", token)).data).toMatchObject([{ body: "Which size?", options: [option] }])
    const choose = (message_id: string, option_id: string, by = token) =>
      post("/messages", { id: "1", body: "Give me everything", choice: { message_id, option_id } }, by)
    expect((yield* choose(question.id, "l")).status).toBe(202)
    expect(context.events.at(-1)).toMatchObject({
      from: handle,
      body: "Large",
      content: { type: "choice", id: "l", title: "Large" },
      quoted: { providerMessageId: question.id }
    })
    const before = context.events.length
    const mine = context.push(stranger, "Only a text")
    for (const [message, id, by] of [
      [question.id, "m", token],
      [question.id, "l", foreign],
      [mine.id, "l", foreign],
      ["01900000-0000-7000-8000-0000000000ff", "l", token]
    ] as const) {
      expect(bodyOf(yield* choose(message, id, by)).error.details).toEqual({
        choice: ["must be an option of a recent question"]
      })
    }
    expect(bodyOf(yield* choose("1", "l")).error.details).toEqual({ "choice.message_id": ["must be a UUID"] })
    expect(context.events).toHaveLength(before)
  })
)

it.effect("shows the message that one answers, and takes answers to messages of the conversation", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post, get } = webchatAt(context)
    const { token, handle } = yield* open()
    const { token: foreign } = yield* open()
    yield* post("/messages", { id: "1", body: "Is it blue?" }, token)
    const [question] = context.stored(handle)
    const long = "🥐".repeat(201)
    const answer = context.push(handle, long, { envelope: question ? quoting(question) : null })
    const reply = (quoted: string, by = token) => post("/messages", { id: "2", body: "Good", quoted }, by)
    expect((yield* reply(answer.id)).status).toBe(202)
    expect(context.events.at(-1)).toMatchObject({ body: "Good", quoted: { providerMessageId: answer.id } })
    expect(bodyOf(yield* get("/messages", token)).data).toMatchObject([
      { body: "Good", quoted: { id: answer.id, body: `${"🥐".repeat(199)}…` } },
      { body: long, quoted: { id: question?.id, body: "Is it blue?" } },
      { body: "Is it blue?" }
    ])
    const refusal = { quoted: ["must be the id of a message of this conversation"] }
    expect(bodyOf(yield* reply(answer.id, foreign)).error.details).toEqual(refusal)
    expect(bodyOf(yield* reply("01900000-0000-7000-8000-0000000000ff")).error.details).toEqual(refusal)
  })
)

it.effect("quotes a message without a text by the names of its files", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, get } = webchatAt(context)
    const { token, handle } = yield* open()
    const file = { id: "7", type: "image", contentType: "image/png", fileName: "fox.png", size: 1 } as const
    const picture = context.push(handle, "", { type: "media", attachments: [file] })
    context.push(handle, "This one", { envelope: quoting(picture) })
    expect(bodyOf(yield* get("/messages", token)).data[0]).toMatchObject({
      quoted: { id: picture.id, body: "fox.png" }
    })
  })
)

it.effect("takes the answers to the form before the chat, if the connection asks for them", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post, provider, connection } = webchatAt(context, { config: { pre_chat: ["email", "name"] } })
    const { token, handle } = yield* open()
    const introduce = (form: object) => post("/form", { id: "1", form }, token)
    expect(bodyOf(yield* introduce({ name: " ", email: "ada" })).error.details).toEqual({
      "form.name": ["is required"],
      "form.email": ["must be an email address"]
    })
    expect(bodyOf(yield* post("/form", { form: 1 }, token)).error.details).toMatchObject({ id: ["is required"] })
    expect(context.events).toEqual([])
    const answer = yield* introduce({ name: "Ada\nL", email: "ada@shop.example", phone: "+49 1" })
    expect(answer.status).toBe(202)
    const answers = { name: "Ada L", email: "ada@shop.example" }
    expect(context.events).toMatchObject([
      {
        from: handle,
        body: "Ada L\nada@shop.example",
        displayName: "Ada L",
        content: { type: "form", name: null, answers }
      }
    ])
    expect(provider.capabilities(connection).receives).toContain("form")
    const other = webchatAt(memoryContext())
    const visitor = yield* other.open()
    const refused = yield* other.post("/form", { id: "1", form: { name: "Ada" } }, visitor.token)
    expect(bodyOf(refused).error.details).toEqual({ form: ["is not asked for by this chat"] })
    expect(other.provider.capabilities(other.connection).receives).not.toContain("form")
  })
)

it.effect("accepts texts of up to 4,096 characters, independent of their bytes", () =>
  Effect.gen(function* () {
    const { open, post, provider } = webchatAt(memoryContext())
    const { token } = yield* open()
    const send = (body: string) => post("/messages", { id: "1", body }, token)
    expect((yield* send("🥐".repeat(4_096))).status).toBe(202)
    expect(bodyOf(yield* send("🥐".repeat(4_097))).error.details).toEqual({ body: ["must be at most 4096 characters"] })
    const { bodyLimit } = provider
    const limit = typeof bodyLimit === "function" ? bodyLimit : () => bodyLimit
    expect([limit("/messages"), limit("/files")]).toEqual([32_768, 10_485_760])
  })
)

it.effect("takes a file as a message, once per id, with the type of its bytes", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, upload, get } = webchatAt(context)
    const { token, handle } = yield* open({ name: "Ada" })
    const first = yield* upload(token, "f-1", png, { name: "../fox.png", type: "text/html" })
    const again = yield* upload(token, "f-1", png, { name: "other.png", type: "text/html" })
    expect([first.status, again.status]).toEqual([202, 202])
    expect(context.events[0]).toEqual({
      _tag: "Message",
      providerMessageId: `${handle}/f-1`,
      from: handle,
      body: "",
      subject: null,
      displayName: "Ada",
      attachments: [{ type: "image", contentType: "image/png", fileName: "../fox.png", content: png }],
      automatic: false
    })
    expect(context.stored(handle)).toHaveLength(1)
    const [stored] = bodyOf(yield* get("/messages", token)).data
    expect(stored).toMatchObject({ client_id: "f-1", body: "" })
    const id = context.stored(handle)[0]?.attachments[0]?.id
    expect(stored.attachments).toEqual([
      { id, content_type: "image/png", file_name: "../fox.png", size: png.length, url: `../media/${id}?expires=0` }
    ])
    expect([bodyOf(first).data, bodyOf(again).data]).toEqual([stored, stored])
  })
)

it.effect("decides about a file by its bytes and the connection's types", () =>
  Effect.gen(function* () {
    const typeAt = (config: Given["config"]) => (bytes: Uint8Array, type: string) =>
      Effect.gen(function* () {
        const context = memoryContext()
        const { open, upload } = webchatAt(context, { config: config ?? {} })
        const answer = yield* upload((yield* open()).token, "1", bytes, { type })
        const [event] = context.events
        return event?._tag === "Message" ? event.attachments[0]?.contentType : bodyOf(answer).error.details.file[0]
      })
    const text = (body: string) => new TextEncoder().encode(body)
    const zip = text("PK\u0003\u0004 the rest")
    const refused = (type: string) => `is ${type}, which is not accepted`
    const usual = typeAt({})
    const document = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    expect(yield* usual(png, "application/pdf")).toBe("image/png")
    expect(yield* usual(zip, document)).toBe(document)
    expect(yield* usual(text("BM is my name"), "text/plain; charset=utf-8")).toBe("text/plain")
    expect(yield* usual(text("\0\0\0\u0018ftypM4A "), "audio/mp4")).toBe("audio/mp4")
    // Shown as a download only: see the tests of links to files.
    expect(yield* usual(text("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/png")).toBe("image/svg+xml")
    expect(yield* usual(text("no image"), "image/png")).toBe(refused("application/octet-stream"))
    expect(yield* usual(text("MZ\u0090"), "application/x-msdownload")).toBe(refused("application/x-msdownload"))
    expect(yield* usual(text("<!doctype html>"), "text/html")).toBe(refused("text/html"))
    expect(yield* usual(text("<!doctype html>"), "no type")).toBe(refused("application/octet-stream"))
    const images = typeAt({ file_types: ["image/jpeg", "text/html"] })
    expect(yield* images(png, "image/jpeg")).toBe(refused("image/png"))
    expect(yield* images(text("<!doctype html>"), "text/html")).toBe("text/html")
    expect(yield* typeAt({ file_types: [] })(png, "image/png")).toBe(refused("image/png"))
  })
)

it.effect("refuses files without an id or bytes, and ones that are too large", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, upload } = webchatAt(context)
    const { token } = yield* open()
    const detail = (answer: Effect.Effect.Success<ReturnType<typeof upload>>) => bodyOf(answer).error.details
    expect(detail(yield* upload(token, "a b", png))).toEqual({ id: ["must be 1 to 64 letters, digits, _ and -"] })
    const sizes = { file: ["must have 1 to 10485760 bytes"] }
    expect(detail(yield* upload(token, "1", new Uint8Array()))).toEqual(sizes)
    expect(detail(yield* upload(token, "1", new Uint8Array(10_485_761)))).toEqual(sizes)
    expect((yield* upload("x.y", "1", png)).status).toBe(401)
    expect(context.events).toEqual([])
  })
)

it.effect("limits the files of a visitor per day, by number and by bytes", () =>
  Effect.gen(function* () {
    const bounds = { filesPerDay: 2, fileBytesPerDay: 1_000_000 }
    const { open, post, upload } = webchatAt(memoryContext(), { options: { bounds } })
    const [one, other] = [yield* open(), yield* open()]
    const big = new Uint8Array(900_000)
    big.set(png)
    const send = (token: string, id: string, bytes: Uint8Array) =>
      Effect.map(upload(token, id, bytes), ({ status, headers }) => [status, headers["retry-after"] ?? null])
    expect(yield* send(one.token, "1", big)).toEqual([202, null])
    expect(yield* send(one.token, "2", big)).toEqual([429, "86400"])
    expect(yield* send(one.token, "2", png)).toEqual([202, null])
    expect(yield* send(one.token, "3", png)).toEqual([429, "86400"])
    expect((yield* post("/messages", { id: "4", body: "Hi" }, one.token)).status).toBe(202)
    expect(yield* send(other.token, "1", big)).toEqual([202, null])
    yield* TestClock.adjust("1 day")
    expect(yield* send(one.token, "3", big)).toEqual([202, null])
  })
)

it.effect("reports the problems of a request, and stores nothing", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post, get, request } = webchatAt(context)
    const { token } = yield* open()
    const refusal = (answer: Effect.Effect.Success<ReturnType<typeof post>>) => {
      const { code, details } = bodyOf(answer).error
      return [answer.status, code, Object.keys(details)]
    }
    const at = (body: unknown) => Effect.map(post("/messages", body, token), refusal)
    expect(yield* at("{")).toEqual([400, "bad_request", []])
    expect(yield* at("[]")).toEqual([400, "bad_request", []])
    expect(yield* at({})).toEqual([422, "validation_failed", ["id", "body"]])
    expect(yield* at({ id: "a b", body: " " })).toEqual([422, "validation_failed", ["id", "body"]])
    expect(yield* at({ id: "a", body: "\u0000" })).toEqual([422, "validation_failed", ["body"]])
    expect(refusal(yield* post("/messages", { id: "a", body: "b" }))).toEqual([401, "unauthenticated", []])
    expect(refusal(yield* post("/messages", { id: "a", body: "b" }, "x.y"))).toEqual([401, "unauthenticated", []])
    expect(refusal(yield* get("/messages", token, { query: { before: "1" } }))).toEqual([
      422,
      "validation_failed",
      ["before"]
    ])
    expect(refusal(yield* get("/stream", token, { query: { after: "-1" } }))).toEqual([
      422,
      "validation_failed",
      ["after"]
    ])
    expect(refusal(yield* post("/acks", { read: 1.5 }, token))).toEqual([422, "validation_failed", ["read"]])
    expect(refusal(yield* get("/nothing", token))).toEqual([404, "not_found", []])
    expect(refusal(yield* get("", token))).toEqual([404, "not_found", []])
    const wrong = yield* request("DELETE", "/messages")
    expect(refusal(wrong)).toEqual([405, "method_not_allowed", []])
    expect(wrong.headers.allow).toBe("GET, POST, OPTIONS")
    expect(context.events).toEqual([])
  })
)

it.effect("limits a visitor to twenty messages a minute", () =>
  Effect.gen(function* () {
    const { open, post } = webchatAt(memoryContext())
    const [one, other] = [yield* open(), yield* open()]
    const write = (token: string, id: number) => post("/messages", { id: String(id), body: "Hi" }, token)
    for (let n = 0; n < 20; n += 1) expect((yield* write(one.token, n)).status).toBe(202)
    yield* TestClock.adjust("15 seconds")
    const refused = yield* write(one.token, 20)
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "45"])
    expect((yield* write(other.token, 0)).status).toBe(202)
    yield* TestClock.adjust("45 seconds")
    expect((yield* write(one.token, 20)).status).toBe(202)
  })
)

it.effect("limits the requests of a visitor per minute", () =>
  Effect.gen(function* () {
    const { open, post, get } = webchatAt(memoryContext(), { options: { bounds: { requestsPerMinute: 2 } } })
    const [one, other] = [yield* open(), yield* open()]
    expect((yield* get("/messages", one.token)).status).toBe(200)
    expect((yield* post("/acks", {}, one.token)).status).toBe(204)
    for (const path of ["/messages", "/stream"]) expect((yield* get(path, one.token)).status).toBe(429)
    expect((yield* get("/messages", other.token)).status).toBe(200)
    yield* TestClock.adjust("1 minute")
    expect((yield* get("/messages", one.token)).status).toBe(200)
  })
)

it.effect("limits new visitors per address and minute, but not known ones", () =>
  Effect.gen(function* () {
    const { post } = webchatAt(memoryContext(), { options: { bounds: { visitorsPerMinute: 2 } } })
    const come = (body: object = {}, token?: string) => post("/session", body, token, { address: "192.0.2.1" })
    const first = yield* come()
    expect((yield* come()).status).toBe(200)
    expect((yield* come()).status).toBe(429)
    expect((yield* come({}, bodyOf(first).data.token)).status).toBe(200)
    expect((yield* come({ customer: "42", signature })).status).toBe(200)
    yield* TestClock.adjust("1 minute")
    expect((yield* come()).status).toBe(200)
  })
)

it.effect("lists messages newest first by page, without unsent ones", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post, get } = webchatAt(context, { options: { bounds: { messagesPerMinute: 100 } } })
    const { token, handle } = yield* open()
    for (let n = 0; n < 40; n += 1) yield* post("/messages", { id: `c${n}`, body: `${n}` }, token)
    const sent = context.push(handle, "answer")
    context.push(handle, "on its way", { status: "queued" })
    context.push(handle, "rejected", { status: "failed" })
    const newest = bodyOf(yield* get("/messages", token))
    expect(newest.data[0]).toEqual({
      id: sent.id,
      direction: "outbound",
      body: "answer",
      client_id: null,
      is_read: false,
      created_at: new Date(sent.createdAt).toISOString()
    })
    expect(newest.data[1]).toMatchObject({ direction: "inbound", client_id: "c39", is_read: true })
    expect(newest.meta.sequence).toBe(1)
    const older = bodyOf(yield* get("/messages", token, { query: { before: newest.meta.before } }))
    const bodies = [...newest.data, ...older.data].map(({ body }) => body)
    expect(bodies).toEqual(["answer", ...Array.from({ length: 40 }, (_, n) => String(39 - n))])
    expect(older.meta.before).toBeNull()
    const other = yield* open()
    expect(bodyOf(yield* get("/messages", other.token)).data).toEqual([])
  })
)

it.effect("shows the names of agents unless the connection hides them", () =>
  Effect.gen(function* () {
    for (const [config, agent] of [
      [{}, "Agent 7"],
      [{ agent_names: false }, undefined]
    ] as const) {
      const context = memoryContext()
      const { open, get } = webchatAt(context, { config })
      const { token, handle } = yield* open()
      context.push(handle, "from a person", { agentId: "7" })
      context.push(handle, "from a machine")
      const { data } = bodyOf(yield* get("/messages", token))
      expect(data.map((message: any) => [message.body, message.agent])).toEqual([
        ["from a machine", undefined],
        ["from a person", agent]
      ])
    }
  })
)

it.effect("shows the images of agents unless the connection hides agents", () =>
  Effect.gen(function* () {
    for (const [config, avatar] of [
      [{}, "../media/7?expires=0"],
      [{ agent_names: false }, undefined]
    ] as const) {
      const context = memoryContext()
      context.files.set("7", { contentType: "image/png", bytes: png })
      const { open, get } = webchatAt(context, { config })
      const { token, handle } = yield* open()
      context.push(handle, "with an image", { agentId: "7" })
      context.push(handle, "without one", { agentId: "8" })
      const { data } = bodyOf(yield* get("/messages", token))
      expect(data.map((message: any) => message.agent_avatar)).toEqual([undefined, avatar])
    }
  })
)

it.effect("refuses pages of other sites, and requests nothing from them", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post, request } = webchatAt(context, { config: { allowed_origins: [shop] } })
    const { token } = yield* open()
    const from = (origin: string) => ({ headers: { origin, host: "chat.example" } })
    const foreign = yield* post("/messages", { id: "1", body: "Hi" }, token, from("https://evil.example"))
    expect([foreign.status, foreign.headers["access-control-allow-origin"]]).toEqual([403, undefined])
    expect(context.events).toEqual([])
    const own = yield* post("/messages", { id: "1", body: "Hi" }, token, from(shop))
    expect([own.status, own.headers["access-control-allow-origin"], own.headers.vary]).toEqual([202, shop, "origin"])
    const requests = yield* request("OPTIONS", "/messages", from(shop))
    expect(requests.status).toBe(204)
    expect(requests.headers).toMatchObject({
      "access-control-allow-origin": shop,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "authorization, content-type, last-event-id"
    })
    expect((yield* request("OPTIONS", "/messages", from("https://evil.example"))).status).toBe(403)
  })
)

it.effect("serves its script to any page with the connection's settings, and supports caching", () =>
  Effect.gen(function* () {
    const config = { greeting: "</script>\u2028 Hello", labels: { send: "Senden" } }
    const { request } = webchatAt(memoryContext(), { config })
    const script = yield* request("GET", "/widget.js", { headers: { origin: "https://evil.example" } })
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8")
    const settings = JSON.parse(/\}\)\((\{.*\})\)$/s.exec(String(script.body))?.[1] ?? "")
    expect(settings).toMatchObject({ title: "Shop", greeting: config.greeting, accentColor: "#0b57d0" })
    expect(settings.labels).toEqual({ send: "Senden" })
    const again = yield* request("GET", "/widget.js", { headers: { "if-none-match": script.headers.etag } })
    expect([again.status, again.body]).toEqual([304, ""])
  })
)

it.effect("never shows a secret", () =>
  Effect.gen(function* () {
    const { open, get, post } = webchatAt(memoryContext())
    const { token } = yield* open()
    const answers = [
      yield* get("/widget.js"),
      yield* get("/messages", token),
      yield* post("/session", { customer: "42", signature: "wrong" }),
      yield* post("/messages", { id: "1", body: "Hi" }, "wrong")
    ]
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain("vvvv")
      expect(JSON.stringify(answer)).not.toContain("iiii")
    }
    expect(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).not.toContain(connectionId)
  })
)

it.effect("fails if the message could not be stored", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post } = webchatAt(context)
    const { token } = yield* open()
    context.broken = true
    expect((yield* Effect.exit(post("/messages", { id: "1", body: "Hi" }, token)))._tag).toBe("Failure")
  })
)
