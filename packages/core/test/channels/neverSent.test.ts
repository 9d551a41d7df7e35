import { describe, expect, it } from "vitest"
import { neverSent, requestFailure } from "../../src/channels/neverSent.js"

const nodeError = (fields: object): Error => Object.assign(new Error("Bearer secret"), fields)
const fetchFailed = (cause: unknown): Error => new TypeError("fetch failed", { cause })
const refused = nodeError({ code: "ECONNREFUSED", syscall: "connect" })

describe("neverSent", () => {
  it("is certain where the connection was not made", () => {
    for (const cause of [
      refused,
      nodeError({ code: "ENOTFOUND", syscall: "getaddrinfo" }),
      nodeError({ code: "UND_ERR_CONNECT_TIMEOUT" }),
      nodeError({ code: "CERT_HAS_EXPIRED" }),
      new AggregateError([refused, nodeError({ code: "ENETUNREACH", syscall: "connect" })])
    ]) {
      expect(neverSent(fetchFailed(cause))).toBe(true)
      expect(neverSent(cause)).toBe(true)
    }
  })

  it("is not where it was, or where nobody knows", () => {
    for (const cause of [
      nodeError({ code: "UND_ERR_SOCKET" }),
      nodeError({ code: "ECONNRESET", syscall: "read" }),
      nodeError({ code: "UND_ERR_HEADERS_TIMEOUT" }),
      new AggregateError([refused, nodeError({ code: "ECONNRESET", syscall: "read" })]),
      new AggregateError([]),
      "broken",
      null,
      undefined
    ]) {
      expect(neverSent(fetchFailed(cause))).toBe(false)
      expect(neverSent(cause)).toBe(false)
    }
  })

  it("says why by the codes alone", () => {
    expect(requestFailure(fetchFailed(new AggregateError([refused, refused])))).toBe(
      "the connection failed: ECONNREFUSED"
    )
    expect(requestFailure(fetchFailed(new Error("Bearer secret")))).toBe("the connection failed")
  })
})
