import { type CommitError, Files, type LinkedFile, RateBuckets, type Refusal, refuse } from "@parley/core"
import { Effect, Stream } from "effect"
import type { Annex, Place } from "../server/Annex.js"
import type { Body, Incoming } from "../server/Incoming.js"
import { type Outcome, refused } from "../server/Outcome.js"
import { contentDisposition } from "./contentDisposition.js"

const methods = ["GET", "HEAD"]

/**
 * `/media/{attachment}?expires&signature`: the file of a message, for whoever has its link (decisions.md §8). 403 where the
 * link is not ours or no longer good, 404 where the file is gone or could not be had, 503 while it is on its way. Who is
 * refused draws on the bucket of their address; who has a link draws on nothing.
 */
export const mediaAnnex: Effect.Effect<Annex, never, Files | RateBuckets> = Effect.gen(function* () {
  const files = yield* Files
  const buckets = yield* RateBuckets

  const answer = (incoming: Incoming, place: Place): Effect.Effect<Outcome<Body>, Refusal | CommitError> =>
    Effect.gen(function* () {
      const id = idIn(place.path)
      if (id === null) return yield* refuse("not_found")
      if (!methods.includes(incoming.method)) {
        yield* buckets.anonymous(place.address)
        return refused(refuse("method_not_allowed"), place.requestId, { allow: methods.join(", ") })
      }
      const query = new URLSearchParams(place.search)
      return answerOf(yield* files.open(id, query.get("expires") ?? "", query.get("signature") ?? ""))
    })

  return {
    name: "media",
    answer: (incoming, place) =>
      Effect.catchTag(answer(incoming, place), "Refusal", (refusal) =>
        refusal.code === "service_unavailable" || refusal.code === "rate_limited"
          ? refusal
          : Effect.zipRight(buckets.anonymous(place.address), refusal)
      )
  }
})

/** What customers sent is never more than bytes here: no browser may take it for a page of ours, or run what is in it. */
const answerOf = ({ bytes, contentType, fileName, size }: LinkedFile): Outcome<Body> => ({
  status: 200,
  headers: {
    "content-type": contentType,
    "content-length": String(size),
    "content-disposition": contentDisposition(contentType, fileName),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "private, max-age=300"
  },
  // The head is out by then: all that is left is to break off, so that nobody takes the part for the whole.
  body: Stream.orDie(Stream.tapError(bytes, ({ reason }) => Effect.logWarning(`a file broke off: ${reason}`))),
  code: null,
  unlimited: true
})

const idIn = (path: string): string | null =>
  /^\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i.exec(path)?.[1]?.toLowerCase() ?? null
