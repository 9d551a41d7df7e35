import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Client, createClient, verifyWebhook } from "../src/index.js"
import { type Host, startHost } from "./host.js"
import { failure } from "./scripted.js"

let host: Host
let client: Client
beforeAll(async () => {
  host = await startHost()
  client = createClient(host.byKey)
})
afterAll(() => host.stop())

const all = async <Row>(rows: AsyncIterable<Row>) => {
  const found: Array<Row> = []
  for await (const row of rows) found.push(row)
  return found
}
const text = (to: string, body = "Hello") =>
  ({ channel: "email", to, type: "text", message: { subject: "Hi", body } }) as const

it("creates, reads and lists contacts", async () => {
  const made = await client.contacts.create({ first_name: "Ada", email: "ada@example.com", tags: ["maker"] })
  expect(made).toMatchObject({ replayed: false, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(made.rateLimit?.remaining).toBeLessThan(made.rateLimit?.limit ?? 0)
  expect((await client.contacts.get(made.data.id)).data).toEqual(made.data)
  for (const name of ["Bea", "Cleo", "Dora", "Eve"]) {
    await client.contacts.create({ first_name: name, email: `${name}@example.com`, tags: ["maker"] })
  }
  const page = await client.contacts.list({ tag: "maker", per_page: 2, page: 2 })
  expect(page.meta).toEqual({ current_page: 2, per_page: 2, total: 5, last_page: 3 })
  expect(page.data.map(({ name }) => name)).toEqual(["Cleo", "Dora"])
  const names = (await all(client.contacts.listAll({ tag: "maker", per_page: 2 }))).map(({ name }) => name)
  expect(names).toEqual(["Ada", "Bea", "Cleo", "Dora", "Eve"])
})

it("returns the first response again for the same key", async () => {
  const once = await client.contacts.create({ email: "once@example.com" }, { idempotencyKey: "once" })
  const again = await client.contacts.create({ email: "once@example.com" }, { idempotencyKey: "once" })
  expect([again.replayed, again.data]).toEqual([true, once.data])
  const other = await failure(client.contacts.create({ email: "twice@example.com" }, { idempotencyKey: "once" }))
  expect([other.code, other.status, other.idempotencyKey]).toEqual(["idempotency_conflict", 409, "once"])
})

it("sends texts and templates, and reads their status", async () => {
  const { data } = await client.messages.send({ ...text("grace@example.com"), external_reference: "order-1" })
  expect(data).toMatchObject({
    status: "queued",
    external_reference: "order-1",
    connection_id: host.connections.email
  })
  const message = (await client.messages.get(data.message_id)).data
  expect([message.direction, message.body, message.external_reference]).toEqual(["outbound", "Hello", "order-1"])
  const template = await client.messages.send({
    channel: "whatsapp",
    to: "+491701234567",
    type: "template",
    message: { template: "order_ready", variables: ["Grace"] }
  })
  expect((await client.messages.get(template.data.message_id)).data.body).toBe("Hi Grace, your order is ready.")
})

it("iterates over conversations and their messages", async () => {
  const { data } = await client.messages.send(text("walk@example.com", "1"))
  await client.messages.send(text("walk@example.com", "2"))
  await client.messages.send(text("walk@example.com", "3"))
  const { conversation_id: id, contact_id } = data
  const conversation = (await client.conversations.get(id)).data
  expect(conversation).toMatchObject({ id, contact_id, status: "open", channel: "email" })
  expect((await client.conversations.list({ contact_id })).data).toEqual([conversation])
  const page = await client.conversations.messages(id, { limit: 2 })
  expect([page.meta, page.data.map(({ body }) => body)]).toEqual([{ per_page: 2, has_more: true }, ["3", "2"]])
  const bodies = (await all(client.conversations.allMessages(id, { limit: 2 }))).map(({ body }) => body)
  expect(bodies).toEqual(["3", "2", "1"])
  const ids = (await all(client.conversations.listAll({ limit: 1 }))).map((one) => one.id)
  expect(ids).toContain(id)
  expect(new Set(ids).size).toBe(ids.length)
})

it("lists templates and channels", async () => {
  expect((await client.templates.list()).data.map(({ name }) => name)).toEqual(["order_ready"])
  const every = await all(client.templates.listAll({ include_unapproved: true, per_page: 1 }))
  expect(every.map(({ name }) => name)).toEqual(["not_yet", "order_ready"])
  const channels = (await client.channels.list()).data
  expect(channels.map(({ id }) => id).sort()).toEqual(Object.values(host.connections).sort())
})

it("creates leads and posts events", async () => {
  const { data: contact } = await client.contacts.create({ email: "lead@example.com" })
  const { data: lead } = await client.leads.create({ contact_id: contact.id, title: "Wedding cake", value: 250 })
  expect(lead).toMatchObject({ contact_id: contact.id, stage: "new", title: "Wedding cake", value: 250 })
  const { data } = await client.events.send({ event: "order.shipped", contact_id: contact.id, data: { order: 1 } })
  expect(data).toEqual({ workflows_matched: 0 })
})

it("reports every problem of an input by field", async () => {
  const error = await failure(client.contacts.create({ country: "Germany", tags: ["x".repeat(101)] }))
  expect([error.code, error.status]).toEqual(["validation_failed", 422])
  expect(Object.keys(error.details)).toEqual(expect.arrayContaining(["country", "email"]))
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
})

it("creates a new message when a rejected send is repeated with its key", async () => {
  const once = createClient({ ...host.byKey, maxRetries: 0 })
  const error = await failure(once.messages.send(text("reject@example.com"), { idempotencyKey: "rejected" }))
  expect([error.code, error.status, error.idempotencyKey]).toEqual(["provider_error", 502, "rejected"])
  const again = await failure(once.messages.send(text("reject@example.com"), { idempotencyKey: "rejected" }))
  expect(again.details.message_id).not.toBe(error.details.message_id)
})

it("reports an unknown id and an invalid key", async () => {
  const none = await failure(client.contacts.get("01900000-0000-7000-8000-00000000dead"))
  expect([none.code, none.status]).toEqual(["not_found", 404])
  const stranger = createClient({
    ...host.byKey,
    apiKey: "parley_test_00000000000000000000000000000000",
    maxRetries: 9
  })
  expect((await failure(stranger.channels.list())).code).toBe("unauthenticated")
})

it("works with client credentials, limited to the requested scope", async () => {
  const reader = createClient({ ...host.byClient, scope: "contacts.read" })
  expect((await reader.contacts.list({ per_page: 1 })).data).toHaveLength(1)
  const error = await failure(reader.contacts.create({ email: "no@example.com" }))
  expect([error.code, error.details]).toEqual(["forbidden", { required_scope: "contacts.write" }])
  const everything = createClient(host.byClient)
  expect((await everything.contacts.create({ email: "yes@example.com" })).data.email).toBe("yes@example.com")
  const wrong = createClient({ ...host.byClient, clientSecret: "wrong" })
  expect((await failure(wrong.channels.list())).code).toBe("invalid_client")
  const greedy = createClient({ ...host.byClient, scope: "everything" })
  expect((await failure(greedy.channels.list())).code).toBe("invalid_scope")
})

it("verifies the service's webhooks and rejects others", async () => {
  await client.messages.send({ ...text("hook@example.com"), external_reference: "order-2" })
  const { body, headers } = await host.webhook("message.queued")
  const event = await verifyWebhook(body, headers, host.webhookSecret)
  if (event.type !== "message.queued") throw new Error(event.type)
  expect(event.id).toBe(headers["x-webhook-id"])
  expect(event.data.message.direction).toBe("outbound")
  const forged = await failure(verifyWebhook(body.replace("outbound", "inbound"), headers, host.webhookSecret))
  expect(forged.reason).toBe("signature_mismatch")
})

it("does not follow redirects with its credential", async () => {
  const requests: Array<string | undefined> = []
  const elsewhere = createServer((request, response) => {
    requests.push(request.url)
    response.writeHead(307, { location: "/stolen" }).end()
  })
  await new Promise<void>((resolve) => void elsewhere.listen(0, "127.0.0.1", resolve))
  try {
    const baseUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    const error = await failure(createClient({ ...host.byKey, baseUrl }).contacts.create({ email: "ada@example.com" }))
    expect([error.code, error.status, requests]).toEqual(["unexpected_response", 307, ["/api/v1/contacts"]])
  } finally {
    elsewhere.closeAllConnections()
    elsewhere.close()
  }
})

it("reports that no service listens", async () => {
  const error = await failure(
    createClient({ ...host.byKey, baseUrl: "http://127.0.0.1:1", maxRetries: 0 }).channels.list()
  )
  expect([error.code, error.status]).toEqual(["network_error", null])
  expect(error.cause).toBeInstanceOf(Error)
})
