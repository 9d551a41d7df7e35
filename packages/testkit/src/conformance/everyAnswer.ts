import { expect } from "vitest"
import type { Answer } from "./Answer.js"
import { ErrorEnvelope, TokenFailure, uuidPattern } from "./Resources.js"
import { shaped } from "./shaped.js"

/**
 * The rules for every response, which the suite checks on each one: a request id
 * (docs/reference/requests.md#response-headers), the rate-limit headers (docs/reference/rate-limits.md#headers), JSON,
 * and the envelope of errors (docs/reference/errors.md#error-envelope).
 */
export const everyAnswer = (answer: Answer): void => {
  const { headers, json, request, status, text } = answer
  const said = `${request} answered ${status} ${text.slice(0, 500)}`
  expect(headers.get("x-request-id"), `X-Request-ID: ${said}`).toMatch(uuidPattern)
  expect(headers.get("x-ratelimit-limit"), `X-RateLimit-Limit: ${said}`).toMatch(/^[1-9]\d*$/)
  expect(headers.get("x-ratelimit-remaining"), `X-RateLimit-Remaining: ${said}`).toMatch(/^\d+$/)
  if (status === 429) {
    expect(headers.get("retry-after"), `Retry-After: ${said}`).toMatch(/^[1-9]\d*$/)
    expect(headers.get("x-ratelimit-reset"), `X-RateLimit-Reset: ${said}`).toMatch(/^[1-9]\d*$/)
    expect(headers.get("x-ratelimit-remaining"), said).toBe("0")
  }
  if (status < 400 && !headers.get("content-type")?.includes("json")) return
  expect(headers.get("content-type"), said).toMatch(/^application\/json\b/)
  if (status < 400) return
  if (request.endsWith(" /api/v1/oauth/token")) {
    shaped(TokenFailure, json, said)
    return
  }
  const { error } = shaped(ErrorEnvelope, json, said)
  expect(error.request_id, `request_id: ${said}`).toBe(headers.get("x-request-id"))
}
