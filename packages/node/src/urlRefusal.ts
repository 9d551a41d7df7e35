import { isIP } from "node:net"
import { parseUrl } from "@parley/core"
import type { AddressGuard } from "./AddressGuard.js"

const longest = 2_048

/**
 * Why a URL may not be registered, in our own words (`must be …`), or null (decisions.md §12). A name is not resolved here:
 * what it stands for is looked at whenever a connection is made.
 */
export const urlRefusal = (text: string, guard: AddressGuard, allowHttp: boolean): string | null => {
  const kind = allowHttp ? "must be an http or https URL" : "must be an https URL"
  if (text.length > longest) return "must be at most 2,048 characters"
  // The URL parser drops some of these silently; what is stored and shown should be what is called.
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
