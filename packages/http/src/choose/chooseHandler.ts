import { ChoiceLinks, type CommitError, RateBuckets, type Refusal, refuse } from "@parley/core"
import { Effect } from "effect"
import { type HttpOutcome, renderRefusal } from "../server/HttpOutcome.js"
import type { Incoming } from "../server/Incoming.js"
import type { MountedHandler, RouteContext } from "../server/MountedHandler.js"
import { page } from "../server/page.js"
import { chosenPage, questionPage, unknownPage } from "./pages.js"

const methods = ["GET", "HEAD", "POST"]

/** Maximum size of a request body in bytes: one form field. */
const bodyLimit = 1_024

/**
 * `/choose?id={signed id}`: the link in a mail with choices (docs/reference/email.md#choices). A GET shows the question
 * with a button for each option and changes nothing, because mail scanners fetch links. A POST with `option` stores the
 * choice. Each request takes a rate token of the client address.
 */
export const chooseHandler: Effect.Effect<MountedHandler, never, ChoiceLinks | RateBuckets> = Effect.gen(function* () {
  const links = yield* ChoiceLinks
  const buckets = yield* RateBuckets

  const answer = (incoming: Incoming, route: RouteContext): Effect.Effect<HttpOutcome, Refusal | CommitError> =>
    Effect.gen(function* () {
      yield* buckets.anonymous(route.address)
      if (!methods.includes(incoming.method)) {
        const refused = renderRefusal(refuse("method_not_allowed"), route.requestId, { allow: methods.join(", ") })
        return { ...refused, unlimited: true }
      }
      const signedId = route.path === "" ? (new URLSearchParams(route.search).get("id") ?? "") : ""
      if (incoming.method !== "POST") {
        const question = yield* links.question(signedId)
        return question === null ? unknown : page(questionPage(question))
      }
      const body = yield* incoming.body(bodyLimit)
      if (body === null) return yield* refuse("payload_too_large", {}, `The body must be at most ${bodyLimit} bytes.`)
      const option = new URLSearchParams(Buffer.from(body).toString("latin1")).get("option") ?? ""
      if (!/^[1-9]\d{0,2}$/.test(option)) return yield* refuse("bad_request", {}, "Post the form field option.")
      const title = yield* links.choose(signedId, Number(option))
      return title === null ? unknown : page(chosenPage(title))
    })

  return { name: "choose", answer }
})

const unknown = page(unknownPage, 404)
