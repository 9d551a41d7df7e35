import { type ProviderRequest, parseUrl } from "@parley/core"

type Headers = ProviderRequest["headers"]

/** What answers say of other origins; null: the request comes from a page that may not have the chat. */
export const crossOrigin = (
  allowed: ReadonlyArray<string>,
  headers: Headers
): { readonly [name: string]: string } | null => {
  if (allowed.includes("*")) return { "access-control-allow-origin": "*", ...exposed }
  const { origin } = headers
  // Programs that are no browser do not say where they come from; their token does.
  if (origin === undefined || isSameOrigin(origin, headers)) return varying
  return allowed.includes(origin) ? { "access-control-allow-origin": origin, ...exposed, ...varying } : null
}

/** The answer's headers to a browser that asks before it calls (a preflight). */
export const preflight: { readonly [name: string]: string } = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, last-event-id",
  "access-control-max-age": "7200"
}

const exposed = { "access-control-expose-headers": "retry-after, x-request-id" }
const varying = { vary: "origin" }

/** Browsers tell it themselves over TLS; else the host is compared, since a proxy in between may end the TLS. */
const isSameOrigin = (origin: string, headers: Headers): boolean =>
  headers["sec-fetch-site"] === "same-origin" || parseUrl(origin)?.host === headers.host
