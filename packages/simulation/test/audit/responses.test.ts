import { describe, expect, test } from "vitest"
import { newId } from "./journalOf.js"
import { allBrokenBy, brokenBy } from "./promisesOf.js"

const response = (status: number, body: unknown, headers: { readonly [name: string]: string } = {}) =>
  brokenBy((history) => history.respond(history.request("shop", "GET", "/api/v1/channels"), status, body, headers))

describe("responses", () => {
  test("have an id and the rate", () => {
    expect(response(200, { data: [] })).toEqual([])
    expect(response(200, { data: [] }, { "x-request-id": "" })).toEqual(["response-form"])
    expect(response(200, { data: [] }, { "x-ratelimit-remaining": "601" })).toEqual(["response-form"])
  })

  test("are 503 near a fault only", () => {
    const unavailable = (waitMs: number) =>
      allBrokenBy((history) => {
        history.fault({})
        history.wait(waitMs)
        history.call("shop", "GET", "/api/v1/channels", null, 503, { code: "service_unavailable" })
      })
    expect(unavailable(1_000)).toEqual([])
    expect(unavailable(120_000)).toEqual(["service-is-available"])
  })

  test("may be 503 in the millisecond of a fault", () => {
    const unavailable = (isFault: boolean) =>
      allBrokenBy((history) => {
        const request = history.request("shop", "GET", "/api/v1/channels")
        if (isFault) history.fault({})
        // Each entry comes 10 ms after the one before.
        history.wait(isFault ? -10 : 0)
        history.respond(request, 503, { code: "service_unavailable" })
      })
    expect(unavailable(true)).toEqual([])
    expect(unavailable(false)).toEqual(["service-is-available"])
  })

  test("two responses with one id", () => {
    const broken = brokenBy((history) => {
      const headers = { "x-request-id": newId() }
      for (let count = 0; count < 2; count++) {
        history.respond(history.request("shop", "GET", "/api/v1/channels"), 200, { data: [] }, headers)
      }
    })
    expect(broken).toEqual(["response-form"])
  })

  test("errors have the envelope", () => {
    expect(response(404, { code: "not_found" })).toEqual([])
    expect(response(404, { error: "not found" })).toEqual(["response-form"])
    expect(response(404, { code: "not_found", request_id: "other" })).toEqual(["response-form"])
  })

  test("too many requests say when to come again", () => {
    const headers = { "x-ratelimit-limit": "7", "x-ratelimit-remaining": "0" }
    expect(response(429, { code: "rate_limited" }, headers)).toEqual(["response-form"])
    expect(
      response(429, { code: "rate_limited" }, { ...headers, "retry-after": "1", "x-ratelimit-reset": "2" })
    ).toEqual([])
  })

  test("an unexpected failure", () => {
    expect(response(500, { code: "internal_error" })).toEqual(["no-internal-error"])
    expect(response(503, { code: "service_unavailable" })).toEqual([])
  })
})
