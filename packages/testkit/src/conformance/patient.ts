import { setTimeout } from "node:timers/promises"
import type { Wire } from "./Wire.js"

/**
 * Waits where it is asked to, and asks once more (spec, Retry rules): everybody at one address shares the limit of who shows no
 * credential, so that another run may have used it up just now.
 */
export const patient =
  (wire: Wire): Wire =>
  async (question) => {
    const answer = await wire(question)
    if (answer.status !== 429 || question.path.endsWith("/oauth/token")) return answer
    await setTimeout(Number(answer.headers.get("retry-after")) * 1_000)
    return wire(question)
  }
