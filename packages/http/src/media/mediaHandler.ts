import { type CommitError, Files, type LinkedFile, RateBuckets, type Refusal, refuse } from "@parley/core"
import { Effect, Stream } from "effect"
import { type HttpOutcome, rangeNotSatisfiable, renderRefusal } from "../server/HttpOutcome.js"
import type { Body, Incoming } from "../server/Incoming.js"
import type { MountedHandler, RouteContext } from "../server/MountedHandler.js"
import { type Range, rangeOf, sliced } from "./byteRange.js"
import { contentDisposition } from "./contentDisposition.js"

const methods = ["GET", "HEAD"]

/**
 * `/media/{attachment}?expires&signature`: the file of a message, for holders of a signed link
 * (docs/reference/messages.md#attachment-links). 403 if the link is invalid or expired, 404 if the file is deleted or
 * could not be fetched, 503 while it is being fetched. Refused requests take a rate token of the client address; valid
 * links take none.
 */
export const mediaHandler: Effect.Effect<MountedHandler, never, Files | RateBuckets> = Effect.gen(function* () {
  const files = yield* Files
  const buckets = yield* RateBuckets

  const answer = (incoming: Incoming, route: RouteContext): Effect.Effect<HttpOutcome<Body>, Refusal | CommitError> =>
    Effect.gen(function* () {
      const id = idIn(route.path)
      if (id === null) return yield* refuse("not_found")
      if (!methods.includes(incoming.method)) {
        yield* buckets.anonymous(route.address)
        return renderRefusal(refuse("method_not_allowed"), route.requestId, { allow: methods.join(", ") })
      }
      const query = new URLSearchParams(route.search)
      const file = yield* files.open(id, query.get("expires") ?? "", query.get("signature") ?? "")
      const range = rangeOf(incoming, file.size)
      return range === "unsatisfiable"
        ? { ...rangeNotSatisfiable(route.requestId, file.size), unlimited: true }
        : answerOf(file, range)
    })

  return {
    name: "media",
    answer: (incoming, route) =>
      Effect.catchTag(answer(incoming, route), "Refusal", (refusal) =>
        refusal.code === "service_unavailable" || refusal.code === "rate_limited"
          ? refusal
          : Effect.zipRight(buckets.anonymous(route.address), refusal)
      )
  }
})

/**
 * Customers' files are untrusted: these headers keep browsers from rendering them as pages of this origin or from
 * running scripts in them.
 */
const answerOf = (file: LinkedFile, range: Range | null): HttpOutcome<Body> => ({
  status: range === null ? 200 : 206,
  headers: {
    "content-type": file.contentType,
    "accept-ranges": "bytes",
    ...(range === null
      ? { "content-length": String(file.size) }
      : {
          "content-length": String(range.end - range.start),
          "content-range": `bytes ${range.start}-${range.end - 1}/${file.size}`
        }),
    "content-disposition": contentDisposition(file.contentType, file.fileName),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "private, max-age=300"
  },
  // The head is already sent: abort the stream, so that the client does not take a truncated file for a complete one.
  body: Stream.orDie(
    Stream.tapError(range === null ? file.bytes : sliced(file, range), ({ reason }) =>
      Effect.logWarning(`Reading a file failed after its response began: ${reason}`)
    )
  ),
  code: null,
  unlimited: true
})

const idIn = (path: string): string | null =>
  /^\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i.exec(path)?.[1]?.toLowerCase() ?? null
