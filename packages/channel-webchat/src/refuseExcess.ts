import { type Instant, minute, type ProviderAnswer, type Recorder, recorder, refuse } from "@parley/core"
import { Effect } from "effect"
import { refusalAnswer, withHeaders } from "./answers.js"
import type { Excess } from "./Excess.js"

const refusals: Recorder<["limit", "of"]> = recorder({
  name: "parley_webchat_refused_total",
  description: "Requests of web chat visitors that were refused because of a limit",
  labels: ["limit", "of"]
})

/** Answers a request above a limit: 429, or 503 if it is a limit of all visitors together. */
export type RefuseExcess = (excess: Excess, address: string | undefined, now: Instant) => Effect.Effect<ProviderAnswer>

/** Counts each refusal in the metric, and logs at most one line a minute. */
export const makeRefuseExcess = (): RefuseExcess => {
  let loggedAt = Number.NEGATIVE_INFINITY
  let sinceLogged = 0
  return (excess, address, now) =>
    Effect.suspend(() => {
      const { limit, of, retryAfter } = excess
      refusals(1, limit, of)
      sinceLogged += 1
      const answer = withHeaders(refusalAnswer(of === "total" ? busy : refuse("rate_limited")), {
        "retry-after": String(retryAfter)
      })
      if (now < loggedAt + minute) return Effect.succeed(answer)
      const line = { limit, of, address, refused: sinceLogged }
      loggedAt = now
      sinceLogged = 0
      return Effect.as(Effect.annotateLogs(Effect.logWarning(refusalWarning), line), answer)
    })
}

const busy = refuse("service_unavailable", {}, "Too many visitors use the chat at the moment.")

const refusalWarning =
  "Web chat refuses requests above a limit of visitors. If the address is that of your proxy, set PARLEY_TRUSTED_PROXIES."
