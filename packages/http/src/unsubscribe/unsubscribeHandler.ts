import { type CommitError, RateBuckets, type Refusal, refuse, Unsubscribes } from "@parley/core"
import { Effect } from "effect"
import { type HttpOutcome, renderRefusal } from "../server/HttpOutcome.js"
import type { Incoming } from "../server/Incoming.js"
import type { MountedHandler, RouteContext } from "../server/MountedHandler.js"
import { page } from "../server/page.js"
import { isOneClick } from "./isOneClick.js"
import { askingPage, donePage } from "./pages.js"

const methods = ["GET", "HEAD", "POST"]

/** Maximum size of a request body in bytes: one form field. */
const bodyLimit = 4_096

/**
 * `/unsubscribe?id={signed id}`: the link in marketing mails (docs/reference/email.md#one-click). A GET shows a button
 * and changes nothing, because mail scanners fetch links. A POST with `List-Unsubscribe=One-Click` opts the recipient
 * out. The responses are the same for links that were never given out; such requests take a rate token of the client
 * address. Valid links take none, because mail providers post for all their users from a few addresses.
 */
export const unsubscribeHandler: Effect.Effect<MountedHandler, never, Unsubscribes | RateBuckets> = Effect.gen(
  function* () {
    const unsubscribes = yield* Unsubscribes
    const buckets = yield* RateBuckets

    const answer = (incoming: Incoming, route: RouteContext): Effect.Effect<HttpOutcome, Refusal | CommitError> =>
      Effect.gen(function* () {
        const signedId = route.path === "" ? (new URLSearchParams(route.search).get("id") ?? "") : ""
        const isSigned = unsubscribes.isSigned(signedId)
        if (!isSigned) yield* buckets.anonymous(route.address)
        if (!methods.includes(incoming.method)) {
          const refused = renderRefusal(refuse("method_not_allowed"), route.requestId, { allow: methods.join(", ") })
          return { ...refused, unlimited: true }
        }
        if (incoming.method !== "POST") return page(askingPage)
        const body = yield* incoming.body(bodyLimit)
        if (body === null) return yield* refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`)
        if (!isOneClick(body)) {
          return yield* refuse("bad_request", {}, "Post the form field List-Unsubscribe=One-Click.")
        }
        if (isSigned) yield* unsubscribes.unsubscribe(signedId)
        return page(donePage)
      })

    return {
      name: "unsubscribe",
      answer: (incoming, route) =>
        Effect.catchTag(answer(incoming, route), "Refusal", (refusal) =>
          // Without rate-limit headers, which would tell valid links from others.
          refusal.code === "rate_limited"
            ? Effect.fail(refusal)
            : Effect.succeed({ ...renderRefusal(refusal, route.requestId), unlimited: true as const })
        )
    }
  }
)
