import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Admin, serveAdmin } from "./serveAdmin.js"

const call = (method: string, path: string, body?: object) =>
  Effect.flatMap(Admin, (admin) => admin.call(method, path, body))

/** `data` of a call that must have this status. */
const data = (status: number, method: string, path: string, body?: object) =>
  Effect.map(call(method, path, body), (answer) => {
    expect([method, path, answer.status, answer.json.error]).toEqual([method, path, status, undefined])
    return answer.json.data
  })

/** Status, code and details of a refused call. */
const refusal = (method: string, path: string, body?: object) =>
  Effect.map(call(method, path, body), ({ json, status }) => [status, json.error?.code, json.error?.details])

const unknownId = "01900000-0000-7000-8000-00000000dead"

/** A workspace with an application, an endpoint of it, and a message of a customer. */
const shop = Effect.gen(function* () {
  const workspace_id = (yield* data(201, "POST", "/workspaces", { name: "Bakery" })).id
  const connection = yield* data(201, "POST", "/connections", {
    workspace_id,
    channel: "whatsapp",
    provider: "sandbox",
    name: "Front desk",
    handle: "+4930123456",
    is_test: true
  })
  const application = yield* data(201, "POST", "/applications", {
    workspace_id,
    name: "Shop",
    mode: "test",
    scopes: ["webhooks.receive"],
    connection_ids: [connection.id]
  })
  const endpoint = yield* data(201, "POST", `/applications/${application.id}/webhook-endpoints`, {
    url: "https://shop.example/",
    events: ["message.received"]
  })
  const from = "+491701234567"
  const message = yield* data(201, "POST", `/connections/${connection.id}/simulate-inbound`, { from, body: "Hello" })
  const [delivery] = yield* data(200, "GET", `/webhook-deliveries?message_id=${message.id}`)
  return { application, delivery, endpoint, message }
})

layer(serveAdmin(), { excludeTestServices: true })("webhooks in the admin API", (it) => {
  it.effect("are found by message, event, attempt and endpoint", () =>
    Effect.gen(function* () {
      const { delivery, endpoint } = yield* shop
      expect(delivery).toMatchObject({
        endpoint_id: endpoint.id,
        event_type: "message.received",
        status: "pending",
        next_attempt_at: delivery.created_at,
        waiting_for: null
      })
      for (const query of [`event_id=${delivery.event_id}`, `endpoint_id=${endpoint.id}&status=pending`]) {
        expect(yield* data(200, "GET", `/webhook-deliveries?${query}`)).toEqual([delivery])
      }
      expect(yield* data(200, "GET", `/webhook-endpoints/${endpoint.id}/deliveries?status=failed`)).toEqual([])
      const message = ["give at least one of message_id, event_id, attempt_id and endpoint_id"]
      expect(yield* refusal("GET", "/webhook-deliveries?status=failed")).toEqual([
        422,
        "validation_failed",
        { message_id: message, event_id: message, attempt_id: message, endpoint_id: message }
      ])
      expect(yield* refusal("GET", "/webhook-deliveries?message_id=1&status=lost")).toEqual([
        422,
        "validation_failed",
        { message_id: ["must be a UUID"], status: ["must be one of pending, delivered, failed"] }
      ])
    })
  )

  it.effect("are replayed, unless their endpoint is inactive", () =>
    Effect.gen(function* () {
      const { delivery, endpoint } = yield* shop
      const replay = `/webhook-deliveries/${delivery.id}/replay`
      expect(yield* data(200, "POST", replay)).toMatchObject({ id: delivery.id, status: "pending", attempts: [] })
      yield* data(200, "PATCH", `/webhook-endpoints/${endpoint.id}`, { status: "disabled" })
      expect(yield* refusal("POST", replay)).toEqual([409, "invalid_transition", {}])
      expect(yield* data(200, "GET", `/webhook-deliveries/${delivery.id}`)).toMatchObject({
        next_attempt_at: null,
        waiting_for: "endpoint_enabled"
      })
      expect(yield* refusal("POST", `/webhook-deliveries/${unknownId}/replay`)).toEqual([404, "not_found", {}])
    })
  )

  it.effect("are recovered since a time, at once or in steps", () =>
    Effect.gen(function* () {
      const { application, message } = yield* shop
      const late = yield* data(201, "POST", `/applications/${application.id}/webhook-endpoints`, {
        url: "https://late.example/",
        events: ["message.received", "conversation.created"]
      })
      const recover = `/webhook-endpoints/${late.id}/recover`
      const since = new Date(Date.now() - 3_600_000).toISOString()
      let cursor: string | null = null
      let recovered = 0
      do {
        const step: any = yield* data(200, "POST", recover, { since, limit: 1, cursor })
        recovered += step.deliveries
        cursor = step.cursor
      } while (cursor !== null)
      expect(recovered).toBe(2)
      expect(yield* data(200, "POST", recover, { since })).toEqual({
        deliveries: 0,
        reached: since,
        cursor: null
      })
      const explained = yield* data(200, "GET", `/messages/${message.id}/webhooks`)
      expect(explained.events).toMatchObject([
        { event_type: "message.received", endpoints: [{ absence: null }, { absence: null, endpoint_id: late.id }] }
      ])
      expect(yield* refusal("POST", recover, { since: "2999-01-01T00:00:00Z" })).toEqual([
        422,
        "validation_failed",
        { since: ["must not be in the future"] }
      ])
      yield* data(200, "PATCH", `/webhook-endpoints/${late.id}`, { status: "disabled" })
      expect(yield* refusal("POST", recover, { since })).toEqual([409, "invalid_transition", {}])
    })
  )

  it.effect("that were not created are explained", () =>
    Effect.gen(function* () {
      const { application, endpoint, message } = yield* shop
      const narrow = yield* data(201, "POST", `/applications/${application.id}/webhook-endpoints`, {
        url: "https://narrow.example/",
        events: ["message.read"]
      })
      const { events, message_id } = yield* data(200, "GET", `/messages/${message.id}/webhooks`)
      expect(message_id).toBe(message.id)
      expect(events[0].endpoints).toMatchObject([
        { endpoint_id: endpoint.id, absence: null, explanation: expect.stringMatching(/^not tried yet; next attempt/) },
        {
          endpoint_id: narrow.id,
          delivery: null,
          absence: "not_subscribed",
          explanation: "no delivery: the endpoint does not list message.received"
        }
      ])
      expect(yield* refusal("GET", `/messages/${unknownId}/webhooks`)).toEqual([404, "not_found", {}])
    })
  )
})
