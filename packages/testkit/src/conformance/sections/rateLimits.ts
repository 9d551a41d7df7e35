import { expect } from "vitest"
import type { Answer } from "../Answer.js"
import { expectStatus, page, refusal, resource } from "../Answers.js"
import { freshKey } from "../Caller.js"
import { freshEmail } from "../Handles.js"
import { ListedContact, SendAcknowledgement } from "../Resources.js"
import type { Section } from "../Suite.js"
import { shop } from "../shared.js"

const bucketOf = ({ headers }: Answer) => ({
  limit: Number(headers.get("x-ratelimit-limit")),
  remaining: Number(headers.get("x-ratelimit-remaining"))
})
const text = (to = freshEmail()) => ({ channel: "email", to, type: "text", message: { body: "Hi" } })

/** Checks that the headers of a 429 agree about the waiting time. */
const refusedUntil = (answer: Answer): void => {
  refusal(answer, 429, "rate_limited")
  const wait = Number(answer.headers.get("retry-after"))
  expect(wait).toBeLessThanOrEqual(60)
  const now = Date.parse(answer.headers.get("date") ?? new Date().toISOString()) / 1_000
  expect(Math.abs(Number(answer.headers.get("x-ratelimit-reset")) - now - wait)).toBeLessThanOrEqual(3)
}

/**
 * Rate limits (docs/reference/rate-limits.md#buckets). The presence of the headers is checked on every response of the
 * suite.
 */
