import { describe, expect, test } from "vitest"
import type { HandWritten } from "./journalOf.js"
import { newId, rival, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const minute = 60_000

/** One webhook of an accepted message, with changes. */
const webhook = (options: Parameters<HandWritten["progress"]>[2]) =>
  brokenBy((history) => void history.progress(history.send(), "queued", options))

describe("form of webhooks", () => {
  test("headers agree with the body", () => {
    expect(webhook({})).toEqual([])
    for (const header of [
      "x-event-id",
      "x-event-type",
      "x-event-timestamp",
      "x-delivery-id",
      "content-type",
      "user-agent"
    ]) {
      expect(webhook({ headers: { [header]: "other" } }), header).toEqual(["webhook-headers"])
    }
    expect(webhook({ headers: { "x-delivery-attempt": "0" } })).toContain("webhook-headers")
  })

  test("an attempt on another connection, after the first one broke", () => {
    const repeated = (arrived: boolean) =>
      brokenBy((history) => {
        const id = history.send()
        const options = { eventId: newId(), createdAt: history.now, headers: { "x-delivery-id": newId() } }
        history.progress(id, "queued", { ...options, arrived })
        history.progress(id, "queued", options)
      })
    expect(repeated(false)).toEqual([])
    expect(repeated(true)).toEqual(["webhook-headers"])
  })

  test("a signature by another secret", () => {
    expect(webhook({ to: { ...shop.endpoint, secret: "whsec_other" } })).toEqual(["webhook-signature"])
  })

  test("the secret changes with its rotation", () => {
    const rotated = (secret: string, wait: number) =>
      brokenBy((history) => {
        const id = history.send()
        const answer = { data: { id: shop.endpoint.id, secret: "whsec_new" } }
        history.call(
          "administrator",
          "POST",
          `/admin/v1/webhook-endpoints/${shop.endpoint.id}/rotate-secret`,
          {},
          200,
          answer
        )
        history.wait(wait)
        history.progress(id, "queued", { to: { ...shop.endpoint, secret } })
      })
    expect(rotated("whsec_new", 0)).toEqual([])
    expect(rotated("whsec_shop", 5_000)).toEqual([])
    expect(rotated("whsec_shop", minute)).toEqual(["webhook-signature"])
  })

  test("all attempts at an event have one body", () => {
    const again = (changes: object) =>
      brokenBy((history) => {
        const id = history.send()
        const createdAt = history.now
        const options = { eventId: newId(), createdAt, status: 500 }
        history.webhook("message.queued", { message: history.message(id, "queued") }, options)
        history.wait(minute)
        history.webhook(
          "message.queued",
          { message: history.message(id, "queued", changes) },
          { ...options, number: 2 }
        )
      })
    expect(again({})).toEqual([])
    expect(again({ contact_id: newId() })).toEqual(["webhook-same-body"])
  })

  test("links of attachments are made anew", () => {
    const broken = brokenBy((history) => {
      const options = { eventId: newId(), createdAt: history.now, status: 500 }
      const attachments = (url: string) => ({
        attachments: [{ id: newId().slice(0, 0), url, expires_at: url, size: 1 }]
      })
      history.webhook(
        "message.received",
        { message: history.inbound(shop.workspaceId, "Hi", attachments("a")) },
        options
      )
      history.wait(minute)
      const next = { ...options, number: 2 }
      history.webhook("message.received", { message: history.inbound(shop.workspaceId, "Hi", attachments("b")) }, next)
    })
    expect(broken).toEqual([])
  })
})

describe("events", () => {
  test("a status has one event", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.progress(id, "sent")
      history.progress(id, "sent")
    })
    expect(broken).toEqual(["event-once"])
  })

  test("an outbound message is not received", () => {
    expect(brokenBy((history) => void history.progress(history.send(), "received"))).toContain("event-once")
  })
})

