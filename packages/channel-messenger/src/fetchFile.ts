import type { HttpClientResponse } from "@effect/platform"
import { type FetchedFile, FileGone, ProviderUnavailable, parseUrl, second } from "@parley/core"
import { Duration, Effect, Stream } from "effect"
import { failureReason } from "./failureReason.js"
import type { GraphApi } from "./GraphApi.js"

/** Where Meta keeps customers' files: these hosts and those below them. */
const fileHosts = ["fbcdn.net", "fbsbx.com", "cdninstagram.com"]

/** Of a file's URL, such as to the host that is near. */
const mostRedirects = 3

/** How long a file may stand still on its way. */
const patience = 30 * second

/** A file by its URL, which is signed and good for some days: it needs no token, and gets none. Only Meta's hosts are asked. */
export const fetchFile = (
  graph: GraphApi,
  reference: string
): Effect.Effect<FetchedFile, ProviderUnavailable | FileGone> =>
  opened(graph, reference, mostRedirects).pipe(
    Effect.map(({ headers, stream }) => ({
      contentType: headers["content-type"] ?? null,
      fileName: null,
      bytes: stream.pipe(
        Stream.mapError(() => unavailable("the file broke off")),
        Stream.timeoutFail(() => unavailable("the file stood still"), Duration.millis(patience))
      )
    }))
  )

type Response = HttpClientResponse.HttpClientResponse

const opened = (
  graph: GraphApi,
  url: string,
  redirects: number
): Effect.Effect<Response, ProviderUnavailable | FileGone> =>
  Effect.gen(function* () {
    if (!isMetas(graph, url)) return yield* new FileGone({ reason: "a URL of another host" })
    const response = yield* Effect.mapError(graph.open(url), (failure) => unavailable(failureReason(failure)))
    const { headers, status } = response
    if (status === 200) return response
    const location = status >= 300 && status < 400 ? headers.location : undefined
    const next = location === undefined || redirects === 0 ? null : parseUrl(location, url)
    if (next !== null) return yield* opened(graph, next.href, redirects - 1)
    return yield* isGone(status) ? new FileGone({ reason: `status ${status}` }) : unavailable(`status ${status}`)
  })

/** A URL whose time is over is answered with 403. */
const isGone = (status: number): boolean => status === 403 || status === 404 || status === 410

const unavailable = (reason: string): ProviderUnavailable => new ProviderUnavailable({ reason })

const isMetas = (graph: GraphApi, text: string): boolean => {
  const url = parseUrl(text)
  if (url === null) return false
  const { host, origin, protocol } = url
  return (
    origin === graph.origin ||
    (protocol === "https:" && fileHosts.some((one) => host === one || host.endsWith(`.${one}`)))
  )
}
