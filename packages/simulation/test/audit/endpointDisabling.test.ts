import { describe, expect, test } from "vitest"
import type { HandWritten } from "./journalOf.js"
import { newId, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const minute = 60_000

describe("disabling of endpoints", () => {
  const failures = (history: HandWritten, count: number) => {
    for (let index = 0; index < count; index++) {
      history.webhook("contact.updated", { contact: { id: newId() } }, { status: 500 })
    }
  }

  const seenDisabled = (history: HandWritten) =>
    history.call("administrator", "GET", `/admin/v1/webhook-endpoints/${shop.endpoint.id}`, null, 200, {
      data: { id: shop.endpoint.id, status: "disabled" }
    })

  test("after 25 failures, no fewer", () => {
    const disabledAfter = (count: number) =>
      brokenBy((history) => {
        failures(history, count)
        seenDisabled(history)
      })
    expect(disabledAfter(25)).toEqual([])
    expect(disabledAfter(24)).toEqual(["endpoint-disabled-at-25"])
  })

  test("a success begins the count anew", () => {
    const broken = brokenBy((history) => {
      failures(history, 24)
      history.wait(minute)
      history.webhook("contact.updated", { contact: { id: newId() } })
      history.wait(minute)
      failures(history, 24)
      seenDisabled(history)
    })
    expect(broken).toEqual(["endpoint-disabled-at-25"])
  })

  test("a success at the same time may be counted first", () => {
    const broken = brokenBy((history) => {
      failures(history, 24)
      history.webhook("contact.updated", { contact: { id: newId() } })
      failures(history, 1)
      seenDisabled(history)
    })
    expect(broken).toEqual([])
  })

  test("a success may be counted after failures that follow closely", () => {
    const disabledAfter = (wait: number) =>
      brokenBy((history) => {
        failures(history, 22)
        history.wait(minute)
        history.webhook("contact.updated", { contact: { id: newId() } })
        history.wait(wait)
        failures(history, 3)
        seenDisabled(history)
      })
    expect(disabledAfter(1_000)).toEqual([])
    expect(disabledAfter(minute)).toEqual(["endpoint-disabled-at-25"])
  })

  test("a success that a stalled process records late may be counted last", () => {
    const disabled = (stalls: boolean) =>
      brokenBy((history) => {
        failures(history, 22)
        history.wait(minute)
        if (stalls) history.fault({ begins: "stall" })
        history.webhook("contact.updated", { contact: { id: newId() } })
        history.wait(minute / 2)
        failures(history, 3)
        if (stalls) history.fault({ ends: "stall" })
        seenDisabled(history)
      })
    expect(disabled(true)).toEqual([])
    expect(disabled(false)).toEqual(["endpoint-disabled-at-25"])
  })

  /** A webhook about a contact that an administrator erases `wait` ms later. */
  const erased = (history: HandWritten, wait: number, status: number) => {
    const id = newId()
    history.webhook("contact.updated", { contact: { id } }, { status })
    history.wait(wait)
    history.call("administrator", "DELETE", `/admin/v1/contacts/${id}`, null, 200, { data: { id } })
  }

  test("a failure whose event is erased before it is recorded may not count", () => {
    const arrives = (wait: number) =>
      brokenBy((history) => {
        erased(history, wait, 500)
        failures(history, 24)
        history.wait(minute)
        failures(history, 1)
      })
    expect(arrives(5_000)).toEqual([])
    expect(arrives(minute)).toEqual(["endpoint-disabled-at-25"])
  })

  test("a success whose event is erased before it is recorded may not begin the count anew", () => {
    const disabled = (wait: number) =>
      brokenBy((history) => {
        failures(history, 22)
        history.wait(minute)
        erased(history, wait, 200)
        history.wait(minute)
        failures(history, 3)
        seenDisabled(history)
      })
    expect(disabled(5_000)).toEqual([])
    expect(disabled(minute)).toEqual(["endpoint-disabled-at-25"])
  })

  test("a failure during which the endpoint got another secret may not count", () => {
    const arrives = (wait: number) =>
      brokenBy((history) => {
        failures(history, 1)
        history.wait(wait)
        history.call(
          "administrator",
          "POST",
          `/admin/v1/webhook-endpoints/${shop.endpoint.id}/rotate-secret`,
          {},
          200,
          { data: { id: shop.endpoint.id, secret: shop.endpoint.secret } }
        )
        history.wait(minute)
        failures(history, 24)
        history.wait(minute)
        failures(history, 1)
      })
    expect(arrives(5_000)).toEqual([])
    expect(arrives(minute)).toEqual(["endpoint-disabled-at-25"])
  })

  test("failures that a stalled process records late may be counted after an attempt that follows", () => {
    const arrives = (stalls: boolean) =>
      brokenBy((history) => {
        failures(history, 24)
        if (stalls) history.fault({ begins: "stall" })
        failures(history, 1)
        history.wait(minute)
        if (stalls) history.fault({ ends: "stall" })
        failures(history, 1)
      })
    expect(arrives(true)).toEqual([])
    expect(arrives(false)).toEqual(["endpoint-disabled-at-25"])
  })

  test("nothing arrives at a disabled endpoint", () => {
    const disabledAfter = (wait: number) =>
      brokenBy((history) => {
        failures(history, 25)
        history.wait(wait)
        failures(history, 1)
      })
    expect(disabledAfter(1_000)).toEqual([])
    expect(disabledAfter(minute)).toEqual(["endpoint-disabled-at-25"])
  })

  test("attempts count up to the time at which an administrator enables the endpoint", () => {
    const enabled = (isBefore: boolean) =>
      brokenBy((history) => {
        const enable = () =>
          history.call(
            "administrator",
            "PATCH",
            `/admin/v1/webhook-endpoints/${shop.endpoint.id}`,
            { status: "active" },
            200
          )
        failures(history, 25)
        if (isBefore) enable()
        history.wait(minute)
        failures(history, 1)
        enable()
      })
    expect(enabled(true)).toEqual([])
    expect(enabled(false)).toEqual(["endpoint-disabled-at-25"])
  })
})
