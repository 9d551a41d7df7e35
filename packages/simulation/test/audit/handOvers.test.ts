import { describe, expect, test } from "vitest"
import { newId, rival, shop, withConnection } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

describe("hand-overs", () => {
  test("a message is handed over again after an answer that it did not go out", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.handOver(id, "throttled")
      history.handOver(id, "transient")
      history.handOver(id, "accepted")
    })
    expect(broken).toEqual([])
  })

  test.each(["accepted", "lost", "rejected"] as const)("handed over again after %s", (outcome) => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.handOver(id, outcome)
      history.handOver(id, "accepted", "two")
    })
    expect(broken).toEqual(["handed-over-once"])
  })

  test("handed over again after a crash", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.beginHandOver(id)
      history.crash("one")
      history.handOver(id, "accepted", "two")
    })
    expect(broken).toEqual(["handed-over-once"])
  })

  test("handed over with other files, or in another order", () => {
    const handed = (files: ReadonlyArray<string>) =>
      brokenBy((history) => {
        const uploadId = newId()
        const upload = history.request("shop", "POST", "/api/v1/attachments", "Dear Ada", "file 1")
        history.respond(upload, 201, { data: { id: uploadId } })
        const attachments = [{ attachment_id: uploadId }, { url: "https://files.test/a" }]
        const id = history.send({ body: { type: "media", message: { body: "See", attachments } } })
        history.endHandOver(history.beginHandOver(id, { files, text: "See" }), "accepted")
      })
    expect(handed(["Dear Ada", "https://files.test/a"])).toEqual([])
    expect(handed(["https://files.test/a", "Dear Ada"])).toEqual(["handed-over-as-sent"])
    expect(handed(["Dear Ada"])).toEqual(["handed-over-as-sent"])
  })

  test("handed over twice at the same time", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      const first = history.beginHandOver(id)
      const second = history.beginHandOver(id, {}, "two")
      history.endHandOver(first, "transient")
      history.endHandOver(second, "accepted")
    })
    expect(broken).toEqual(["handed-over-once", "handed-over-by-one-process"])
  })

  test("one process at a time hands over, unless a fault kept it from renewing its lease", () => {
    const overlapping = (fault: boolean) =>
      brokenBy(
        (history) => {
          const id = history.send()
          const first = history.beginHandOver(id)
          if (fault) history.fault({ text: "one stalls" })
          history.wait(20_000)
          const second = history.beginHandOver(id, {}, "two")
          history.endHandOver(first, "accepted")
          history.endHandOver(second, "accepted")
        },
        withConnection({ dedupes: true })
      )
    expect(overlapping(true)).toEqual([])
    expect(overlapping(false)).toEqual(["handed-over-by-one-process"])
  })

  test("nothing is sent through a connection that is paused", () => {
    const handedOver = (status: string, answer: number) =>
      brokenBy((history) => {
        const id = history.send()
        const path = `/admin/v1/connections/${shop.connectionId}`
        history.call("administrator", "PATCH", path, { status }, answer, { code: "service_unavailable" })
        history.wait(1_000)
        history.handOver(id, "accepted")
      })
    expect(handedOver("paused", 200)).toEqual(["inactive-connection-sends-nothing"])
    expect(handedOver("paused", 503)).toEqual([])
    expect(handedOver("active", 200)).toEqual([])
  })

  test("a vendor that dedupes may get a message of unknown outcome again", () => {
    const again = (outcome: "lost" | null) =>
      brokenBy(
        (history) => {
          const id = history.send()
          const handOver = history.beginHandOver(id)
          if (outcome !== null) history.endHandOver(handOver, outcome)
          history.crash("one")
          history.handOver(id, "accepted", "two")
        },
        withConnection({ dedupes: true })
      )
    expect(again("lost")).toEqual([])
    expect(again(null)).toEqual([])
  })

  test("the connection may say that messages of unknown outcome are sent again", () => {
    const script = (outcome: "lost" | "accepted") => (history: Parameters<Parameters<typeof brokenBy>[0]>[0]) => {
      const id = history.send()
      history.handOver(id, outcome)
      history.wait(60_000)
      history.handOver(id, "accepted")
    }
    expect(brokenBy(script("lost"), withConnection({ unknownSends: "resend" }))).toEqual([])
    expect(brokenBy(script("accepted"), withConnection({ unknownSends: "resend" }))).toEqual(["handed-over-once"])
  })

  test("an administrator may change what is done with unknown outcomes", () => {
    const broken = brokenBy((history) => {
      const id = history.send()
      history.handOver(id, "lost")
      const config = { unknown_outcome: "resend" }
      history.call("administrator", "PATCH", `/admin/v1/connections/${shop.connectionId}`, { config }, 200)
      history.handOver(id, "accepted")
    })
    expect(broken).toEqual([])
  })

  test("handed over after it was seen as failed", () => {
    const broken = brokenBy(
      (history) => {
        const id = history.send()
        history.handOver(id, "moved")
        history.read(id, "failed")
        history.wait(60_000)
        history.handOver(id, "accepted")
      },
      withConnection({ dedupes: true })
    )
    expect(broken).toEqual(["handed-over-before-its-end"])
  })

  test("goes out on its connection, to its handle and with its text", () => {
    const changed = (changes: object) =>
      brokenBy((history) => history.endHandOver(history.beginHandOver(history.send(), changes), "accepted"))
    expect(changed({ to: "+49 30 123-4567" })).toEqual([])
    expect(changed({ to: "+49301234568" })).toEqual(["handed-over-as-sent"])
    expect(changed({ text: "Hell" })).toEqual(["handed-over-as-sent"])
    expect(changed({ connectionId: rival.connectionId })).toEqual(["handed-over-as-sent"])
  })

  test("goes to another handle after the vendor named one", () => {
    const broken = brokenBy((history) => {
      const id = history.send({ id: newId() })
      history.handOver(id, "moved")
      history.endHandOver(history.beginHandOver(id, { to: "+49309999999" }), "accepted")
    })
    expect(broken).toEqual([])
  })
})
