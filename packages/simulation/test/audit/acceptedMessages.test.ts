import { describe, expect, test } from "vitest"
import type { HandWritten } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const delivered = (history: HandWritten, id: string) => {
  history.handOver(id, "accepted")
  history.progress(id, "queued")
  history.progress(id, "sent")
}

const sending = (history: HandWritten, id: string, state: string) =>
  history.call("administrator", "GET", `/admin/v1/messages/${id}/sending`, null, 200, { data: { state } })

const unsent = (history: HandWritten, state: string | null) => {
  const id = history.send()
  history.progress(id, "queued")
  history.quiet()
  history.wait(120_000)
  history.read(id, "queued")
  if (state !== null) sending(history, id, state)
  history.end()
}

describe("accepted messages", () => {
  test("a message that is sent has ended", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      delivered(history, id)
      history.quiet()
      history.read(id, "sent")
      history.end()
    })
    expect(broken).toEqual([])
  })

  test("a message may wait for a stated reason", () => {
    expect(brokenBy((history) => unsent(history, "connection_inactive"))).toEqual([])
  })

  test("a message that stays queued without a reason", () => {
    expect(brokenBy((history) => unsent(history, null))).toEqual(["accepted-message-ends"])
    expect(brokenBy((history) => unsent(history, "due"))).toEqual(["accepted-message-ends"])
  })

  test("a message that no reading shows at the end", () => {
    const broken = brokenBy((history) => {
      delivered(history, history.send())
      history.quiet()
      history.end()
    })
    expect(broken).toEqual(["accepted-message-ends"])
  })

  test("nothing is missing in a journal that was cut off", () => {
    expect(brokenBy((history) => void history.send())).toEqual([])
  })

  test("a message that is lost after its acknowledgement", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.call("shop", "GET", `/api/v1/messages/${id}`, null, 404, { code: "not_found" })
    })
    expect(broken).toEqual(["accepted-message-exists"])
  })

  test("another application does not find it, nor does a reading that began before", () => {
    const broken = brokenBy((history) => {
      const request = history.sendRequest()
      const id = "0190a1b2-0000-7000-8000-00000000ffff"
      const reading = history.request("shop", "GET", `/api/v1/messages/${id}`)
      history.acknowledge(request, id)
      history.respond(reading, 404, { code: "not_found" })
      history.call("desk", "GET", `/api/v1/messages/${id}`, null, 404, { code: "not_found" })
    })
    expect(broken).toEqual([])
  })

  const deleted = (status: number, body?: object) =>
    brokenBy((history) => {
      const id = history.send()
      history.call("administrator", "DELETE", `/admin/v1/contacts/${history.contactOf(id)}`, null, status, body)
      history.call("shop", "GET", `/api/v1/messages/${id}`, null, 404, { code: "not_found" })
    })

  test("a message of an erased contact is gone", () => {
    expect(deleted(200)).toEqual([])
  })

  test("a message may be gone after an erasure of unknown outcome", () => {
    expect(deleted(503, { code: "service_unavailable" })).toEqual([])
    expect(deleted(404, { code: "not_found" })).toEqual(["accepted-message-exists"])
  })

  test("a message that fails without a hand-over", () => {
    const failed = (script: (history: HandWritten, id: string) => void, code = "provider_error") =>
      brokenBy(
        (history) => {
          const id = history.send()
          script(history, id)
          history.wait(90_000_000)
          history.quiet()
          history.read(id, "failed", { error: { code } })
          history.end()
        },
        { endpoints: [] }
      )
    expect(failed(() => {})).toEqual(["accepted-message-is-handed-over"])
    expect(failed((history) => history.crash("one"))).toEqual([])
    expect(failed((history, id) => history.handOver(id, "lost"))).toEqual([])
    const stop = (history: HandWritten) => void history.customerWrites("STOP", { from: "+49301234567" })
    expect(failed(stop, "validation_failed")).toEqual([])
    expect(failed(stop)).toEqual(["accepted-message-is-handed-over"])
    expect(failed(() => {}, "validation_failed")).toEqual(["accepted-message-is-handed-over"])
  })
})