describe("audience of webhooks", () => {
  test("a message of another application", () => {
    expect(webhook({ to: shop.deskEndpoint })).toEqual(["webhook-audience"])
  })

  test("an inbound message for all applications of the connection, and no other workspace", () => {
    const inbound = (to: typeof shop.endpoint) =>
      brokenBy(
        (history) => void history.webhook("message.received", { message: history.inbound(newId(), "Hi") }, { to })
      )
    expect(inbound(shop.endpoint)).toEqual([])
    expect(inbound(shop.deskEndpoint)).toEqual([])
    expect(inbound(rival.endpoint)).toContain("webhook-audience")
  })

  test("an event that the endpoint is not subscribed to", () => {
    const event = (type: string, to: typeof shop.endpoint) =>
      brokenBy((history) => void history.webhook(type, { contact: { id: newId() } }, { to }))
    expect(event("contact.updated", shop.endpoint)).toEqual([])
    expect(event("contact.updated", shop.deskEndpoint)).toEqual(["webhook-audience"])
  })

  test("a subscription that changed", () => {
    const changed = (wait: number) =>
      brokenBy((history) => {
        const path = `/admin/v1/webhook-endpoints/${shop.deskEndpoint.id}`
        history.call("administrator", "PATCH", path, { events: ["contact.updated"] }, 200)
        history.wait(wait)
        history.webhook("contact.updated", { contact: { id: newId() } }, { to: shop.deskEndpoint })
        history.wait(wait)
        history.webhook("message.received", { message: history.inbound(newId(), "Hi") }, { to: shop.deskEndpoint })
      })
    expect(changed(0)).toEqual([])
    expect(changed(minute)).toEqual(["webhook-audience"])
  })

  test("a connection that is not on the allow-list", () => {
    const narrowed = (wait: number) =>
      brokenBy((history) => {
        const path = `/admin/v1/applications/${shop.deskId}`
        history.call("administrator", "PATCH", path, { connection_ids: [] }, 200)
        history.wait(wait)
        const createdAt = history.now
        history.wait(minute)
        history.webhook(
          "message.received",
          { message: history.inbound(newId(), "Hi") },
          { to: shop.deskEndpoint, createdAt }
        )
      })
    expect(narrowed(0)).toEqual([])
    expect(narrowed(minute)).toEqual(["webhook-audience"])
  })

  const makeEndpoint = (history: HandWritten) => {
    const endpoint = { id: newId(), url: "https://shop.test/new", secret: "whsec_new" }
    const path = `/admin/v1/applications/${shop.applicationId}/webhook-endpoints`
    history.call("administrator", "POST", path, { url: endpoint.url, events: ["*"] }, 201, {
      data: { ...endpoint, events: ["*"] }
    })
    return endpoint
  }

  test("an endpoint that was made after the event", () => {
    const made = (recover: boolean) =>
      brokenBy((history) => {
        const createdAt = history.now
        history.wait(minute)
        const to = makeEndpoint(history)
        if (recover) history.call("administrator", "POST", `/admin/v1/webhook-endpoints/${to.id}/recover`, {}, 200)
        history.webhook("contact.updated", { contact: { id: newId() } }, { to, createdAt })
      })
    expect(made(false)).toEqual(["webhook-audience"])
    expect(made(true)).toEqual([])
  })

  test("an endpoint that was deleted, disabled or whose application is suspended", () => {
    const stopped = (method: string, path: string, body: unknown, wait: number) =>
      brokenBy((history) => {
        const createdAt = history.now
        history.call("administrator", method, path, body, 200)
        history.wait(wait)
        history.webhook("contact.updated", { contact: { id: newId() } }, { createdAt })
      })
    const endpoint = `/admin/v1/webhook-endpoints/${shop.endpoint.id}`
    const application = `/admin/v1/applications/${shop.applicationId}`
    for (const [method, path, body] of [
      ["DELETE", endpoint, null],
      ["PATCH", endpoint, { status: "disabled" }],
      ["PATCH", application, { status: "suspended" }]
    ] as const) {
      expect(stopped(method, path, body, 1_000)).toEqual([])
      expect(stopped(method, path, body, minute)).toEqual(["webhook-audience"])
    }
  })

  test("a test delivery goes to its endpoint", () => {
    const tested = (endpointId: string) =>
      brokenBy((history) => void history.webhook("webhook.test", { test: { message: "m", endpoint_id: endpointId } }))
    expect(tested(shop.endpoint.id)).toEqual([])
    expect(tested(shop.deskEndpoint.id)).toEqual(["webhook-audience"])
  })
})

