import { describe, expect, test } from "vitest"
import { type HandWritten, isoTime, newId, rival, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const minute = 60_000
const endpointId = newId()

/** A process handles the subscription of the shop. */
const subscribed = (history: HandWritten, process = "one") => {
  history.subscribe(process)
  history.add({ kind: "subscribed", process, url: "subscription:notes", endpointId })
}

describe("subscriptions", () => {
  const event = (history: HandWritten, id: string, number: number, succeeded: boolean | null, process = "one") =>
    history.handling("message.queued", { message: history.message(id, "queued") }, { number, process, succeeded })

  test("handle events, and repeat failures", () => {
    const broken = brokenBy((history) => {
      subscribed(history)
      history.wait(3_000)
      const id = history.send()
      const options = { eventId: newId(), createdAt: history.now }
      for (const [number, wait] of [1_000, 5_000, 30_000, minute].entries()) {
        history.handling(
          "message.queued",
          { message: history.message(id, "queued") },
          { ...options, number: number + 1, succeeded: number === 3 }
        )
        history.wait(wait)
      }
    })
    expect(broken).toEqual([])
  })

  test("an event that no process handles, although one has the function", () => {
    const handled = (last: (history: HandWritten, handle: (status: string, succeeded?: boolean) => void) => void) =>
      brokenBy((history) => {
        subscribed(history)
        history.wait(3_000)
        const id = history.send()
        history.handOver(id, "accepted")
        const createdAt = history.now
        const eventIds = new Map(
          ["queued", "sent"].map((status) => [status, history.progress(id, status, { createdAt })])
        )
        last(history, (status, succeeded = true) => {
          const data = { message: history.message(id, status) }
          history.handling(`message.${status}`, data, { eventId: eventIds.get(status) ?? "", createdAt, succeeded })
        })
        history.quiet()
        history.wait(minute)
        history.read(id, "sent")
        history.end()
      })
    expect(handled(() => {})).toEqual(["event-delivered"])
    const handlesAll = handled((_, handle) => {
      handle("queued")
      handle("sent")
    })
    const fails = handled((_, handle) => {
      handle("queued", false)
      handle("sent")
    })
    expect([handlesAll, fails]).toEqual([[], ["event-delivered"]])
  })

  test("a process without the function", () => {
    const by = (process: string, happens: (history: HandWritten) => void = () => {}) =>
      brokenBy((history) => {
        subscribed(history)
        happens(history)
        event(history, history.send(), 1, true, process)
      })
    const stop = (history: HandWritten) =>
      history.add({ kind: "unsubscribe", process: "one", url: "subscription:notes" })
    expect(by("one")).toEqual([])
    expect(by("two")).toEqual(["subscription-handled-by-its-process"])
    expect(by("one", stop)).toEqual(["subscription-handled-by-its-process"])
    expect(by("one", (history) => history.crash("one"))).toEqual(["subscription-handled-by-its-process"])
  })

  test("events of another application or workspace", () => {
    const received = (caller: string, connectionId: string) =>
      brokenBy((history) => {
        subscribed(history)
        const id = history.send({ caller })
        history.handling("message.queued", { message: history.message(id, "queued", { connection_id: connectionId }) })
      })
    expect(received("shop", shop.connectionId)).toEqual([])
    expect(received("desk", shop.connectionId)).toEqual(["webhook-audience"])
    expect(received("rival", rival.connectionId)).toContain("webhook-audience")
  })

  test("an attempt without a record counts", () => {
    const again = (number: number, happens: (history: HandWritten) => void) =>
      brokenBy((history) => {
        subscribed(history)
        subscribed(history, "two")
        history.wait(2 * minute)
        const data = { message: history.message(history.send(), "queued") }
        const options = { eventId: newId(), createdAt: history.now }
        history.handling("message.queued", data, { ...options, succeeded: null })
        happens(history)
        history.wait(20_000)
        history.handling("message.queued", data, { ...options, number, process: "two" })
      })
    expect(again(2, (history) => history.crash("one"))).toEqual([])
    expect(again(1, (history) => history.crash("one"))).toEqual(["subscription-attempt-counts"])
    expect(again(1, (history) => history.fault({ begins: "the database is away" }))).toEqual([])
    const stop = (history: HandWritten) => {
      history.fault({ stops: "one" })
      history.wait(11_000)
      history.crash("one")
    }
    expect(again(1, stop)).toEqual([])
  })

  test("wait for their processes, and are named", () => {
    const waiting = (attempts: number, named: ReadonlyArray<string>) =>
      brokenBy((history) => {
        subscribed(history)
        history.add({ kind: "unsubscribe", process: "one", url: "subscription:notes" })
        history.wait(minute)
        const at = isoTime(history.now)
        history.quiet()
        history.wait(5 * minute)
        const job = { id: newId(), lane: "subscriptions", state: "due", subject_id: endpointId, attempts }
        history.call("administrator", "GET", "/admin/v1/jobs?lane=subscriptions", null, 200, {
          data: [{ ...job, next_run_at: at, created_at: at }]
        })
        history.call("administrator", "GET", "/admin/v1/status", null, 200, {
          data: { waiting_subscriptions: named.map((id) => ({ id })) }
        })
      })
    expect(waiting(0, [endpointId])).toEqual([])
    expect(waiting(0, [])).toEqual(["waiting-subscription-is-named"])
    expect(waiting(3, [endpointId])).toEqual(["subscription-waits-for-its-processes"])
  })

  test("early failures disable nothing, and 25 later ones do", () => {
    const disabled = (number: number) =>
      brokenBy((history) => {
        subscribed(history)
        for (let n = 0; n < 25; n++) {
          const data = { message: history.message(history.send(), "queued") }
          const eventId = newId()
          const numbers = Array.from({ length: number }, (_, earlier) => earlier + 1)
          for (const each of numbers) {
            history.handling("message.queued", data, { eventId, number: each, succeeded: false })
            history.wait(24 * 60 * minute)
          }
        }
        history.call("administrator", "GET", `/admin/v1/webhook-endpoints/${endpointId}`, null, 200, {
          data: { id: endpointId, status: "disabled" }
        })
      })
    expect(disabled(7)).toContain("endpoint-disabled-at-25")
    expect(disabled(8)).not.toContain("endpoint-disabled-at-25")
  })

  test("an event that comes late, although a process has capacity", () => {
    const late = (processes: ReadonlyArray<string>, slow: ReadonlyArray<string>, wait = 0) =>
      brokenBy((history) => {
        for (const process of processes) subscribed(history, process)
        history.wait(3_000)
        const begun = slow.map((process) => history.beginHandling("message.queued", message(history), { process }))
        const createdAt = history.now
        const data = message(history)
        history.wait(9_000)
        for (const attempt of begun) history.add({ kind: "handled", attempt, succeeded: true })
        history.wait(wait)
        history.handling("message.queued", data, { createdAt })
      })
    const message = (history: HandWritten) => ({ message: history.message(history.send(), "queued") })
    const times = (count: number, process: string) => Array.from({ length: count }, () => process)
    expect(late(["one"], times(9, "one"))).toEqual([])
    expect(late(["one"], times(8, "one"))).toEqual(["webhook-comes-at-once"])
    expect(late(["one"], times(9, "one"), 6_000)).toEqual(["webhook-comes-at-once"])
    expect(late(["one", "two"], [...times(9, "one"), ...times(9, "two")])).toEqual([])
    expect(late(["one", "two"], times(9, "one"))).toEqual(["webhook-comes-at-once"])
  })

  test("an event that comes a minute late, if it was not decided while the subscription was stored", () => {
    const late = (after: number, wait: number) =>
      brokenBy((history) => {
        subscribed(history)
        history.wait(after)
        const data = { message: history.message(history.send(), "queued") }
        const createdAt = history.now
        history.wait(wait)
        history.handling("message.queued", data, { createdAt })
      })
    expect(late(400, 60_000)).toEqual([])
    expect(late(400, 65_000)).toEqual(["webhook-comes-at-once"])
    expect(late(600, 60_000)).toEqual(["webhook-comes-at-once"])
  })

  test("a delivery that is delivered or failed without a cause", () => {
    const listed = (status: string, count: number, succeeded: boolean) =>
      brokenBy((history) => {
        subscribed(history)
        const data = { message: history.message(history.send(), "queued") }
        const eventId = history.handling("message.queued", data, { succeeded })
        const delivery = { id: newId(), event_id: eventId, event_type: "message.queued", status, attempt_count: count }
        history.call("administrator", "GET", `/admin/v1/webhook-endpoints/${endpointId}/deliveries`, null, 200, {
          data: [delivery],
          links: { next: null }
        })
      })
    expect(listed("delivered", 1, true)).toEqual([])
    expect(listed("delivered", 1, false)).toEqual(["delivery-state-has-a-cause"])
    expect(listed("failed", 11, false)).toEqual([])
    expect(listed("failed", 7, false)).toEqual(["delivery-state-has-a-cause"])
  })
})
