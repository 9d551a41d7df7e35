import { describe, expect, test } from "vitest"
import type { World } from "../../src/audit/Journal.js"
import { type HandWritten, journalOf } from "./journalOf.js"
import { brokenBy as brokenByAny } from "./promisesOf.js"

const world = journalOf(() => {})[0] as World
const limited: Partial<World> = {
  applications: world.applications.map((application) => ({
    ...application,
    limits: { requestsPerMinute: 5, sendsPerMinute: 2 }
  }))
}

const brokenBy = (script: (history: HandWritten) => void, changes: Partial<World> = {}) =>
  brokenByAny((history) => {
    if (changes === limited) history.limit = 5
    script(history)
  }, changes)

const rate = (limit: number) => ({ "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": "0" })

const list = (history: HandWritten, count: number) => {
  for (let index = 0; index < count; index++) history.call("shop", "GET", "/api/v1/channels", null, 200, { data: [] })
}

const refuse = (history: HandWritten, limit: number, method = "GET", path = "/api/v1/channels") =>
  history.respond(
    history.request("shop", method, path),
    429,
    { code: "rate_limited" },
    {
      ...rate(limit),
      "retry-after": "1",
      "x-ratelimit-reset": "1777881600"
    }
  )

describe("rate buckets", () => {
  test("a response names a limit of the application", () => {
    const named = (limit: number) =>
      brokenByAny((history) => {
        history.limit = limit
        list(history, 1)
      }, limited)
    expect([named(5), named(2), named(6)]).toEqual([[], [], ["rate-limit-is-named"]])
  })

  test("a replay that was answered took no token of the sends bucket", () => {
    const refusedAfter = (replays: number) =>
      brokenBy((history) => {
        const id = history.send({ key: "k" })
        for (let index = 0; index < replays; index++) history.send({ key: "k", id, replayed: true })
        if (replays === 0) history.send()
        refuse(history, 2, "POST", "/api/v1/messages")
      }, limited)
    expect(refusedAfter(0)).toEqual([])
    expect(refusedAfter(1)).toEqual(["rate-bucket-is-exact"])
  })

  test("a window grants its limit and no more", () => {
    expect(brokenBy((history) => list(history, 5), limited)).toEqual([])
    expect(brokenBy((history) => list(history, 6), limited)).toEqual(["rate-bucket-is-exact"])
  })

  test("requests that run at once count for one window", () => {
    const atOnce = (count: number) =>
      brokenBy((history) => {
        const requests = Array.from({ length: count }, () => history.request("shop", "GET", "/api/v1/channels"))
        for (const request of requests) history.respond(request, 200, { data: [] })
      }, limited)
    expect(atOnce(5)).toEqual([])
    expect(atOnce(6)).toEqual(["rate-bucket-is-exact"])
  })

  test("the next window has all tokens", () => {
    const windows = (second: number) =>
      brokenBy((history) => {
        list(history, 5)
        history.wait(65_000)
        list(history, second)
      }, limited)
    expect(windows(5)).toEqual([])
    expect(windows(6)).toEqual(["rate-bucket-is-exact"])
  })

  test("two windows may meet", () => {
    const broken = brokenBy((history) => {
      list(history, 1)
      history.wait(59_800)
      list(history, 4)
      history.wait(200)
      list(history, 5)
    }, limited)
    expect(broken).toEqual([])
  })

  test("a slow request may belong to the window before", () => {
    const broken = brokenBy((history) => {
      list(history, 4)
      history.wait(59_000)
      const slow = history.request("shop", "GET", "/api/v1/channels")
      history.wait(5_000)
      list(history, 5)
      history.respond(slow, 200, { data: [] })
    }, limited)
    expect(broken).toEqual([])
  })

  test("sends have a bucket of their own, replays take none of it", () => {
    const sends = (count: number) =>
      brokenBy((history) => {
        for (let index = 0; index < count; index++) history.send()
      }, limited)
    expect(sends(2)).toEqual([])
    expect(sends(3)).toEqual(["rate-bucket-is-exact"])
    const replayed = brokenBy((history) => {
      const id = history.send({ key: "k" })
      for (let index = 0; index < 3; index++) history.send({ key: "k", id, replayed: true })
    }, limited)
    expect(replayed).toEqual([])
  })

  test("a power cut may forget tokens", () => {
    const broken = brokenBy((history) => {
      list(history, 4)
      history.fault({ powerCut: true })
      list(history, 4)
    }, limited)
    expect(broken).toEqual([])
  })

  test("a refusal while tokens remain", () => {
    const refusedAfter = (count: number) =>
      brokenBy((history) => {
        list(history, count)
        refuse(history, 5)
      }, limited)
    expect(refusedAfter(5)).toEqual([])
    expect(refusedAfter(4)).toEqual(["rate-bucket-is-exact"])
  })

  test("a refused send while tokens remain", () => {
    const sent = (count: number) =>
      brokenBy((history) => {
        for (let index = 0; index < count; index++) history.send()
        refuse(history, 2, "POST", "/api/v1/messages")
      }, limited)
    expect(sent(2)).toEqual([])
    expect(sent(1)).toEqual(["rate-bucket-is-exact"])
  })

  test("a refused send takes a token of requests", () => {
    const refusedAfter = (count: number) =>
      brokenBy((history) => {
        history.send()
        history.send()
        for (let index = 0; index < count; index++) refuse(history, 2, "POST", "/api/v1/messages")
        refuse(history, 5)
      }, limited)
    expect(refusedAfter(3)).toEqual([])
    expect(refusedAfter(2)).toEqual(["rate-bucket-is-exact"])
  })

  test("a limit that an administrator raises", () => {
    const broken = brokenBy((history) => {
      const path = `/admin/v1/applications/${world.applications[0]?.id}`
      history.call("administrator", "PATCH", path, { limits: { requests_per_minute: 9 } }, 200)
      list(history, 9)
    }, limited)
    expect(broken).toEqual([])
  })
})
