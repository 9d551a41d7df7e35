import { catalogue, type ErrorCode } from "@parley/core"
import { expect } from "vitest"
import type { Outgoing } from "../../src/index.js"
import { isJson } from "../../src/openapi/Json.js"
import type { Endpoint } from "./endpoints.js"
import { Written } from "./values.js"

/** Minimum length of a text that must not appear in a response. Ids are shorter and are returned on purpose. */
const noticed = 40

/** Maximum length of a field name in `details`, including keys of custom fields, in characters. */
const maxField = 100

/** Maximum length of an error body, in characters. */
const much = 100_000

/**
 * Checks the promises of every response (docs/reference/requests.md#response-headers ;
 * docs/reference/errors.md#error-envelope): headers, and for errors the envelope with a code of the catalogue, or
 * OAuth's format. `endpoint`: the called one, null if unknown. `sent`: texts that must not appear in `details`.
 */
export const expectPromises = (
  endpoint: Endpoint | null,
  { status, headers, body }: Outgoing<string>,
  sent: ReadonlyArray<string> = []
): void => {
  // Few expectations: there are a hundred thousand responses.
  if (status === 500 || status === 503) expect([status, body]).toEqual(["another status", body])
  expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(headers["x-ratelimit-limit"]).toMatch(/^\d+$/)
  expect(headers["x-ratelimit-remaining"]).toMatch(/^\d+$/)
  expect(Object.values(headers).filter((value) => !/^[\x20-\x7e]*$/.test(value))).toEqual([])
  if (status < 400) return
  expect(headers["content-type"]).toBe("application/json")
  const answer: unknown = JSON.parse(body)
  if (isJson(answer) && typeof answer.error === "string") {
    expectTokenFailure(endpoint, status, answer)
    return
  }
  expect(answer).toEqual({
    error: {
      code: expect.any(String),
      message: expect.any(String),
      details: expect.any(Object),
      request_id: headers["x-request-id"]
    }
  })
  expect(body.length).toBeLessThan(much)
  const { code, details } = (answer as { readonly error: { readonly code: ErrorCode; readonly details: object } }).error
  expect(Object.keys(details).filter((field) => [...field].length >= maxField)).toEqual([])
  expect([code, catalogue[code]?.status]).toEqual([code, status])
  if (endpoint !== null) expect([code, endpoint.raises]).toEqual([code, expect.arrayContaining([code])])
  // Names of fields are returned, values are not.
  const reported = Object.values(details).flatMap(textsIn).join("\n")
  expect(sent.filter((text) => text.length >= noticed && reported.includes(text))).toEqual([])
}

const expectTokenFailure = (endpoint: Endpoint | null, status: number, answer: object): void => {
  if (endpoint !== null) expect(endpoint.raises).toBeNull()
  // 30 a minute per address, which headers may set.
  expect([400, 401, 405, 413, 429]).toContain(status)
  const errors =
    status === 429 ? /^temporarily_unavailable$/ : /^(invalid_(request|client|scope)|unsupported_grant_type)$/
  expect(answer).toEqual({
    error: expect.stringMatching(errors),
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,300}$/)
  })
}

/** Every text in a value, including field names. */
export const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (value instanceof Written)
    return [...new Set(Array.from(value.json.matchAll(/"([^"]*)"/g), ([, text = ""]) => text))]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}
