import type { Json } from "./Json.js"

/**
 * Every header of answers, as components (docs/reference/requests.md#response-headers ;
 * docs/reference/rate-limits.md#headers).
 */
export const headerComponents = {
  "X-Request-ID": {
    description: "Names this answer; quote it when you ask an operator.",
    required: true,
    schema: { type: "string", format: "uuid" }
  },
  "X-RateLimit-Limit": {
    description: "Calls a minute that the bucket nearest to empty allows.",
    required: true,
    schema: { type: "integer", minimum: 1 }
  },
  "X-RateLimit-Remaining": {
    description: "Calls that are left in that bucket.",
    required: true,
    schema: { type: "integer", minimum: 0 }
  },
  "X-RateLimit-Reset": {
    description: "When the bucket that refused is full again, in unix seconds.",
    required: true,
    schema: { type: "integer" }
  },
  "Retry-After": {
    description: "Seconds to wait before the same request is sent again.",
    required: true,
    schema: { type: "integer", minimum: 1 }
  },
  "Idempotency-Replayed": {
    description:
      "Present where this is the answer of an earlier request with the same key, and nothing was done again.",
    schema: { type: "string", enum: ["true"] }
  },
  Allow: {
    description: "The methods that this path has, separated by commas.",
    required: true,
    schema: { type: "string" }
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    required: true,
    schema: { type: "string" }
  }
} as const

type HeaderName = keyof typeof headerComponents

/** The headers of every answer, and these. */
export const headersOf = (...more: ReadonlyArray<HeaderName>): Json =>
  Object.fromEntries(
    (["X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining", ...more] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` }
    ])
  )

/** The headers of an answer that is an error. */
export const headersOfError = (status: number): Json => {
  switch (status) {
    case 401:
      return headersOf("WWW-Authenticate")
    case 405:
      return headersOf("Allow")
    case 429:
      return headersOf("Retry-After", "X-RateLimit-Reset")
    case 503:
      return headersOf("Retry-After")
    default:
      return headersOf()
  }
}
