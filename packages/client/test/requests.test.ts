import { runInNewContext } from "node:vm"
import * as fc from "effect/FastCheck"
import { expect, it } from "vitest"
import { createClient, isParleyError, ParleyError } from "../src/index.js"
import { failure, ok, type Reply, refusal, scripted } from "./scripted.js"

const access = { baseUrl: "https://parley.test", apiKey: "parley_test_key" }

it.each([
  ["https://parley.test", "https://parley.test/api/v1"],
  ["https://parley.test/", "https://parley.test/api/v1"],
  ["https://parley.test/api/v1", "https://parley.test/api/v1"],
  ["https://parley.test/api/v1/", "https://parley.test/api/v1"],
  ["http://127.0.0.1:8080/messaging/", "http://127.0.0.1:8080/messaging/api/v1"]
])("resolves the base URL %s", async (baseUrl, found) => {
  const { client, seen } = scripted([ok], { baseUrl })
  await client.contacts.get("1")
  expect(seen[0]?.url).toBe(`${found}/contacts/1`)
})

it.each([
  ["baseUrl", { ...access, baseUrl: "parley.test" }],
  ["baseUrl", { ...access, baseUrl: "ftp://parley.test" }],
  ["baseUrl", { ...access, baseUrl: "https://ada:secret@parley.test" }],
  ["apiKey", { ...access, apiKey: undefined as unknown as string }],
  ["apiKey", { ...access, apiKey: "" }],
  ["apiKey", { ...access, apiKey: "parley_test_key\n" }],
  ["apiKey", { ...access, clientId: "c", clientSecret: "s" } as unknown as typeof access],
  ["clientId", { baseUrl: access.baseUrl, clientId: "", clientSecret: "s" }],
  ["clientSecret", { baseUrl: access.baseUrl, clientId: "c", clientSecret: "" }]
])("rejects an invalid %s", (name, given) => {
  expect(() => createClient(given)).toThrow(new RegExp(`^${name} must be`))
})

it.each([
  ["timeoutMs", { timeoutMs: 0 }],
  ["timeoutMs", { timeoutMs: Number.NaN }],
  ["maxRetries", { maxRetries: -1 }],
  ["maxRetries", { maxRetries: 1.5 }],
  ["userAgent", { userAgent: "shop\r\nx: y" }]
])("rejects an invalid option %s", (name, options) => {
  expect(() => createClient({ ...access, ...options })).toThrow(new RegExp(`^${name} must be`))
})

it("rejects unknown options and a second argument", () => {
  const misspelled = { ...access, timeout: 5_000, retries: 1 } as typeof access
  expect(() => createClient(misspelled)).toThrow(
    "timeout and retries must be left out: the options are baseUrl, apiKey, clientId, clientSecret, scope, fetch, timeoutMs, maxRetries, userAgent"
  )
  expect(() => (createClient as (...given: ReadonlyArray<unknown>) => unknown)(access, { maxRetries: 0 })).toThrow(
    "createClient takes one object with all options"
  )
  for (const given of [undefined, null, access.baseUrl]) {
    expect(() => createClient(given as never)).toThrow(/^createClient takes one object with all options: baseUrl, /)
  }
})

it("rejects unknown options of a call, options that are no object, and a missing body", async () => {
  const { client, seen } = scripted([ok])
  const { attachments, contacts, conversations, messages } = client as any
  const rejected: ReadonlyArray<readonly [() => Promise<unknown>, string]> = [
    [
      () => messages.send({ to: "ada" }, { idempotency_key: "order-1" }),
      "idempotency_key must be left out: the options are idempotencyKey, signal, timeoutMs"
    ],
    [
      () => messages.send({ to: "ada" }, "order-1"),
      "the options of a call must be an object: idempotencyKey, signal, timeoutMs"
    ],
    [
      () => contacts.get("1", { idempotencyKey: "order-1" }),
      "idempotencyKey must be left out: the options are signal, timeoutMs"
    ],
    [() => contacts.list({}, null), "the options of a call must be an object: signal, timeoutMs"],
    [
      () => conversations.typing("1", { timeout: 1 }),
      "timeout must be left out: the options are idempotencyKey, signal, timeoutMs"
    ],
    [() => messages.send(), "the body of /messages must be an object"],
    [
      () => attachments.create({ file: "/tmp/menu.pdf" }),
      "file must be a Blob, a File or a Uint8Array, and not the path of a file"
    ],
    [() => attachments.create(), "file must be a Blob, a File or a Uint8Array, and not the path of a file"]
  ]
  for (const [call, message] of rejected) {
    const error = await failure(call())
    expect([error.constructor, error.message]).toEqual([TypeError, message])
  }
  expect(seen).toEqual([])
})

