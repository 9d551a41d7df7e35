import { anonymousLimit, type RateToken } from "@parley/core"

/**
 * Rate-limit headers of a response. They describe the bucket with the fewest tokens left of those that the call used;
 * for a 429, the bucket that refused (docs/reference/rate-limits.md#headers).
 */
export const rateHeaders = (rateTokens: ReadonlyArray<RateToken>, now: number): { [name: string]: string } => {
  const refused = rateTokens.find((tokenRequest) => !tokenRequest.granted)
  if (refused !== undefined) {
    return {
      ...describe(refused),
      "x-ratelimit-reset": String(Math.ceil(refused.resetAt / 1_000)),
      "retry-after": String(Math.max(1, Math.ceil((refused.resetAt - now) / 1_000)))
    }
  }
  const [first, ...others] = rateTokens
  // No token was taken because the storage is down. Every response carries the headers, so send the limit with 0
  // remaining.
  if (first === undefined) return { "x-ratelimit-limit": String(anonymousLimit), "x-ratelimit-remaining": "0" }
  return describe(
    others.reduce((least, tokenRequest) => (tokenRequest.remaining < least.remaining ? tokenRequest : least), first)
  )
}

const describe = (tokenRequest: RateToken) => ({
  "x-ratelimit-limit": String(tokenRequest.limit),
  "x-ratelimit-remaining": String(tokenRequest.remaining)
})
