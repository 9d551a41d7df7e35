import { type FetchedFile, FileGone, ProviderUnavailable } from "@parley/core"
import type { GraphApi, GraphFailure } from "@parley/meta-graph"
import { fileOf, unavailable } from "@parley/provider-kit"
import { Effect, Schema } from "effect"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

const readMedia = Schema.decodeUnknown(
  Schema.Struct({ url: Schema.NonEmptyString, mime_type: Schema.optional(Schema.String) })
)

/** The host that serves files besides the Graph API. The token is sent to no other host. */
const fileHost = "lookaside.fbsbx.com"

/**
 * Fetches a file by its media id: `GET /{media id}` returns the URL, which is valid for five minutes and requires the
 * token too. Redirects are not followed.
 */
export const fetchFile = (
  graph: GraphApi,
  { config, credentials: { access_token: token } }: WhatsAppAccount,
  reference: string
): Effect.Effect<FetchedFile, ProviderUnavailable | FileGone> =>
  Effect.gen(function* () {
    if (!/^[\w-]{1,100}$/.test(reference)) return yield* new FileGone({ reason: "not a media id" })
    const query = { phone_number_id: config.phone_number_id }
    const answer = yield* graph.call(token, { path: `/${reference}`, query }).pipe(Effect.mapError(mediaFailure))
    const { mime_type, url } = yield* Effect.orElse(readMedia(answer), () => unavailable("an answer without a URL"))
    if (!graph.isMetas(url, (host) => host === fileHost)) return yield* unavailable("a URL of another host")
    const response = yield* Effect.catchAll(graph.open(url, token), ({ reason }) => unavailable(reason))
    if (response.status !== 200) return yield* unavailable(`status ${response.status} for the file`)
    return fileOf(response, mime_type ?? null)
  })

/** Meta keeps customers' files for 30 days. After that, the error equals that of an unknown id. */
const mediaFailure = (failure: GraphFailure): ProviderUnavailable | FileGone =>
  failure._tag === "Refused" && failure.error !== null && (failure.error.code === 100 || failure.status === 404)
    ? new FileGone({ reason: failure.reason })
    : new ProviderUnavailable({ reason: failure.reason })
