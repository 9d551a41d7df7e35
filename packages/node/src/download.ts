import type { IncomingMessage, RequestOptions } from "node:http"
import type { Duplex } from "node:stream"
import { type FetchedFile, FileGone, ProviderUnavailable, parseUrl } from "@parley/core"
import { nodeRequest } from "@parley/provider-kit"
import { Effect, Stream } from "effect"
import type { buildConnector } from "undici"
import { failureMessage } from "./failureMessage.js"

/** Maximum number of redirects. */
const maxRedirects = 3

/** What a download needs. */
export interface Download {
  /** Opens the connection of each request. */
  readonly connect: buildConnector.connector
  /** Why a URL may not be fetched; null if it may. Checked for each redirect too. */
  readonly refusal: (url: string) => string | null
  /** Aborts the download when its time is over. */
  readonly signal: AbortSignal
}

/**
 * Opens the file at a URL. 4xx, refused addresses and too many redirects are `FileGone`: a retry would not help. 408,
 * 425, 429, 5xx and failures of the network are `ProviderUnavailable`.
 */
export const download = (
  url: string,
  { connect, refusal, signal }: Download,
  redirects = 0
): Effect.Effect<FetchedFile, FileGone | ProviderUnavailable> =>
  Effect.gen(function* () {
    const refused = refusal(url)
    if (refused !== null) return yield* new FileGone({ reason: `its URL ${refused}` })
    const body = yield* responseOf(new URL(url), connect, signal)
    const { headers, statusCode = 0 } = body
    if (statusCode >= 200 && statusCode < 300) {
      return {
        contentType: textOf(headers["content-type"]),
        fileName: fileNameIn(textOf(headers["content-disposition"])),
        bytes: Stream.fromAsyncIterable<Uint8Array, ProviderUnavailable>(
          body,
          (error) => new ProviderUnavailable({ reason: failureMessage(error) })
        )
      }
    }
    // The rest of the body is not read: its connection closes.
    body.on("error", () => {})
    body.destroy()
    const location = textOf(headers.location)
    const next = isRedirect(statusCode) && location !== null ? parseUrl(location, url) : null
    if (next !== null) {
      if (redirects === maxRedirects) {
        return yield* new FileGone({ reason: `its URL redirects more than ${maxRedirects} times` })
      }
      return yield* download(next.href, { connect, refusal, signal }, redirects + 1)
    }
    const reason = `its URL answered ${statusCode}`
    return yield* mayChange(statusCode) ? new ProviderUnavailable({ reason }) : new FileGone({ reason })
  })

/** The response to a GET, on a connection of its own. */
const responseOf = (
  url: URL,
  connect: buildConnector.connector,
  signal: AbortSignal
): Effect.Effect<IncomingMessage, FileGone | ProviderUnavailable> => {
  const { host, port, protocol } = url
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const target = { hostname, host, port: port || (protocol === "https:" ? "443" : "80"), protocol }
  const createConnection: RequestOptions["createConnection"] = (_, connected) => {
    connect(target, (...[error, socket]) => connected(error, socket as unknown as Duplex))
    return undefined
  }
  return nodeRequest(url, { signal, createConnection }).pipe(
    Effect.mapError((error) => unreadable(signal.aborted ? signal.reason : error))
  )
}

const unreadable = (error: unknown): FileGone | ProviderUnavailable => {
  const reason = failureMessage(error)
  return reason === "address not allowed"
    ? new FileGone({ reason: `its URL leads to an ${reason}` })
    : new ProviderUnavailable({ reason })
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const mayChange = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

const textOf = (header: string | ReadonlyArray<string> | undefined): string | null =>
  typeof header === "string" ? header : (header?.[0] ?? null)

/** The file name in a `Content-Disposition` (RFC 6266); null if it has none. */
const fileNameIn = (disposition: string | null): string | null => {
  const [, charset, encoded] = /(?:^|;)\s*filename\*=(UTF-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(disposition ?? "") ?? []
  const decoded = charset === undefined || encoded === undefined ? null : decodedName(encoded, charset)
  if (decoded !== null) return decoded
  const [, quoted, plain] = /(?:^|;)\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? "") ?? []
  return quoted?.replace(/\\(.)/g, "$1") ?? plain ?? null
}

/** A percent-encoded name (RFC 8187); null if it is malformed. */
const decodedName = (encoded: string, charset: string): string | null => {
  try {
    return /utf-8/i.test(charset) ? decodeURIComponent(encoded) : unescapedLatin1(encoded)
  } catch {
    return null
  }
}

const unescapedLatin1 = (encoded: string): string =>
  encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
