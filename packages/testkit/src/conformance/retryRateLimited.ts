import { setTimeout } from "node:timers/promises"
import type { Wire } from "./Wire.js"

/**
 * Waits as the response requests, and retries once (docs/reference/errors.md#retry-rules): all clients at one address
 * share the limit of requests without a credential, so that another run may have just used it up.
 */
export const retryRateLimited =
  (wire: Wire): Wire =>
  async (question) => {
    const answer = await wire(question)
    if (answer.status !== 429 || question.path.endsWith("/oauth/token")) return answer
    await setTimeout(Number(answer.headers.get("retry-after")) * 1_000)
    return wire(question)
  }
