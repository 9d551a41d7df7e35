import { isIP } from "node:net"
import { parseUrl } from "@parley/core"
import type { AddressGuard } from "./AddressGuard.js"

const maxLength = 2_048

/**
 * Why a URL may not be registered (`must be …`), or null (docs/reference/webhooks.md#address-rules). Host names are
 * not resolved here: their addresses are checked on every connection.
 */
export const urlRefusal = (text: string, guard: AddressGuard, allowHttp: boolean): string | null => {
  const kind = allowHttp ? "must be an http or https URL" : "must be an https URL"
  if (text.length > maxLength) return "must be at most 2,048 characters"
  // The URL parser silently removes some of these characters. The URL that is stored and shown should be the one that
  // is called.
  const url = /[\s\p{Cc}]/u.test(text) ? null : parseUrl(text)
  if (url === null) return kind
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) return kind
  if (url.username !== "" || url.password !== "") return "must be without a user name and password"
  if (url.port === "0" || url.port === "25") return "must be on another port than 0 and 25"
  const host = hostOf(url)
  if (isIP(host) !== 0 && !guard.allows(host)) return "must be at a public address"
  return null
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1")