export const rateLimits: Section = ({ proves }) => {
  proves("Limits · requests · are 600 a minute by default, sends 100", async (world) => {
    const { workspaceId, connections } = await shop(world)
    const made = await world.admin.post("/applications", {
      ...{ workspace_id: workspaceId, name: "Usual", mode: "test", connection_ids: [connections.email] },
      scopes: ["messages.send", "contacts.read"]
    })
    const { key } = await world.admin.post(`/applications/${made.id}/api-keys`)
    const api = world.as(String(key))
    expect(bucketOf(await api.get("/contacts"))).toEqual({ limit: 600, remaining: 599 })
    const sent = await api.post("/messages", text())
    resource(sent, 202, SendAcknowledgement)
    // The bucket with the fewest tokens left of those that the call used.
    expect(bucketOf(sent)).toEqual({ limit: 100, remaining: 99 })
    expect(bucketOf(await api.get("/contacts"))).toEqual({ limit: 600, remaining: 597 })
  })
  proves("Limits · requests · can be raised by an administrator, with immediate effect", async (world) => {
    const { api, id } = await (await shop(world)).application({ limits: { requests_per_minute: 2 } })
    for (const remaining of [1, 0]) expect(bucketOf(await api.get("/contacts"))).toEqual({ limit: 2, remaining })
    refusedUntil(await api.get("/contacts"))
    await world.admin.patch(`/applications/${id}`, { limits: { requests_per_minute: 10 } })
    const answer = await api.get("/contacts")
    expectStatus(answer, 200)
    expect(bucketOf(answer).limit).toBe(10)
  })
  proves("Limits · requests · every request counts, whatever its result", async (world) => {
    const { api } = await (await shop(world)).application({ limits: { requests_per_minute: 7 } })
    const calls = [
      () => api.get("/contacts"),
      () => api.get("/nowhere"),
      () => api.ask("DELETE", "/contacts"),
      () => api.get("/contacts/none"),
      () => api.post("/contacts", {}),
      () => api.post("/contacts", {}, { key: null }),
      () => api.get("/contacts", { per_page: 0 })
    ]
    for (const [index, call] of calls.entries()) expect(bucketOf(await call()).remaining).toBe(6 - index)
    refusedUntil(await api.get("/contacts"))
  })
  proves("Limits · requests · every page of a list counts", async (world) => {
    const { api } = await (await shop(world)).application({ limits: { requests_per_minute: 3 } })
    for (const left of [2, 1, 0]) {
      const answer = await api.get("/contacts", { per_page: 1, page: 3 - left })
      page(answer, ListedContact)
      expect(bucketOf(answer).remaining).toBe(left)
    }
    refusedUntil(await api.get("/contacts", { per_page: 1, page: 4 }))
  })
  proves("Limits · requests · are exact under concurrent requests on all hosts", async (world) => {
    const { api } = await (await shop(world)).application({ limits: { requests_per_minute: 20 } })
    const answers = await Promise.all(Array.from({ length: 40 }, () => api.get("/contacts")))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })
  proves("Limits · requests · are per application", async (world) => {
    const tenant = await shop(world)
    const [one, other] = [
      await tenant.application({ limits: { requests_per_minute: 1 } }),
      await tenant.application({ limits: { requests_per_minute: 1 } })
    ]
    expectStatus(await one.api.get("/contacts"), 200)
    refusedUntil(await one.api.get("/contacts"))
    expectStatus(await other.api.get("/contacts"), 200)
  })

  proves("Limits · sends · are additional to requests, and a refused send counts as a request", async (world) => {
    const limits = { requests_per_minute: 10, sends_per_minute: 2 }
    const { api } = await (await shop(world)).application({ limits })
    for (const remaining of [1, 0]) {
      const sent = await api.post("/messages", text())
      expectStatus(sent, 202)
      expect(bucketOf(sent)).toEqual({ limit: 2, remaining })
    }
    const refused = await api.post("/messages", text())
    refusedUntil(refused)
    expect(bucketOf(refused)).toEqual({ limit: 2, remaining: 0 })
    expect(bucketOf(await api.get("/contacts"))).toEqual({ limit: 10, remaining: 6 })
  })
  proves("Limits · sends · replays and invalid requests take no token", async (world) => {
    const { api } = await (await shop(world)).application({ limits: { requests_per_minute: 100, sends_per_minute: 2 } })
    const [key, body] = [freshKey(), text()]
    expectStatus(await api.post("/messages", body, { key }), 202)
    for (let time = 0; time < 3; time++) {
      const replay = await api.post("/messages", body, { key })
      expect(replay.headers.get("idempotency-replayed")).toBe("true")
      expect(bucketOf(replay).limit).toBe(100)
    }
    expectStatus(await api.post("/messages", { ...body, to: "x" }, { key }), 409)
    expectStatus(await api.post("/messages", {}), 422)
    expectStatus(await api.post("/messages", body, { key: null }), 400)
    expectStatus(await api.post("/messages", text()), 202)
    refusedUntil(await api.post("/messages", text()))
  })
  proves("Limits · sends · concurrent requests with one key take one token", async (world) => {
    const limits = { requests_per_minute: 100, sends_per_minute: 20 }
    const { api } = await (await shop(world)).application({ limits })
    const [key, body] = [freshKey(), text()]
    await Promise.all(Array.from({ length: 12 }, () => api.post("/messages", body, { key })))
    expect(bucketOf(await api.post("/messages", text()))).toEqual({ limit: 20, remaining: 18 })
  })
  proves("Limits · sends · a send that the rules refuse takes a token", async (world) => {
    const limits = { requests_per_minute: 10, sends_per_minute: 1 }
    const { api } = await (await shop(world)).application({ limits, connection_ids: [] })
    expectStatus(await api.post("/messages", text()), 403)
    refusedUntil(await api.post("/messages", text()))
  })
  proves("Limits · sends · are exact under concurrent requests on all hosts", async (world) => {
    const limits = { requests_per_minute: 100, sends_per_minute: 5 }
    const { api } = await (await shop(world)).application({ limits })
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.post("/messages", text())))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(202), ...Array(7).fill(429)])
  })

  proves("Limits · without a credential · 600 a minute by address, and the headers are real", async (world) => {
    const ask = () => world.anonymous.get("/contacts")
    const [first, second] = [bucketOf(await ask()), bucketOf(await ask())]
    expect([first.limit, second.limit]).toEqual([600, 600])
    expect(second.remaining).toBeLessThan(first.remaining)
  })
}
