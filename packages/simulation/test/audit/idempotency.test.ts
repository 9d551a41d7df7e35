import { describe, expect, test } from "vitest"
import type { HandWritten } from "./journalOf.js"
import { newId } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const body = {
  channel: "whatsapp",
  to: "+49301234567",
  type: "text",
  message: { body: "Hello" },
  external_reference: null
}
const otherBody = { ...body, message: { body: "Goodbye" } }
const conflict = (reason: string) => ({ code: "idempotency_conflict", details: { reason } })

describe("idempotency keys", () => {
  test("the same request is replayed", () => {
    const broken = brokenBy((history) => {
      const id = history.send({ key: "k", body })
      history.send({ key: "k", body: Object.fromEntries(Object.entries(body).reverse()), id, replayed: true })
    })
    expect(broken).toEqual([])
  })

  test("a message that is made twice", () => {
    const broken = brokenBy((history) => {
      history.send({ key: "k", body })
      history.send({ key: "k", body })
    })
    expect(broken).toEqual(["one-effect-per-key"])
  })

  test("an answer that does not say that it is a replay", () => {
    const broken = brokenBy((history) => {
      const id = history.send({ key: "k", body })
      history.send({ key: "k", body, id })
    })
    expect(broken).toEqual(["one-effect-per-key"])
  })

  test("a replay of nothing", () => {
    expect(brokenBy((history) => void history.send({ key: "k", body, replayed: true }))).toEqual(["one-effect-per-key"])
  })

  test("keys belong to an application", () => {
    const broken = brokenBy((history) => {
      history.send({ key: "k", body })
      history.send({ key: "k", body, caller: "desk" })
    })
    expect(broken).toEqual([])
  })

  const second = (status: number, answer: object, second: object) =>
    brokenBy((history) => {
      history.send({ key: "k", body })
      history.respond(history.sendRequest({ key: "k", body: second }), status, answer)
    })

  test("another request with the key is a conflict", () => {
    expect(second(409, conflict("different_request"), otherBody)).toEqual([])
    expect(second(422, { code: "validation_failed" }, otherBody)).toEqual(["one-effect-per-key"])
  })

  test("the same request after a success is no conflict", () => {
    expect(second(409, conflict("still_running"), body)).toContain("one-effect-per-key")
    expect(second(503, { code: "service_unavailable" }, body)).toEqual([])
  })

  test("two requests with one key that both succeed", () => {
    const broken = brokenBy((history) => {
      history.send({ key: "k", body })
      history.send({ key: "k", body: otherBody })
    })
    expect(broken).toEqual(["one-effect-per-key"])
  })

  test("a conflict needs another request", () => {
    const alone = (script: (history: HandWritten) => void) =>
      brokenBy((history) => {
        script(history)
        history.respond(history.sendRequest({ key: "k", body }), 409, conflict("still_running"))
      })
    expect(alone(() => {})).toEqual(["idempotency-conflict-has-a-cause"])
    expect(alone((history) => void history.sendRequest({ key: "k", body }))).toEqual([])
    const refused = (history: HandWritten) =>
      history.respond(history.sendRequest({ key: "k", body }), 422, { code: "validation_failed" })
    expect(alone(refused)).toEqual(["idempotency-conflict-has-a-cause"])
  })

  test("a key is free again after a day", () => {
    const broken = brokenBy((history) => {
      history.send({ key: "k", body })
      history.wait(25 * 3_600_000)
      history.send({ key: "k", body })
    })
    expect(broken).toEqual([])
  })

  test("a rejection frees the key", () => {
    const broken = brokenBy((history) => {
      const details = { provider: "p", code: "1", message: "m", message_id: newId() }
      history.respond(history.sendRequest({ key: "k", body }), 502, { code: "provider_error", details })
      history.send({ key: "k", body })
    })
    expect(broken).toEqual([])
  })

  test("a request without a response has one effect at most", () => {
    const made = (count: number) =>
      brokenBy((history) => {
        const order = { ...body, external_reference: "order 1" }
        history.sendRequest({ key: "k", body: order })
        for (let index = 0; index < count; index++) history.read(newId(), "queued", { external_reference: "order 1" })
      })
    expect(made(0)).toEqual([])
    expect(made(1)).toEqual([])
    expect(made(2)).toEqual(["one-effect-per-key"])
  })
})
