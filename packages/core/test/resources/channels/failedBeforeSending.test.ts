import { describe, expect, it } from "vitest"
import { failedBeforeSending, requestFailure } from "../../../src/resources/channels/failedBeforeSending.js"

const nodeError = (fields: object): Error => Object.assign(new Error("Bearer secret"), fields)
const fetchFailed = (cause: unknown): Error => new TypeError("fetch failed", { cause })
const refused = nodeError({ code: "ECONNREFUSED", syscall: "connect" })

describe("a failed request", () => {
  it("was not sent if the connection was not established", () => {
    for (const cause of [
      refused,
      nodeError({ code: "ENOTFOUND", syscall: "getaddrinfo" }),
      nodeError({ code: "UND_ERR_CONNECT_TIMEOUT" }),
      nodeError({ code: "CERT_HAS_EXPIRED" }),
      new AggregateError([refused, nodeError({ code: "ENETUNREACH", syscall: "connect" })])
    ]) {
      expect(failedBeforeSending(fetchFailed(cause))).toBe(true)
      expect(failedBeforeSending(cause)).toBe(true)
    }
  })

  it("may have been sent if the connection was established or the cause is unknown", () => {
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
      expect(failedBeforeSending(fetchFailed(cause))).toBe(false)
      expect(failedBeforeSending(cause)).toBe(false)
    }
  })

  it("is described by its error codes only", () => {
    expect(requestFailure(fetchFailed(new AggregateError([refused, refused])))).toBe(
      "the connection failed: ECONNREFUSED"
    )
    expect(requestFailure(fetchFailed(new Error("Bearer secret")))).toBe("the connection failed")
  })
})
