import type { Call, History } from "../History.js"
import { objectOf, textAt, valueAt } from "../json.js"
import type { Violation } from "../Violation.js"

/**
 * Every response of the two APIs has an `X-Request-ID` of its own and the rate-limit headers; an error has the envelope
 * with the same id (docs/reference/requests.md#response-headers, docs/reference/errors.md#error-envelope). A 429 says
 * when to come again (docs/reference/rate-limits.md#headers). No response is an `internal_error`, whatever the faults
 * (docs/reference/requests.md#storage-unavailable).
 *
 * Not checked: the fields of resources, and the answers of the token endpoint.
 */
export function* responses(history: History): Iterable<Violation> {
  const ids = new Map<string, Call>()
  for (const call of history.calls) {
    const { response, responseEntry } = call
    if (response === null || call.api === null || call.path[0] === "oauth") continue
    const id = response.headers["x-request-id"] ?? ""
    const known = ids.get(id)
    if (known === undefined) ids.set(id, call)
    const problem =
      id === ""
        ? "has no X-Request-ID"
        : known === undefined
          ? problemOf(call, id)
          : `has the X-Request-ID ${id} of another response`
    if (problem === null) continue
    yield {
      promise: response.status === 500 ? "no-internal-error" : "response-form",
      at: response.at,
      text: `The response to ${call.request.method} ${call.request.path} ${problem}.`,
      entries: known === undefined ? [responseEntry] : [known.responseEntry, responseEntry]
    }
  }
}

const problemOf = ({ request, response }: Call, id: string): string | null => {
  if (response === null) return null
  const { body, headers, status } = response
  if (status === 500) return "is 500"
  if (request.method === "HEAD" || status === 304) return null
  const [limit, remaining] = [Number(headers["x-ratelimit-limit"]), Number(headers["x-ratelimit-remaining"])]
  if (!(limit > 0 && remaining >= 0 && remaining <= limit)) {
    return `has the rate limit ${headers["x-ratelimit-limit"]} and ${headers["x-ratelimit-remaining"]} remaining`
  }
  if (status === 429 && !(Number(headers["retry-after"]) >= 1 && Number(headers["x-ratelimit-reset"]) > 0)) {
    return "is 429 without Retry-After or X-RateLimit-Reset"
  }
  if (status < 400) return null
  if (textAt(body, "error", "code") === null || textAt(body, "error", "message") === null)
    return "has no error envelope"
  if (objectOf(valueAt(body, "error", "details")) === null) return "has an error without details"
  return textAt(body, "error", "request_id") === id ? null : "has another request_id than X-Request-ID"
}
