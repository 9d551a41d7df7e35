import { type FetchedFile, FileGone, ProviderUnavailable, parseUrl, second } from "@parley/core"
import { Duration, Effect, Schema, Stream } from "effect"
import { failureReason } from "./failureReason.js"
import type { GraphApi, GraphFailure } from "./GraphApi.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

const readMedia = Schema.decodeUnknown(
  Schema.Struct({ url: Schema.NonEmptyString, mime_type: Schema.optional(Schema.String) })
)

/** Where Meta keeps files, besides the Graph API itself. The token goes to no other host. */
const fileHost = "lookaside.fbsbx.com"

/** How long a file may stand still on its way. */
const patience = 30 * second

/**
 * A file by its media id: `GET /{media id}` tells the URL, which is good for five minutes and wants the token too. Redirects are
 * not followed.
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
    const { mime_type, url } = yield* Effect.mapError(readMedia(answer), () => unavailable("an answer without a URL"))
    if (!mayHaveToken(graph, url)) return yield* unavailable("a URL of another host")
    const response = yield* Effect.mapError(graph.open(token, url), (failure) => unavailable(failureReason(failure)))
    if (response.status !== 200) return yield* unavailable(`status ${response.status} for the file`)
    return {
      contentType: mime_type ?? null,
      fileName: null,
      bytes: response.stream.pipe(
        Stream.mapError(() => unavailable("the file broke off")),
        Stream.timeoutFail(() => unavailable("the file stood still"), Duration.millis(patience))
      )
    }
  })

const unavailable = (reason: string): ProviderUnavailable => new ProviderUnavailable({ reason })

/** Meta keeps files of customers for 30 days; then their ids are like those of nothing. */
const mediaFailure = (failure: GraphFailure): ProviderUnavailable | FileGone =>
  failure._tag === "Refused" && failure.error !== null && (failure.error.code === 100 || failure.status === 404)
    ? new FileGone({ reason: failureReason(failure) })
    : unavailable(failureReason(failure))

const mayHaveToken = (graph: GraphApi, text: string): boolean => {
  const url = parseUrl(text)
  if (url === null) return false
  const { host, origin, protocol } = url
  return origin === graph.origin || (protocol === "https:" && host === fileHost)
}