it("uploads bytes of another realm, such as those of a test of Jest", async () => {
  const { client, seen } = scripted([ok])
  const file = runInNewContext("new Uint8Array([1, 2, 3, 4]).subarray(1, 3)")
  await client.attachments.create({ file })
  expect([...(seen[0]?.body ?? [])]).toEqual([2, 3])
})

it("asks for uncompressed JSON with its credential, and sends a body only if there is one", async () => {
  const { client, seen } = scripted([ok])
  await client.contacts.get("1")
  await client.contacts.create({ email: "ada@example.com" }, { idempotencyKey: "order 1" })
  expect(seen.map(({ method, headers, body }) => ({ method, headers, body }))).toEqual([
    {
      method: "GET",
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        authorization: "Bearer parley_test_key",
        "user-agent": "parley-client"
      },
      body: undefined
    },
    {
      method: "POST",
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        authorization: "Bearer parley_test_key",
        "content-type": "application/json",
        "idempotency-key": "order 1",
        "user-agent": "parley-client"
      },
      body: { email: "ada@example.com" }
    }
  ])
})

it("gives every creating call its own key", async () => {
  const { client, seen } = scripted([ok])
  await client.contacts.create({ email: "ada@example.com" })
  await client.contacts.create({ email: "ada@example.com" }, { idempotencyKey: undefined })
  const keys = seen.map(({ headers }) => headers["idempotency-key"])
  expect(new Set(keys).size).toBe(2)
  expect(keys).toEqual(keys.map(() => expect.stringMatching(/^[0-9a-f-]{36}$/)))
})

it.each(["", " ", "a ", "grüße", "a\nb", "x".repeat(256)])("rejects the key %j", async (idempotencyKey) => {
  const { client, seen } = scripted([ok])
  const error = await failure(client.contacts.create({}, { idempotencyKey }))
  expect(error).toBeInstanceOf(TypeError)
  expect(seen).toEqual([])
})

it("sends only the given query parameters", async () => {
  const { client, seen } = scripted([{ body: { data: [], meta: {}, links: { next: null, prev: null } } }])
  await client.contacts.list({ search: "a&b=c ü", per_page: 5, ...({ tag: undefined, channel: null } as object) })
  await client.templates.list({ include_unapproved: false })
  await client.channels.list()
  expect(seen.map(({ url }) => url.slice("https://parley.test/api/v1".length))).toEqual([
    "/contacts?search=a%26b%3Dc+%C3%BC&per_page=5",
    "/templates?include_unapproved=false",
    "/channels"
  ])
})

it("encodes any id as one path segment", async () => {
  await fc.assert(
    fc.asyncProperty(fc.fullUnicodeString({ minLength: 1 }), async (id) => {
      fc.pre(!/^\.{1,2}$/.test(id))
      const { client, seen } = scripted([ok])
      await client.conversations.get(id)
      const { pathname, search } = new URL(seen[0]?.url ?? "")
      const [, , , resource, last, ...more] = pathname.split("/")
      expect([resource, decodeURIComponent(last ?? ""), search, more]).toEqual(["conversations", id, "", []])
    })
  )
})

it.each(["", ".", ".."])("rejects the id %j", async (id) => {
  const { client, seen } = scripted([ok])
  for (const call of [
    client.contacts.get,
    client.messages.get,
    client.conversations.get,
    client.conversations.messages
  ]) {
    expect(await failure(call(id))).toBeInstanceOf(TypeError)
  }
  expect(seen).toEqual([])
})

