import type { HttpClientResponse } from "@effect/platform"
import { type FetchedFile, FileGone, type ProviderUnavailable, parseUrl } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { fileOf, unavailable } from "@parley/provider-kit"
import { Effect } from "effect"

/** The hosts, with their subdomains, that serve customers' files. */
const isFileHost = (host: string): boolean =>
  ["fbcdn.net", "fbsbx.com", "cdninstagram.com"].some((one) => host === one || host.endsWith(`.${one}`))

/** The maximum number of redirects of a file's URL, such as to a nearby host. */
const maxRedirects = 3

/**
 * Fetches a file by its URL, which is signed and valid for some days. No token is sent. Only Meta's hosts are
 * contacted.
 */
export const fetchFile = (
  graph: GraphApi,
  reference: string
): Effect.Effect<FetchedFile, ProviderUnavailable | FileGone> =>
  opened(graph, reference, maxRedirects).pipe(
    Effect.map((response) => fileOf(response, response.headers["content-type"] ?? null))
  )

type Response = HttpClientResponse.HttpClientResponse

const opened = (
  graph: GraphApi,
  url: string,
  redirects: number
): Effect.Effect<Response, ProviderUnavailable | FileGone> =>
  Effect.gen(function* () {
    if (!graph.isMetas(url, isFileHost)) return yield* new FileGone({ reason: "a URL of another host" })
    const response = yield* Effect.catchAll(graph.open(url), ({ reason }) => unavailable(reason))
    const { headers, status } = response
    if (status === 200) return response
    const location = status >= 300 && status < 400 ? headers.location : undefined
    const next = location === undefined || redirects === 0 ? null : parseUrl(location, url)
    if (next !== null) return yield* opened(graph, next.href, redirects - 1)
    return yield* isGone(status) ? new FileGone({ reason: `status ${status}` }) : unavailable(`status ${status}`)
  })

/** An expired URL is answered with 403. */
const isGone = (status: number): boolean => status === 403 || status === 404 || status === 410
