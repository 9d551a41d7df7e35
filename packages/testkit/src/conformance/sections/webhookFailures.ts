import { expect } from "vitest"
import { refusal, resource, wrongFields } from "../Answers.js"
import { expectDelivery } from "../Deliveries.js"
import { freshEmail } from "../Handles.js"
import type { Reply } from "../Receiver.js"
import { Contact } from "../Resources.js"
import { once, type Section } from "../Suite.js"
import type { Endpoint, Tenant } from "../Workspace.js"
import type { World } from "../World.js"

const replies: ReadonlyArray<readonly [status: number, isDone: boolean]> = [
  ...[200, 201, 204, 299].map((status) => [status, true] as const),
  ...[301, 404, 410, 429, 500].map((status) => [status, false] as const)
]

const newContact = async ({ app }: Tenant): Promise<void> => {
  resource(await app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
}

const deliveries = (world: World, { id }: Pick<Endpoint, "id">) =>
  world.admin.list(`/webhook-endpoints/${id}/deliveries`, { limit: 100 })

/** The only delivery to an endpoint, with its attempts, once it has one. */
const attempted = (world: World, endpoint: Pick<Endpoint, "id"> & Partial<Endpoint>) =>
  world.until(`an attempt at ${endpoint.id}`, async () => {
    if (endpoint.arrivals?.length === 0) return undefined
    const [delivery] = await deliveries(world, endpoint)
    return delivery !== undefined && Number(delivery.attempt_count) > 0
      ? ((await world.admin.get(`/webhook-deliveries/${delivery.id}`)) as any)
      : undefined
  })

/** Endpoints with every kind of response, and one event for all of them. */
const failing = once(async (world) => {
  const tenant = await world.tenant([])
  const elsewhere = world.inbox()
  const listening = async (reply: Reply) => {
    const inbox = world.inbox()
    inbox.answer(reply)
    return tenant.endpoint(tenant.app, inbox, ["contact.created"])
  }
  const byStatus = new Map<number, Endpoint>()
  for (const [status] of replies) {
    const headers = status >= 300 && status < 400 ? { location: elsewhere.url } : {}
    byStatus.set(status, await listening({ status, headers }))
  }
  const closed = world.inbox()
  const port = new URL(closed.url)
  port.port = "1"
  const unreachable = await tenant.endpoint(tenant.app, { ...closed, url: port.href }, ["contact.created"])
  const silent = await listening("silence")
  await newContact(tenant)
  // Stops further retries of failed deliveries.
  world.afterwards(() => world.admin.patch(`/applications/${tenant.app.id}`, { status: "suspended" }))
  return { ...tenant, byStatus, elsewhere, unreachable, silent }
})

/**
 * Retries and failing endpoints (docs/reference/webhooks.md#retry-schedule). The delays begin at a minute: no test
 * waits for them.
 */
export const webhookFailures: Section = ({ proves, provesWith }) => {
  proves("Retries · rule 2 · no answer within 10 s is a failure", async (world) => {
    const { silent } = await failing(world)
    await world.until("the time is over", () => {
      const [arrival] = silent.arrivals
      return arrival !== undefined && Date.now() - arrival.at > 10_000 ? true : undefined
    })
    const { status, attempts } = await attempted(world, silent)
    expect([status, attempts.length]).toEqual(["pending", 1])
    expect(attempts[0]).toMatchObject({ number: 1, status: null, error: expect.any(String) })
    expect(attempts[0].duration_ms).toBeGreaterThanOrEqual(9_900)
  })
  proves("Endpoint · active → disabled · after 25 consecutive failures; a success resets the count", async (world) => {
    const tenant = await world.tenant([])
    const inbox = world.inbox()
    const endpoint = await tenant.endpoint(tenant.app, inbox, ["contact.created"])
    const becomes = (failures: number, status: string) =>
      world.until(`${failures} failures`, async () => {
        const shown = await world.admin.get(`/webhook-endpoints/${endpoint.id}`)
        return shown.consecutive_failures === failures && shown.status === status ? true : undefined
      })
    const make = async (count: number) => {
      const before = endpoint.arrivals.length
      for (let made = 0; made < count; made++) await newContact(tenant)
      await world.until(`${count} attempts`, () => (endpoint.arrivals.length >= before + count ? true : undefined))
    }
    inbox.answer({ status: 500 })
    await make(24)
    await becomes(24, "active")
    inbox.answer({ status: 200 })
    await make(1)
    await becomes(0, "active")
    inbox.answer({ status: 500 })
    await make(25)
    await becomes(25, "disabled")
    // A disabled endpoint gets no new deliveries; its pending ones are kept.
    await newContact(tenant)
    const waiting = await deliveries(world, endpoint)
    expect(waiting).toHaveLength(50)
    expect(waiting.filter(({ status }) => status === "pending")).toHaveLength(49)
    // An administrator enables it again, which resets the count of failures.
    inbox.answer({ status: 200 })
    await world.admin.patch(`/webhook-endpoints/${endpoint.id}`, { status: "active" })
    await make(1)
    await becomes(0, "active")
    await world.admin.delete(`/webhook-endpoints/${endpoint.id}`)
  })

  for (const [reply, isDone] of replies) {
    proves(
      `Retries · rule ${isDone ? 1 : 2} · ${reply} ${isDone ? "finishes the delivery" : "is a failure, retried later"}`,
      async (world) => {
        const { byStatus, elsewhere } = await failing(world)
        const endpoint = byStatus.get(reply) as Endpoint
        const delivery = await attempted(world, endpoint)
        expect([delivery.status, delivery.attempt_count]).toEqual([isDone ? "delivered" : "pending", 1])
        expect(delivery.completed_at === null).toBe(!isDone)
        expect(delivery.attempts).toMatchObject([{ number: 1, status: reply }])
        expect(endpoint.arrivals).toHaveLength(1)
        const [arrival] = endpoint.arrivals
        if (arrival !== undefined) {
          expectDelivery(arrival, endpoint.secret)
          expect([arrival.headers["x-webhook-id"], arrival.headers["x-delivery-id"]]).toEqual([
            delivery.event_id,
            delivery.attempts[0].id
          ])
        }
        // Redirects are not followed.
        expect(elsewhere.arrivals).toHaveLength(0)
      }
    )
  }
  proves("Retries · rule 2 · a connection error is a failure, retried later", async (world) => {
    const { unreachable } = await failing(world)
    const delivery = await attempted(world, { id: unreachable.id })
    expect([delivery.status, delivery.attempts.length]).toEqual(["pending", 1])
    expect(delivery.attempts[0]).toMatchObject({ status: null, error: expect.any(String) })
  })
  proves("Retries · rule 2 · the delays are in the document: 1 min, 5 min, 15 min, 1 h, 6 h, 24 h", async (world) => {
    const { json } = await world.anonymous.get("/openapi.json")
    const { responses } = (json as any).webhooks["message.sent"].post
    expect(JSON.stringify(responses)).toContain("1 min, 5 min, 15 min, 1 h, 6 h and 24 h")
    expect(JSON.stringify(responses)).toContain("10 seconds")
  })
  proves("Retries · a test delivery has one attempt", async (world) => {
    const tenant = await world.tenant([])
    const inbox = world.inbox()
    inbox.answer({ status: 500 })
    const endpoint = await tenant.endpoint(tenant.app, inbox)
    await world.admin.post(`/webhook-endpoints/${endpoint.id}/test`)
    expect(await attempted(world, endpoint)).toMatchObject({ status: "failed", attempt_count: 1 })
  })
  provesWith(
    "POST /webhook-deliveries/{id}/replay",
    "Retries · rule 4 · a replay has the same event id and the next attempt",
    async (world) => {
      const { byStatus } = await failing(world)
      const endpoint = byStatus.get(200) as Endpoint
      const { id } = await attempted(world, endpoint)
      await world.admin.post(`/webhook-deliveries/${id}/replay`)
      const again = await world.until("the replay", () => endpoint.arrivals[1])
      const first = endpoint.arrivals[0]
      expectDelivery(again, endpoint.secret)
      expect(again.headers["x-delivery-attempt"]).toBe("2")
      expect(again.headers["x-webhook-id"]).toBe(first?.headers["x-webhook-id"])
      expect(again.headers["x-delivery-id"]).not.toBe(first?.headers["x-delivery-id"])
    }
  )

  proves("Endpoint · disabled by hand · receives nothing until it is active again", async (world) => {
    const tenant = await world.tenant([])
    const endpoint = await tenant.endpoint(tenant.app, world.inbox(), ["contact.created"])
    await world.admin.patch(`/webhook-endpoints/${endpoint.id}`, { status: "disabled" })
    await newContact(tenant)
    expect(await deliveries(world, endpoint)).toHaveLength(0)
    await world.admin.patch(`/webhook-endpoints/${endpoint.id}`, { status: "active" })
    await newContact(tenant)
    expect(await deliveries(world, endpoint)).toHaveLength(1)
    await world.admin.delete(`/webhook-endpoints/${endpoint.id}`)
    await newContact(tenant)
    refusal(await world.admin.caller.get(`/webhook-endpoints/${endpoint.id}`), 404, "not_found")
  })
  const wrong: ReadonlyArray<readonly [field: string, fields: object]> = [
    ...[
      ...["", "none", "ftp://shop.example/", "https://user:secret@shop.example/", "https://shop.example:0/"],
      ...["https://shop.example:25/", `https://shop.example/${"x".repeat(2_048)}`, "https://169.254.169.254/"]
    ].map((url) => ["url", { url }] as const),
    ...[[], ["message.exploded"], "message.sent", undefined].map((events) => ["events", { events }] as const),
    ["description", { description: "x".repeat(256) }]
  ]
  for (const [field, fields] of wrong) {
    proves(`Subscribing · ${field} · ${JSON.stringify(fields).slice(0, 60)} is refused`, async (world) => {
      const { app } = await failing(world)
      const body = { url: "https://shop.example/hooks", events: ["*"], ...fields }
      const answer = await world.admin.caller.post(`/applications/${app.id}/webhook-endpoints`, body)
      expect(wrongFields(answer).map((name) => name.split(".")[0])).toEqual([field])
    })
  }
  proves("Subscribing · takes an https URL, a list of events and a description", async (world) => {
    const { app } = await failing(world)
    const body = { url: "https://shop.example/hooks", events: ["message.sent"], description: "Ours" }
    const made = await world.admin.post(`/applications/${app.id}/webhook-endpoints`, body)
    expect(made).toMatchObject({ ...body, status: "active" })
    await world.admin.delete(`/webhook-endpoints/${made.id}`)
  })
}