it("returns request id, rate limit and replay flag with each response", async () => {
  const headers = {
    "x-request-id": "request-7",
    "x-ratelimit-limit": "600",
    "x-ratelimit-remaining": "599",
    "idempotency-replayed": "true"
  }
  const { client } = scripted([{ ...ok, headers }, ok])
  expect(await client.contacts.get("1")).toEqual({
    data: { id: "1" },
    requestId: "request-7",
    rateLimit: { limit: 600, remaining: 599 },
    replayed: true
  })
  expect(await client.contacts.get("1")).toEqual({
    data: { id: "1" },
    requestId: null,
    rateLimit: null,
    replayed: false
  })
})

const page = (rows: ReadonlyArray<number>, next: string | null): Reply => ({
  body: { data: rows.map((id) => ({ id })), meta: {}, links: { next, prev: null } }
})
const all = async (rows: AsyncIterable<{ readonly id: unknown }>) => {
  const found: Array<unknown> = []
  for await (const { id } of rows) found.push(id)
  return found
}

it("iterates over a list and fetches pages on demand", async () => {
  const first = "https://parley.test/api/v1/contacts?tag=vip&per_page=2&page=2"
  const { client, seen } = scripted([page([1, 2], first), page([3], null)])
  const rows = client.contacts.listAll({ tag: "vip", per_page: 2 })
  expect(seen).toHaveLength(0)
  await rows.next()
  await rows.next()
  expect(seen).toHaveLength(1)
  expect(await all(rows)).toEqual([3])
  expect(seen.map(({ url }) => new URL(url).search)).toEqual(["?per_page=2&tag=vip", "?tag=vip&per_page=2&page=2"])
})

it("requests 100 rows per page by default", async () => {
  const { client, seen } = scripted([page([], null)])
  await all(client.contacts.listAll())
  await all(client.templates.listAll())
  await all(client.conversations.listAll())
  await all(client.conversations.allMessages("1"))
  expect(seen.map(({ url }) => new URL(url).search)).toEqual([
    "?per_page=100",
    "?per_page=100",
    "?limit=100",
    "?limit=100"
  ])
})

it("sends its credential only to the base URL, whatever a link says", async () => {
  const { client, seen } = scripted([page([1], "https://elsewhere.test/steal?cursor=c&limit=1"), page([2], null)])
  expect(await all(client.conversations.allMessages("7", { limit: 1 }))).toEqual([1, 2])
  expect(seen[1]?.url).toBe("https://parley.test/api/v1/conversations/7/messages?cursor=c&limit=1")
})

it("stops fetching pages when the iteration stops", async () => {
  const controller = new AbortController()
  const { client, seen } = scripted([page([1], "https://parley.test/?cursor=c")])
  const rows = client.conversations.listAll({}, { signal: controller.signal })
  await rows.next()
  controller.abort()
  expect((await failure(rows.next())).name).toBe("AbortError")
  expect(seen).toHaveLength(1)
})

it("passes on every part of an error", async () => {
  const { client } = scripted([refusal(422, "validation_failed", { "x-request-id": "from-header" })])
  const error = await failure(client.contacts.create({}, { idempotencyKey: "k" }))
  expect(error).toBeInstanceOf(ParleyError)
  expect({ ...error, message: error.message }).toEqual({
    name: "ParleyError",
    code: "validation_failed",
    status: 422,
    message: "It is validation_failed. (why: so)",
    details: { why: ["so"] },
    requestId: "request-1",
    retryAfter: null,
    idempotencyKey: "k"
  })
})

it("names the first of several problems in the message of an error", async () => {
  const details = { contact_id: "1", phone: ["must be a number", "is too long"], email: ["is too long"] }
  const error = { code: "validation_failed", message: "The data is not valid.", details, request_id: "r" }
  const { client } = scripted([{ status: 422, body: { error } }])
  expect((await failure(client.contacts.create({}))).message).toBe(
    "The data is not valid. (phone: must be a number; and 2 more in details)"
  )
})