/** Attempts at one event: the wait before each, its number and the status of its answer. */
const attempts = (...list: ReadonlyArray<readonly [wait: number, number: number, status: number | null]>) =>
  brokenBy((history) => {
    const id = history.send()
    const options = { eventId: newId(), createdAt: history.now }
    for (const [wait, number, status] of list) {
      history.wait(wait)
      history.progress(id, "queued", { ...options, number, status })
    }
  })

describe("schedule of webhooks", () => {
  test("the documented delays", () => {
    expect(attempts([0, 1, 500], [minute, 2, null], [5.5 * minute, 3, 200])).toEqual([])
  })

  test("a retry that comes too early", () => {
    expect(attempts([0, 1, 500], [50_000, 2, 200])).toEqual(["webhook-schedule"])
    expect(attempts([0, 1, 500], [minute, 2, 500], [minute, 3, 200])).toEqual(["webhook-schedule"])
  })

  test("a retry in the quiet comes at most 10 % late", () => {
    const retried = (delay: number, quiet: boolean) =>
      brokenBy((history) => {
        const id = history.send()
        if (quiet) history.quiet()
        history.wait(2 * minute)
        const options = { eventId: newId(), createdAt: history.now }
        history.progress(id, "queued", { ...options, status: 500 })
        history.wait(delay)
        history.progress(id, "queued", { ...options, number: 2 })
      })
    expect(retried(1.1 * minute, true)).toEqual([])
    expect(retried(1.5 * minute, true)).toEqual(["webhook-schedule"])
    expect(retried(1.5 * minute, false)).toEqual([])
  })

  test("a retry after a result that a stall delayed", () => {
    const retried = (stallMs: number) =>
      brokenBy((history) => {
        const id = history.send()
        const options = { eventId: newId(), createdAt: history.now, status: undefined }
        history.progress(id, "queued", options)
        history.wait(minute + 10_000)
        history.progress(id, "queued", { ...options, number: 2 })
        history.wait(5_000)
        history.fault({ begins: "stall" })
        history.wait(stallMs)
        history.fault({ ends: "stall" })
        history.quiet()
        history.wait(5.5 * minute)
        history.progress(id, "queued", { ...options, number: 3, status: 200 })
      })
    expect(retried(40_000)).toEqual([])
    expect(retried(0)).toEqual([])
    const late = brokenBy((history) => {
      const id = history.send()
      const options = { eventId: newId(), createdAt: history.now, status: undefined }
      history.progress(id, "queued", options)
      history.wait(minute + 10_000)
      history.progress(id, "queued", { ...options, number: 2 })
      history.quiet()
      history.wait(5 * minute + 75_000)
      history.progress(id, "queued", { ...options, number: 3, status: 200 })
    })
    expect(late).toEqual(["webhook-schedule"])
  })

  test("an eighth attempt", () => {
    expect(
      attempts(...[0, 1, 5, 15, 60, 360, 1440, 1440].map((delay, index) => [delay * minute, index + 1, 500] as const))
    ).toEqual(["webhook-schedule"])
  })

  test("an attempt number that is left out", () => {
    expect(attempts([0, 2, 200])).toEqual(["webhook-schedule"])
  })

  test("an attempt after a success", () => {
    expect(attempts([0, 1, 200], [minute, 2, 200])).toEqual(["webhook-ends-with-success"])
  })

  test("a success that was not recorded", () => {
    const broken = (arrived: boolean, crash: boolean) =>
      brokenBy((history) => {
        const id = history.send()
        const options = { eventId: newId(), createdAt: history.now }
        history.progress(id, "queued", { ...options, arrived })
        if (crash) history.crash("one")
        history.wait(minute)
        history.progress(id, "queued", { ...options, number: crash ? 1 : 2 })
      })
    expect(broken(true, true)).toEqual([])
    expect(broken(false, false)).toEqual([])
    expect(broken(true, false)).toEqual(["webhook-ends-with-success"])
  })

  test("a recovery or a replay of an event that succeeded", () => {
    const broken = (path: string) =>
      brokenBy((history) => {
        const id = history.send()
        const options = { eventId: newId(), createdAt: history.now }
        history.progress(id, "queued", options)
        history.wait(minute)
        history.call("administrator", "POST", `/admin/v1/${path}`, {}, 200)
        history.progress(id, "queued", { ...options, number: 2 })
      })
    expect(broken(`webhook-endpoints/${shop.endpoint.id}/recover`)).toEqual(["webhook-ends-with-success"])
    expect(broken(`webhook-deliveries/${newId()}/replay`)).toEqual([])
  })

  test("a delivery whose state its attempts did not cause", () => {
    const seen = (status: string, answer: number) =>
      brokenBy((history) => {
        const [id, eventId] = [history.send(), newId()]
        history.progress(id, "queued", { eventId, createdAt: history.now, status: answer })
        const path = `/admin/v1/webhook-endpoints/${shop.endpoint.id}/deliveries`
        history.call("administrator", "GET", path, null, 200, { data: [{ event_id: eventId, status }] })
      })
    expect([seen("delivered", 200), seen("pending", 500)]).toEqual([[], []])
    expect(seen("delivered", 404)).toEqual(["delivery-state-has-a-cause"])
    expect(seen("failed", 404)).toEqual(["delivery-state-has-a-cause"])
  })

  test("a first attempt that comes late", () => {
    const late = (wait: number, between: (history: HandWritten) => void = () => {}) =>
      brokenBy((history) => {
        const id = history.send()
        const createdAt = history.now
        between(history)
        history.wait(wait)
        history.progress(id, "queued", { eventId: newId(), createdAt })
      })
    expect(late(4_000)).toEqual([])
    expect(late(6_000)).toEqual(["webhook-comes-at-once"])
    expect(late(6_000, (history) => history.crash("one"))).toEqual([])
    expect(late(6_000, (history) => history.progress(history.send(), "queued", { status: 500 }))).toEqual([])
    const answered = (attempts: number, ms: number) => (history: HandWritten) => {
      const begun = Array.from({ length: attempts }, () => {
        const data = { message: history.message(history.send(), "queued") }
        return history.beginWebhook("message.queued", data, { eventId: newId() })
      })
      history.wait(ms)
      for (const attempt of begun) history.answerWebhook(attempt, 200)
    }
    expect(late(6_000, answered(16, 200))).toEqual(["webhook-comes-at-once"])
    expect(late(4_000, answered(15, 2_000))).toEqual(["webhook-comes-at-once"])
    expect(late(4_000, answered(16, 2_000))).toEqual([])
    // They left capacity six seconds before.
    expect(late(6_000, answered(16, 2_000))).toEqual(["webhook-comes-at-once"])
  })

  test("an attempt that is made twice", () => {
    const twice = (wait: number, between: (history: HandWritten) => void = () => {}) =>
      brokenBy((history) => {
        const id = history.send()
        const options = { eventId: newId(), createdAt: history.now, headers: { "x-delivery-id": newId() } }
        history.progress(id, "queued", { ...options, status: 500 })
        between(history)
        history.wait(wait)
        history.progress(id, "queued", { ...options, headers: { "x-delivery-id": newId() }, process: "two" })
      })
    expect(twice(100)).toEqual(["webhook-attempted-once"])
    expect(twice(1_000)).toEqual([])
    expect(twice(100, (history) => history.crash("one"))).toEqual([])
  })

  test("an administrator may replay", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      const options = { eventId: newId(), createdAt: history.now }
      history.progress(id, "queued", options)
      history.wait(minute)
      history.call("administrator", "POST", `/admin/v1/webhook-deliveries/${newId()}/replay`, {}, 200)
      history.progress(id, "queued", { ...options, number: 2 })
    })
    expect(broken).toEqual([])
  })
})

