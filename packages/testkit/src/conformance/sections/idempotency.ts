import { expect } from "vitest"
import { cursorPage, expectStatus, page, refusal, resource } from "../Answers.js"
import { freshKey } from "../Caller.js"
import { freshEmail, freshHandle, freshNumber } from "../Handles.js"
import {
  Contact,
  Conversation,
  EventAcknowledgement,
  ListedContact,
  Message,
  SendAcknowledgement
} from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { shop } from "../shared.js"
import type { Tenant } from "../Workspace.js"

const testTenant = once(async (world) => {
  const tenant = await shop(world)
  const { id } = resource(await tenant.app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
  return { ...tenant, contactId: id }
})

const message = (to: string, body = "Hello") => ({ channel: "email", to, type: "text", message: { body } })

type TestTenant = Tenant & { readonly contactId: string }

/** The POSTs that create something, each with a valid body. */
const creating: ReadonlyArray<readonly [path: string, status: number, body: (tenant: TestTenant) => object]> = [
  ["/messages", 202, () => message(freshEmail())],
  ["/contacts", 201, () => ({ email: freshEmail() })],
  ["/leads", 201, ({ contactId }) => ({ contact_id: contactId })],
  ["/events", 202, ({ contactId }) => ({ event: "order.shipped", contact_id: contactId })]
]

/** Idempotency (docs/reference/idempotency.md#the-idempotency-key-header). */
export const idempotency: Section = ({ proves }) => {
  for (const [path, status, bodyOf] of creating) {
    proves(`Idempotency · POST ${path} · needs a key of 1 to 255 characters`, async (world) => {
      const tenant = await testTenant(world)
      const { api } = tenant.app
      const body = bodyOf(tenant)
      for (const key of [null, "", "  ", "x".repeat(256)]) {
        const details = refusal(await api.post(path, body, { key }), 400, "bad_request")
        expect(details, String(key)).toEqual({ "Idempotency-Key": [expect.any(String)] })
      }
      expectStatus(await api.post(path, body, { key: freshKey().padEnd(255, "x") }), status)
    })

    proves(`Idempotency · rule 1 · POST ${path} · same key and body: the original response, marked`, async (world) => {
      const tenant = await testTenant(world)
      const { api } = tenant.app
      const [key, body] = [freshKey(), bodyOf(tenant)]
      const first = await api.post(path, body, { key })
      expectStatus(first, status)
      expect(first.headers.get("idempotency-replayed")).toBeNull()
      const again = await api.post(path, body, { key })
      expectStatus(again, status)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect(again.json).toEqual(first.json)
      expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"))
      // The order of fields and white space do not matter.
      const reordered = Object.fromEntries(Object.entries(body).reverse())
      const raw = JSON.stringify(reordered, null, 3)
      expect((await api.post(path, undefined, { key, raw })).headers.get("idempotency-replayed")).toBe("true")
    })

    proves(`Idempotency · rule 2 · POST ${path} · same key and another body is 409`, async (world) => {
      const tenant = await testTenant(world)
      const { api } = tenant.app
      const [key, body] = [freshKey(), bodyOf(tenant)]
      expectStatus(await api.post(path, body, { key }), status)
      refusal(await api.post(path, { ...body, more: 1 }, { key }), 409, "idempotency_conflict")
      // The key is checked before the body.
      refusal(await api.post(path, {}, { key }), 409, "idempotency_conflict")
      expect((await api.post(path, body, { key })).headers.get("idempotency-replayed")).toBe("true")
    })

    proves(`Idempotency · POST ${path} · a refused request leaves its key free`, async (world) => {
      const tenant = await testTenant(world)
      const { api } = tenant.app
      const key = freshKey()
      expectStatus(await api.post(path, {}, { key }), 422)
      const done = await api.post(path, bodyOf(tenant), { key })
      expectStatus(done, status)
      expect(done.headers.get("idempotency-replayed")).toBeNull()
    })

    proves(
      `Idempotency · POST ${path} · concurrent requests with one key on several hosts: one effect`,
      async (world) => {
        const tenant = await testTenant(world)
        const { api } = tenant.app
        const [key, body] = [freshKey(), bodyOf(tenant)]
        const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(path, body, { key })))
        const done = answers.filter((answer) => answer.status === status)
        expect(done.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1)
        expect(new Set(done.map(({ text }) => text)).size).toBe(1)
        for (const answer of answers) if (!done.includes(answer)) refusal(answer, 409, "idempotency_conflict")
      }
    )
  }

  proves("Idempotency · rule 1 · one message, one contact", async (world) => {
    const { api } = (await testTenant(world)).app
    const [key, to] = [freshKey(), freshEmail()]
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post("/messages", message(to), { key })))
    const first = answers.find(({ status }) => status === 202)
    const { conversation_id } = resource(first ?? (answers[0] as (typeof answers)[0]), 202, SendAcknowledgement)
    await api.post("/messages", message(to), { key })
    expect(cursorPage(await api.get(`/conversations/${conversation_id}/messages`), Message).data).toHaveLength(1)
    expect(page(await api.get("/contacts", { search: to }), ListedContact).meta.total).toBe(1)
  })
  proves(
    "Idempotency · concurrent requests to one new handle with different keys: one contact, one conversation",
    async (world) => {
      const { api } = (await testTenant(world)).app
      const to = freshEmail()
      const answers = await Promise.all(Array.from({ length: 6 }, () => api.post("/messages", message(to))))
      const sent = answers.map((answer) => resource(answer, 202, SendAcknowledgement))
      expect(new Set(sent.map(({ message_id }) => message_id)).size).toBe(6)
      expect(new Set(sent.map(({ contact_id, conversation_id }) => contact_id + conversation_id)).size).toBe(1)
    }
  )
  proves("Idempotency · rule 2 · same key on another endpoint is 409", async (world) => {
    const { app, contactId } = await testTenant(world)
    const [key, body] = [freshKey(), { email: freshEmail(), contact_id: contactId }]
    resource(await app.api.post("/contacts", body, { key }), 201, Contact)
    refusal(await app.api.post("/leads", body, { key }), 409, "idempotency_conflict")
  })
  proves("Idempotency · rule 2 · while the first request is still running is 409", async (world) => {
    const tenant = await world.workspace([])
    // The sandbox takes five seconds for this number, so that the request waits for the verdict.
    const slow = await tenant.connection("telegram", { config: { verdict_wait_ms: 20_000 } })
    const { api } = await tenant.application({ connection_ids: [slow.id] })
    for (let time = 0; time < 5; time++) {
      const [key, body] = [freshKey(), { ...message(freshHandle("telegram", "slow")), channel: "telegram" }]
      const first = api.post("/messages", body, { key })
      await world.until("the first request is under way", async () => {
        const { data } = cursorPage(await api.get("/conversations"), Conversation)
        return data.length > time ? true : undefined
      })
      const second = await api.post("/messages", body, { key })
      resource(await first, 202, SendAcknowledgement)
      expect((await api.post("/messages", body, { key })).headers.get("idempotency-replayed")).toBe("true")
      if (second.status === 409) return refusal(second, 409, "idempotency_conflict")
      // On a slow machine the first request may have been answered meanwhile: then it is a replay.
      expect(second.headers.get("idempotency-replayed")).toBe("true")
    }
    throw new Error("a request that is still running was never refused")
  })
  proves("Idempotency · rule 3 · a key that started no second run: the event is answered as before", async (world) => {
    const { app, contactId, workflow } = await testTenant(world)
    await workflow("rule.three")
    const [key, body] = [freshKey(), { event: "rule.three", contact_id: contactId }]
    const first = await app.api.post("/events", body, { key })
    expect(resource(first, 202, EventAcknowledgement)).toEqual({ workflows_matched: 1 })
    expect((await app.api.post("/events", body, { key })).text).toBe(first.text)
  })
  proves("Idempotency · a 502 frees the key, and the same request makes a new message", async (world) => {
    const { api } = (await testTenant(world)).app
    const [key, to] = [freshKey(), freshEmail("reject")]
    const ids = []
    for (let time = 0; time < 2; time++) {
      ids.push(refusal(await api.post("/messages", message(to), { key }), 502, "provider_error").message_id)
    }
    expect(ids[0]).not.toBe(ids[1])
    resource(await api.post("/messages", message(freshEmail()), { key }), 202, SendAcknowledgement)
  })
  proves("Idempotency · a key belongs to one application", async (world) => {
    const tenant = await testTenant(world)
    const other = await tenant.application()
    const [key, to] = [freshKey(), freshEmail()]
    const send = async (api: typeof other.api) =>
      resource(await api.post("/messages", message(to), { key }), 202, SendAcknowledgement).message_id
    expect(await send(tenant.app.api)).not.toBe(await send(other.api))
  })
  proves("Idempotency · a key distinguishes similar values of the body", async (world) => {
    const { api } = (await testTenant(world)).app
    const key = freshKey()
    const body = { phone: freshNumber(), first_name: "1", tags: ["a", "b"] }
    resource(await api.post("/contacts", body, { key }), 201, Contact)
    for (const other of [
      { ...body, first_name: 1 },
      { ...body, tags: ["b", "a"] },
      { ...body, last_name: null }
    ]) {
      refusal(await api.post("/contacts", other, { key }), 409, "idempotency_conflict")
    }
  })
}