it("has the message of the service alone if it names no problem", async () => {
  const error = {
    code: "validation_failed",
    message: "The data is not valid.",
    details: { phone: [] },
    request_id: "r"
  }
  const { client } = scripted([{ status: 422, body: { error } }])
  expect((await failure(client.contacts.create({}))).message).toBe("The data is not valid.")
})

it.each([
  ["an HTML page of a proxy", { status: 403, body: "<html>Forbidden</html>" }],
  ["a redirect", { status: 302, headers: { location: "https://elsewhere.test/" }, body: "" }],
  ["HTML instead of JSON", { status: 200, body: "<html>" }],
  ["an empty success", { status: 200, body: "" }],
  ["JSON of another service", { status: 200, body: [1] }],
  ["JSON without data", { status: 200, body: { ok: true } }]
] as ReadonlyArray<readonly [string, Reply]>)("takes %s for no answer of the service", async (_, reply) => {
  const { client, seen } = scripted([{ ...reply, headers: { ...reply.headers, "x-request-id": "r" } }])
  const error = await failure(client.contacts.get("1"))
  expect([error.code, error.status, error.requestId]).toEqual(["unexpected_response", reply.status, "r"])
  expect(seen).toHaveLength(1)
})

it("recognises its errors, including those of another copy", () => {
  const error = new ParleyError({ code: "rate_limited", message: "" })
  expect(isParleyError(error)).toBe(true)
  expect(isParleyError(error, "not_found", "rate_limited")).toBe(true)
  expect(isParleyError(error, "not_found")).toBe(false)
  expect(isParleyError(Object.assign(new Error(), { name: "ParleyError", code: "timeout" }), "timeout")).toBe(true)
  const ofAnotherCopy: unknown = Object.assign(new Error(), { name: "ParleyError", code: "timeout" })
  expect([error, ofAnotherCopy].map((one) => one instanceof ParleyError)).toEqual([true, true])
  expect(new Error("rate_limited") instanceof ParleyError).toBe(false)
  class OwnError extends ParleyError {}
  expect([error, new OwnError({ code: "timeout", message: "" })].map((one) => one instanceof OwnError)).toEqual([
    false,
    true
  ])
  expect(isParleyError(new Error("rate_limited"))).toBe(false)
  expect(isParleyError({ name: "ParleyError", code: "rate_limited" })).toBe(false)
})

it("does not reveal its credential when printed", () => {
  const { client } = scripted([ok])
  expect(JSON.stringify(client)).not.toContain("parley_test_key")
  expect(Object.keys(client)).toEqual([
    "contacts",
    "messages",
    "conversations",
    "templates",
    "leads",
    "events",
    "attachments",
    "channels"
  ])
})

it("signals to the customer of a conversation", async () => {
  const { client, seen } = scripted([ok])
  await client.conversations.typing("1/2")
  await client.conversations.read("1")
  expect(seen.map(({ body, method, url }) => [method, new URL(url).pathname, body])).toEqual([
    ["POST", "/api/v1/conversations/1%2F2/typing", {}],
    ["POST", "/api/v1/conversations/1/read", {}]
  ])
})

it("uploads bytes, or a file with its name and type, under one key for all attempts", async () => {
  const { client, seen } = scripted([{ status: 503, body: "" }, ok])
  const file = new File([new Uint8Array([1, 2, 3])], "a b.png", { type: "image/png" })
  await client.attachments.create({ file })
  await client.attachments.create({ file: new Uint8Array([4]), contentType: "text/plain" })
  expect(seen.map(({ body, headers, url }) => [url, headers["content-type"], body])).toEqual([
    ["https://parley.test/api/v1/attachments?file_name=a+b.png", "image/png", new Uint8Array([1, 2, 3])],
    ["https://parley.test/api/v1/attachments?file_name=a+b.png", "image/png", new Uint8Array([1, 2, 3])],
    ["https://parley.test/api/v1/attachments", "text/plain", new Uint8Array([4])]
  ])
  const [first, second, third] = seen.map(({ headers }) => headers["idempotency-key"])
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect([second === first, third === first]).toEqual([true, false])
})
