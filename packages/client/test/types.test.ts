import type { IncomingHttpHeaders } from "node:http"
import { expectTypeOf, it } from "vitest"
import type { Client, Contact, createClient, ErrorCode, WebhookEvent, WebhookHeaders } from "../src/index.js"

// The compiler is the test: `@ts-expect-error` marks what it must reject, and an unused mark is an error.
it("rejects at compile time what the service rejects", () => {
  const calls = (parley: Client, make: typeof createClient) => [
    parley.messages.send({ channel: "email", to: "ada@example.com", type: "text", message: { body: "Hello" } }),
    // @ts-expect-error a text needs a body
    parley.messages.send({ channel: "email", to: "ada@example.com", type: "text", message: { template: "hello" } }),
    // @ts-expect-error a template needs a name
    parley.messages.send({ channel: "whatsapp", to: "+491701234567", type: "template", message: { variables: [] } }),
    // @ts-expect-error an unknown stage
    parley.contacts.list({ lifecycle_stage: "friend" }),
    // @ts-expect-error a time is a string
    parley.contacts.list({ created_after: 5 }),
    // @ts-expect-error a lead requires a contact
    parley.leads.create({ title: "Wedding cake" }),
    // @ts-expect-error one kind of credential
    make({ baseUrl: "https://parley.test", apiKey: "key", clientId: "client", clientSecret: "secret" })
  ]
  expectTypeOf(calls).returns.toBeArray()
})

it("types the content of each response", () => {
  type Listed = Awaited<ReturnType<Client["contacts"]["list"]>>["data"][number]
  type Made = Awaited<ReturnType<Client["contacts"]["create"]>>["data"]
  expectTypeOf<Made>().toEqualTypeOf<Contact>()
  expectTypeOf<Listed>().not.toHaveProperty("tags")
  expectTypeOf<Contact>().toHaveProperty("tags")
  expectTypeOf<"rate_limited" | "invalid_client" | "timeout">().toMatchTypeOf<ErrorCode>()
  expectTypeOf<"nonsense">().not.toMatchTypeOf<ErrorCode>()
})

it("narrows events by type", () => {
  const stageOf = (event: WebhookEvent) => (event.type === "lead.stage_changed" ? event.data.to_stage : null)
  expectTypeOf(stageOf).returns.toEqualTypeOf<string | null>()
  expectTypeOf<Extract<WebhookEvent, { type: "message.sent" }>>().toHaveProperty("external_reference")
  expectTypeOf<Extract<WebhookEvent, { type: "contact.created" }>["data"]["contact"]>().toEqualTypeOf<Contact>()
})

it("accepts headers of Node and fetch", () => {
  expectTypeOf<IncomingHttpHeaders>().toMatchTypeOf<WebhookHeaders>()
  expectTypeOf<Headers>().toMatchTypeOf<WebhookHeaders>()
})
