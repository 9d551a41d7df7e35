import { describe, expect, test } from "vitest"
import type { HandWritten } from "./journalOf.js"
import { newId, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const stored = (history: HandWritten, text: string) => {
  const message = history.inbound(newId(), text)
  const options = { eventId: newId(), createdAt: history.now }
  history.webhook("message.received", { message }, options)
  history.webhook("message.received", { message }, { ...options, to: shop.deskEndpoint })
}

const ended = (script: (history: HandWritten) => void) =>
  brokenBy((history) => {
    script(history)
    history.quiet()
    history.end()
  })

describe("inbound messages", () => {
  test("a message that the vendor delivers twice is stored once", () => {
    const repeated = (count: number) =>
      ended((history) => {
        const event = history.customerWrites("Hi", { status: null })
        history.customerWrites("Hi", { event })
        for (let index = 0; index < count; index++) stored(history, "Hi")
      })
    expect(repeated(1)).toEqual([])
    expect(repeated(2)).toEqual(["inbound-message-once"])
    expect(repeated(0)).toEqual(["acknowledged-inbound-message-is-stored"])
  })

  test("a message that was not acknowledged may be stored", () => {
    const refused = (count: number) =>
      ended((history) => {
        history.customerWrites("Hi", { status: 503 })
        for (let index = 0; index < count; index++) stored(history, "Hi")
      })
    expect(refused(0)).toEqual([])
    expect(refused(1)).toEqual([])
  })

  test("two messages with one text are two", () => {
    const twice = (count: number) =>
      ended((history) => {
        history.customerWrites("Hi")
        history.customerWrites("Hi")
        for (let index = 0; index < count; index++) stored(history, "Hi")
      })
    expect(twice(2)).toEqual([])
    expect(twice(1)).toEqual(["acknowledged-inbound-message-is-stored"])
  })

  test("a message that no customer wrote", () => {
    const invented = (text: string) =>
      ended((history) => {
        history.customerWrites("Hi")
        stored(history, text)
      })
    expect(invented("Hi")).toEqual([])
    expect(invented("Ho")).toContain("inbound-message-once")
  })
})

/** A message that one vendor took, its receipts and the status of a later reading. */
const receipted = (
  receipts: ReadonlyArray<"delivered" | "read" | "failed">,
  status: string,
  answer: number | null = 200,
  between: (history: HandWritten) => void = () => {}
) =>
  brokenBy((history) => {
    const id = history.send()
    history.handOver(id, "accepted", "one", "wamid.1")
    between(history)
    for (const receipt of receipts) history.receipt("wamid.1", receipt, answer)
    history.wait(20_000)
    history.read(id, status)
  })

describe("receipts", () => {
  test("move the status", () => {
    expect(receipted(["delivered"], "delivered")).toEqual([])
    expect(receipted(["read"], "read")).toEqual([])
    expect(receipted(["failed"], "failed")).toEqual([])
    expect(receipted([], "sent")).toEqual([])
  })

  test("a receipt that was acknowledged and lost", () => {
    expect(receipted(["delivered"], "sent")).toEqual(["receipt-moves-the-status"])
    expect(receipted(["delivered", "read"], "delivered")).toEqual(["receipt-moves-the-status"])
    expect(receipted(["failed"], "sent")).toEqual(["receipt-moves-the-status"])
  })

  test("a later receipt makes an older one obsolete", () => {
    expect(receipted(["read", "delivered"], "read")).toEqual([])
    expect(receipted(["delivered", "failed"], "delivered")).toEqual([])
  })

  test("a receipt that was not acknowledged may be lost", () => {
    expect(receipted(["delivered"], "sent", 503)).toEqual([])
  })

  test("the answer of the vendor may be lost in a crash", () => {
    const crashed = (history: HandWritten) => history.crash("one")
    expect(receipted(["delivered"], "queued", 200, crashed)).toEqual([])
    expect(receipted(["delivered"], "sent", 200, crashed)).toEqual(["receipt-moves-the-status"])
    expect(receipted(["delivered"], "queued")).toEqual(["accepted-send-is-recorded"])
  })

  test("a fault of a receiver keeps no process from its work", () => {
    const broken = (effects: { readonly begins: string; readonly outside?: true }) =>
      brokenBy((history) => {
        const id = history.send()
        history.fault(effects)
        history.handOver(id, "accepted")
        history.wait(20_000)
        history.read(id, "queued")
      })
    expect(broken({ begins: "a fault" })).toEqual([])
    expect(broken({ begins: "a fault", outside: true })).toEqual(["accepted-send-is-recorded"])
  })

  test("a fault may last", () => {
    const broken = (ends: boolean) =>
      brokenBy((history) => {
        const id = history.send()
        history.fault({ begins: "no storage" })
        history.wait(120_000)
        if (ends) history.fault({ ends: "no storage" })
        history.wait(90_000)
        history.handOver(id, "accepted")
        history.wait(20_000)
        history.read(id, "queued")
      })
    expect(broken(false)).toEqual([])
    expect(broken(true)).toEqual(["accepted-send-is-recorded"])
  })

  test("a status that the vendor did not report", () => {
    expect(receipted([], "delivered")).toEqual(["status-has-a-cause"])
    expect(receipted(["delivered"], "read")).toEqual(["status-has-a-cause"])
    expect(receipted([], "failed")).toEqual(["status-has-a-cause"])
  })

  test("a message that was sent without a vendor", () => {
    const throttled = (status: string) =>
      brokenBy((history) => {
        const id = history.send()
        history.handOver(id, "throttled")
        history.read(id, status)
      })
    expect(throttled("queued")).toEqual([])
    expect(throttled("sent")).toEqual(["status-has-a-cause"])
  })

  test("a message fails after a day", () => {
    const failed = (hours: number) =>
      brokenBy((history) => {
        const id = history.send()
        history.handOver(id, "transient")
        history.wait(hours * 3_600_000)
        history.read(id, "failed")
      })
    expect(failed(24)).toEqual([])
    expect(failed(23)).toEqual(["status-has-a-cause"])
  })
})
