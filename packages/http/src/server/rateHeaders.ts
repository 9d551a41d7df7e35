import { anonymousLimit, type Drawn } from "@parley/core"

/**
 * The rate-limit headers of an answer: they describe the bucket nearest to empty of those that the call drew on, and of a
 * 429 the one that refused (decisions.md §4).
 */
export const rateHeaders = (draws: ReadonlyArray<Drawn>, now: number): { [name: string]: string } => {
  const refused = draws.find((draw) => !draw.granted)
  if (refused !== undefined) {
    return {
      ...describe(refused),
      "x-ratelimit-reset": String(Math.ceil(refused.resetAt / 1_000)),
      "retry-after": String(Math.max(1, Math.ceil((refused.resetAt - now) / 1_000)))
    }
  }
  const [first, ...others] = draws
  // Nothing was drawn because the storage is down: the headers are promised on every answer, but cannot be real then.
  if (first === undefined) return { "x-ratelimit-limit": String(anonymousLimit), "x-ratelimit-remaining": "0" }
  return describe(others.reduce((least, draw) => (draw.remaining < least.remaining ? draw : least), first))
}

const describe = (draw: Drawn) => ({
  "x-ratelimit-limit": String(draw.limit),
  "x-ratelimit-remaining": String(draw.remaining)
})
