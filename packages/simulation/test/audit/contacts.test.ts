import { describe, expect, test } from "vitest"
import { type HandWritten, newId, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

describe("opt-out", () => {
  const optedOut = (between: (history: HandWritten) => void, from = "+49301234567") =>
    brokenBy((history) => {
      history.customerWrites(" Stop ", { from })
      between(history)
      history.send()
    })

  test("a send after the customer's stop word", () => {
    expect(optedOut(() => {})).toEqual(["opted-out-contact-gets-nothing"])
  })

  test("another customer has not opted out", () => {
    expect(optedOut(() => {}, "+49301111111")).toEqual([])
  })

  test("a start word may clear it", () => {
    expect(optedOut((history) => void history.customerWrites("START", { from: "+49301234567" }))).toEqual([])
  })

  test("a stop word that was not acknowledged", () => {
    const broken = brokenBy((history) => {
      history.customerWrites("STOP", { from: "+49301234567", status: 503 })
      history.send()
    })
    expect(broken).toEqual([])
  })

  test("a send that began before", () => {
    const broken = brokenBy((history) => {
      const request = history.sendRequest()
      history.customerWrites("STOP", { from: "+49301234567" })
      history.acknowledge(request, newId())
    })
    expect(broken).toEqual([])
  })

  test("an administrator marks a contact", () => {
    const marked = (optedOut: boolean) =>
      brokenBy((history) => {
        const identities = [{ channel: "whatsapp", handle: "+49301234567" }]
        const data = { id: newId(), workspace_id: shop.workspaceId, identities }
        history.call("administrator", "PATCH", `/admin/v1/contacts/${data.id}`, { opted_out: optedOut }, 200, { data })
        history.send()
      })
    expect(marked(true)).toEqual(["opted-out-contact-gets-nothing"])
    expect(marked(false)).toEqual([])
  })

  const waited = (first: "throttled" | "lost" | null, waits: number, from = "+49301234567") =>
    brokenBy((history) => {
      const id = history.send()
      if (first !== null) history.handOver(id, first)
      history.wait(waits / 2)
      history.customerWrites("STOP", { from })
      history.wait(waits / 2)
      history.handOver(id, "accepted")
    })

  test("a message that waited while the customer opted out", () => {
    expect(waited("throttled", 180_000)).toEqual(["opted-out-contact-gets-nothing"])
    expect(waited("throttled", 800)).toEqual([])
    expect(waited(null, 40_000)).toEqual(["opted-out-contact-gets-nothing"])
    expect(waited(null, 14_000)).toEqual([])
    expect(waited("throttled", 180_000, "+49301111111")).toEqual([])
  })

  test("a message that the customer may have got before", () => {
    expect(waited("lost", 180_000)).toContain("opted-out-contact-gets-nothing")
  })

  test("a message that waited and failed", () => {
    const failed = (code: string, stops: (history: HandWritten) => void) =>
      brokenBy((history) => {
        const id = history.send()
        history.handOver(id, "throttled")
        stops(history)
        history.wait(20_000)
        history.read(id, "failed", { error: { code } })
      })
    const stop = (history: HandWritten) => void history.customerWrites("STOP", { from: "+49301234567" })
    expect(failed("validation_failed", stop)).toEqual([])
    expect(failed("provider_error", stop)).toEqual(["status-has-a-cause"])
    expect(failed("validation_failed", () => {})).toEqual(["status-has-a-cause"])
    const stopsOther = (history: HandWritten) => void history.customerWrites("STOP", { from: "+49301111111" })
    expect(failed("validation_failed", stopsOther)).toEqual(["status-has-a-cause"])
    const marks = (history: HandWritten) => {
      const data = { id: newId(), workspace_id: shop.workspaceId, identities: [] }
      history.call("administrator", "PATCH", `/admin/v1/contacts/${data.id}`, { opted_out: true }, 200, { data })
    }
    expect(failed("validation_failed", marks)).toEqual(["status-has-a-cause"])
  })
})

describe("a merge", () => {
  const merged = (read: string, shownOf: (other: string) => unknown, status = 200) =>
    brokenBy((history) => {
      const [remaining, other] = [newId(), newId()]
      const path = `/admin/v1/contacts/${remaining}/merge`
      const answer = status === 200 ? { data: { id: remaining } } : { code: "validation_failed" }
      history.call("administrator", "POST", path, { contact_id: other }, status, answer)
      history.call("shop", "GET", `/api/v1/${read}`, null, 200, { data: shownOf(other) })
    })

  test("the other contact is gone at once", () => {
    expect(merged("contacts", (id) => [{ id }])).toEqual(["merged-contact-is-gone"])
    expect(merged("contacts", () => [{ id: newId() }])).toEqual([])
    expect(merged("contacts", (id) => [{ id }], 422)).toEqual([])
  })

  test("its conversations belong to the remaining one", () => {
    expect(merged("conversations", (other) => [{ id: newId(), contact_id: other }])).toEqual(["merged-contact-is-gone"])
    expect(merged("conversations", () => [{ id: newId(), contact_id: newId() }])).toEqual([])
  })
})

describe("erasure", () => {
  const erased = (later: (history: HandWritten, contactId: string, messageId: string) => void) =>
    brokenBy((history) => {
      const id = history.send()
      const contactId = history.contactOf(id)
      const data = { id: contactId, email: "ada@shop.test", identities: [] }
      history.call("shop", "GET", `/api/v1/contacts/${contactId}`, null, 200, { data })
      history.call("administrator", "DELETE", `/admin/v1/contacts/${contactId}`, null, 200, { data: { id: contactId } })
      later(history, contactId, id)
    })

  test("the contact is gone at once", () => {
    expect(
      erased((history, id) => history.call("shop", "GET", "/api/v1/contacts", null, 200, { data: [{ id }] }))
    ).toEqual(["erased-contact-is-gone"])
    expect(erased((history) => history.call("shop", "GET", "/api/v1/contacts", null, 200, { data: [] }))).toEqual([])
  })

  test("a later send makes another contact", () => {
    expect(erased((history) => void history.send())).toEqual([])
    expect(erased((history, _, id) => void history.send({ id }))).toEqual(["erased-contact-is-gone"])
  })

  test("its files are gone soon after, unless another message has them", () => {
    const url = "https://files.test/a"
    const stored = (files: ReadonlyArray<string>, isShared: boolean) =>
      brokenBy((history) => {
        const body = { type: "media", message: { body: "See", attachments: [{ url }] } }
        const contactId = history.contactOf(history.send({ body }))
        if (isShared) history.sendRequest({ body })
        history.call("administrator", "DELETE", `/admin/v1/contacts/${contactId}`, null, 200, {
          data: { id: contactId }
        })
        history.end(files)
      })
    expect(stored([], false)).toEqual([])
    expect(stored([url], true)).toEqual([])
    expect(stored([url], false)).toEqual(["erased-contact-is-gone"])
  })

  test("its messages are gone soon after", () => {
    const read = (wait: number) =>
      erased((history, _, id) => {
        history.wait(wait)
        history.read(id, "queued")
      })
    expect(read(1_000)).toEqual([])
    expect(read(90_000)).toEqual(["erased-contact-is-gone"])
  })

  test("a crash delays it", () => {
    const broken = erased((history, _, id) => {
      history.wait(60_000)
      history.crash("one")
      history.wait(30_000)
      history.read(id, "queued")
    })
    expect(broken).toEqual([])
  })

  test("its handle is gone, unless it is used again", () => {
    const found = (isUsed: boolean) =>
      erased((history) => {
        if (isUsed)
          history.call("shop", "POST", "/api/v1/contacts", { email: "ada@shop.test" }, 201, { data: { id: newId() } })
        history.wait(90_000)
        history.call("shop", "GET", "/api/v1/contacts", null, 200, { data: [{ id: newId(), email: "ada@shop.test" }] })
      })
    expect(found(true)).toEqual([])
    expect(found(false)).toEqual(["erased-contact-is-gone"])
  })

  test("logs name it", () => {
    const broken = erased((history, id) => {
      history.wait(90_000)
      history.call("administrator", "GET", "/admin/v1/audit-log", null, 200, {
        data: [{ id: newId(), subject_id: id }]
      })
    })
    expect(broken).toEqual([])
  })

  test("webhooks and hand-overs end", () => {
    const late = (later: (history: HandWritten, id: string) => void) =>
      erased((history, _, id) => {
        history.wait(90_000)
        later(history, id)
      })
    expect(late((history, id) => void history.progress(id, "queued"))).toEqual(["erased-contact-is-gone"])
    expect(late((history, id) => history.handOver(id, "accepted"))).toEqual(["erased-contact-is-gone"])
  })
})
