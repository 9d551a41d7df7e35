import { type ProviderRequest, parseUrl } from "@parley/core"

type Headers = ProviderRequest["headers"]

/** The CORS headers of an answer; null: the origin of the page is not allowed. */
export const crossOrigin = (
  allowed: ReadonlyArray<string>,
  headers: Headers
): { readonly [name: string]: string } | null => {
  if (allowed.includes("*")) return { "access-control-allow-origin": "*", ...exposed }
  const { origin } = headers
  // Clients other than browsers send no origin. Their token is checked.
  if (origin === undefined || isSameOrigin(origin, headers)) return varying
  return allowed.includes(origin) ? { "access-control-allow-origin": origin, ...exposed, ...varying } : null
}

/** The headers of the answer to a preflight request. */
export const preflight: { readonly [name: string]: string } = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, last-event-id",
  "access-control-max-age": "7200"
}

const exposed = { "access-control-expose-headers": "retry-after, x-request-id" }
const varying = { vary: "origin" }

/** Over TLS, browsers send `Sec-Fetch-Site`. Otherwise only the host is compared, since a proxy may terminate TLS. */
const isSameOrigin = (origin: string, headers: Headers): boolean =>
  headers["sec-fetch-site"] === "same-origin" || parseUrl(origin)?.host === headers.host