describe("delivery of events", () => {
  /** A message that is read as sent at the end, with the events that arrived. */
  const arrived = (events: ReadonlyArray<readonly [status: string, answer: number]>, cut = false) =>
    brokenBy((history) => {
      const id = history.send()
      history.handOver(id, "accepted")
      for (const [status, answer] of events) history.progress(id, status, { status: answer })
      if (cut) return
      history.quiet()
      history.read(id, "sent")
      history.end()
    })

  test("each status arrives", () => {
    expect(
      arrived([
        ["queued", 200],
        ["sent", 204]
      ])
    ).toEqual([])
  })

  test("an event that does not arrive", () => {
    expect(arrived([["queued", 200]])).toEqual(["event-delivered"])
    expect(arrived([["sent", 200]])).toEqual(["event-delivered"])
  })

  test("a retry that does not come", () => {
    expect(
      arrived([
        ["queued", 200],
        ["sent", 500]
      ])
    ).toEqual(["event-delivered"])
  })

  test("nothing is missing before the end", () => {
    expect(arrived([["queued", 200]], true)).toEqual([])
  })

  describe("where attempts may be missing in the journal", () => {
    /** An event that does not arrive, and what administrators read of the endpoint at the end. */
    const missing = (status: "active" | "disabled", pending: ReadonlyArray<string> | null) =>
      brokenBy(
        (history) => {
          const id = history.send()
          history.webhook("contact.updated", { contact: { id: newId() } }, { status: 500 })
          history.quiet()
          history.read(id, "queued")
          history.call("administrator", "GET", `/admin/v1/messages/${id}/sending`, null, 200, {
            data: { state: "throttled" }
          })
          const path = `/admin/v1/webhook-endpoints/${shop.endpoint.id}`
          history.call("administrator", "GET", path, null, 200, { data: { id: shop.endpoint.id, status } })
          if (pending !== null) {
            const data = pending.map((event_type) => ({ id: newId(), status: "pending", event_type }))
            history.call("administrator", "GET", `${path}/deliveries?status=pending`, null, 200, { data })
          }
          history.end()
        },
        { unseenAttempts: true }
      )

    test("an event that is not pending either", () => {
      expect(missing("active", [])).toEqual(["event-delivered"])
      expect(missing("active", ["message.sent"])).toEqual(["event-delivered"])
    })

    test("an event that may be pending, or whose endpoint is disabled", () => {
      expect(missing("active", ["message.queued"])).toEqual([])
      expect(missing("active", null)).toEqual([])
      expect(missing("disabled", [])).toEqual([])
    })
  })

  test("inbound messages arrive at each subscribed application", () => {
    const inbound = (both: boolean) =>
      brokenBy((history) => {
        const id = newId()
        const options = { eventId: newId(), createdAt: history.now }
        history.customerWrites("Hi")
        history.webhook("message.received", { message: history.inbound(id, "Hi") }, options)
        const to = shop.deskEndpoint
        if (both) history.webhook("message.received", { message: history.inbound(id, "Hi") }, { ...options, to })
        history.quiet()
        history.end()
      })
    expect(inbound(true)).toEqual([])
    expect(inbound(false)).toEqual(["event-delivered"])
  })

  test("a contact that was created", () => {
    const created = (isSent: boolean) =>
      brokenBy((history) => {
        const contact = { id: newId() }
        history.call("shop", "POST", "/api/v1/contacts", { email: "a@b.test" }, 201, { data: contact })
        if (isSent) history.webhook("contact.created", { contact })
        history.quiet()
        history.end()
      })
    expect(created(true)).toEqual([])
    expect(created(false)).toEqual(["event-delivered"])
  })

  test("an endpoint that an administrator changes is left out from then on", () => {
    const broken = brokenBy((history) => {
      history.call("administrator", "PATCH", `/admin/v1/webhook-endpoints/${shop.endpoint.id}`, { events: ["*"] }, 200)
      history.wait(minute)
      const id = history.send()
      history.handOver(id, "rejected")
      history.quiet()
      history.wait(minute)
      history.read(id, "failed")
      history.end()
    })
    expect(broken).toEqual([])
  })
})
