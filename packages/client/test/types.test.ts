import type { IncomingHttpHeaders } from "node:http"
import { expectTypeOf, it } from "vitest"
import type { Client, Contact, createClient, ErrorCode, WebhookEvent, WebhookHeaders } from "../src/index.js"

// The compiler is the test: what it must refuse is marked so, and an unused mark is an error.
it("refuses in the editor what the service would refuse", () => {
  const calls = (parley: Client, make: typeof createClient) => [
    parley.messages.send({ channel: "email", to: "ada@example.com", type: "text", message: { body: "Hello" } }),
    // @ts-expect-error a text needs a body
    parley.messages.send({ channel: "email", to: "ada@example.com", type: "text", message: { template: "hello" } }),
    // @ts-expect-error a template needs a name
    parley.messages.send({ channel: "whatsapp", to: "+491701234567", type: "template", message: { variables: [] } }),
    // @ts-expect-error a stage that there is not
    parley.contacts.list({ lifecycle_stage: "friend" }),
    // @ts-expect-error a time is text
    parley.contacts.list({ created_after: 5 }),
    // @ts-expect-error a lead is somebody's
    parley.leads.create({ title: "Wedding cake" }),
    // @ts-expect-error one kind of credential
    make({ baseUrl: "https://parley.test", apiKey: "key", clientId: "client", clientSecret: "secret" })
  ]
  expectTypeOf(calls).returns.toBeArray()
})

it("tells what each answer holds", () => {
  type Listed = Awaited<ReturnType<Client["contacts"]["list"]>>["data"][number]
  type Made = Awaited<ReturnType<Client["contacts"]["create"]>>["data"]
  expectTypeOf<Made>().toEqualTypeOf<Contact>()
  expectTypeOf<Listed>().not.toHaveProperty("tags")
  expectTypeOf<Contact>().toHaveProperty("tags")
  expectTypeOf<"rate_limited" | "invalid_client" | "timeout">().toMatchTypeOf<ErrorCode>()
  expectTypeOf<"nonsense">().not.toMatchTypeOf<ErrorCode>()
})

it("tells events apart by their type", () => {
  const stageOf = (event: WebhookEvent) => (event.type === "lead.stage_changed" ? event.data.to_stage : null)
  expectTypeOf(stageOf).returns.toEqualTypeOf<string | null>()
  expectTypeOf<Extract<WebhookEvent, { type: "message.sent" }>>().toHaveProperty("external_reference")
  expectTypeOf<Extract<WebhookEvent, { type: "contact.created" }>["data"]["contact"]>().toEqualTypeOf<Contact>()
})

it("takes headers as Node and fetch have them", () => {
  expectTypeOf<IncomingHttpHeaders>().toMatchTypeOf<WebhookHeaders>()
  expectTypeOf<Headers>().toMatchTypeOf<WebhookHeaders>()
})
