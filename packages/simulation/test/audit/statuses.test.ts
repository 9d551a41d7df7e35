import { describe, expect, test } from "vitest"
import type { HandWritten } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const readings = (...states: ReadonlyArray<string>) =>
  brokenBy((history) => {
    const id = history.send()
    for (const status of states) history.read(id, status)
  })

const seen = (status: string, changes: object) => brokenBy((history) => history.read(history.send(), status, changes))

const readDuring = (history: HandWritten, id: string, status: string, meanwhile: () => void) => {
  const reading = history.request("shop", "GET", `/api/v1/messages/${id}`)
  meanwhile()
  history.respond(reading, 200, { data: history.message(id, status) })
}

describe("statuses", () => {
  test("go forward", () => {
    expect(readings("queued", "sent", "delivered", "read")).toEqual([])
    expect(readings("queued", "read", "read")).toEqual([])
  })

  test("failed comes from queued or sent and is final", () => {
    expect(readings("queued", "failed", "failed")).toEqual([])
    expect(readings("sent", "failed")).toEqual([])
    expect(readings("delivered", "failed")).toEqual(["status-goes-forward"])
    expect(readings("failed", "sent")).toEqual(["status-goes-forward"])
  })

  test("a later reading that is behind", () => {
    expect(readings("delivered", "sent")).toEqual(["status-goes-forward"])
  })

  test("a reading that began before may be behind", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      readDuring(history, id, "queued", () => history.read(id, "delivered"))
    })
    expect(broken).toEqual([])
  })

  test("a reading that is behind a webhook", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.progress(id, "sent")
      history.read(id, "queued")
    })
    expect(broken).toEqual(["status-goes-forward"])
  })

  test("webhooks may arrive in any order", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.progress(id, "delivered")
      history.progress(id, "sent")
      history.read(id, "delivered")
    })
    expect(broken).toEqual([])
  })

  test("a webhook of failure for a message that was delivered", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.progress(id, "delivered")
      history.progress(id, "failed")
    })
    expect(broken).toEqual(["status-goes-forward"])
  })

  test("a message that was answered 502 has failed", () => {
    const rejected = (status: string) =>
      brokenBy((history) => {
        const id = "0190a1b2-0000-7000-8000-0000000fffff"
        const details = { provider: "p", code: "1", message: "m", message_id: id }
        history.respond(history.sendRequest(), 502, { code: "provider_error", details })
        history.read(id, status)
      })
    expect(rejected("failed")).toEqual([])
    expect(rejected("sent")).toEqual(["status-goes-forward"])
  })

  test("a status has its time and those before", () => {
    expect(seen("sent", { sent_at: null })).toEqual(["status-has-its-times"])
    expect(seen("read", { delivered_at: null })).toEqual(["status-has-its-times"])
    expect(seen("sent", { delivered_at: "2026-05-04T08:00:00.002Z" })).toEqual(["status-has-its-times"])
  })

  test("times are in order", () => {
    expect(seen("delivered", { delivered_at: "2026-05-04T07:00:00.000Z" })).toEqual(["status-has-its-times"])
    expect(seen("sent", { sent_at: "2026-05-05T08:00:00.000Z" })).toEqual(["status-has-its-times"])
  })

  test("a failed message has an error, and no other one", () => {
    expect(seen("failed", { error: null })).toEqual(["status-has-its-times"])
    expect(seen("sent", { error: { code: "provider_error", message: "m" } })).toEqual(["status-has-its-times"])
  })

  test("an event has at least the status of its type", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.webhook("message.delivered", { message: history.message(id, "sent") })
    })
    expect(broken).toEqual(["status-has-its-times"])
  })

  test("times and text do not change", () => {
    const changed = (changes: object) =>
      brokenBy((history) => {
        const id = history.send()
        history.read(id, "sent")
        history.read(id, "sent", changes)
      })
    expect(changed({})).toEqual([])
    expect(changed({ sent_at: "2026-05-04T08:00:00.009Z" })).toEqual(["message-is-consistent"])
    expect(changed({ body: "Hello?" })).toEqual(["message-is-consistent"])
  })

  test("a reference that is not the caller's", () => {
    expect(seen("queued", { external_reference: "order 2" })).toEqual(["message-is-consistent"])
  })

  test("an inbound message is delivered", () => {
    const inbound = (status: string) =>
      brokenBy((history) => {
        const message = history.inbound("0190a1b2-0000-7000-8000-0000000eeeee", "Hi", { status })
        history.call("shop", "GET", "/api/v1/messages/0190a1b2-0000-7000-8000-0000000eeeee", null, 200, {
          data: message
        })
      })
    expect(inbound("delivered")).toEqual([])
    expect(inbound("sent")).toEqual(["status-has-its-times"])
  })
})
