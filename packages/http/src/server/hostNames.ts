import { parseUrl, type Refusal, refuse } from "@parley/core"
import ipaddr from "ipaddr.js"
import { headerOf, type Incoming } from "./Incoming.js"

const hostnameOf = (host: string): string =>
  parseUrl(`http://${host}`)
    ?.hostname.replace(/^\[|\]$/g, "")
    .replace(/\.$/, "") ?? ""

/**
 * Whether the value of a `Host` header is a name that no public DNS server answers for: an address, `localhost`, or a
 * name without a dot. A page of another site cannot make a browser send these for its own address (DNS rebinding).
 */
export const isLocalHost = (host: string): boolean => {
  const hostname = hostnameOf(host)
  return hostname !== "" && (ipaddr.isValid(hostname) || !hostname.includes(".") || hostname.endsWith(".localhost"))
}

/**
 * Refuses requests that a page of another site may have made a browser send
 * (docs/reference/administration.md#host-and-origin). `allowed` are the names of this service, beyond those of
 * {@link isLocalHost}. Null: not refused.
 */
export const foreignHost = (incoming: Incoming, allowed: ReadonlyArray<string>): Refusal | null => {
  const host = headerOf(incoming, "host") ?? ""
  const isAllowed = (name: string) => allowed.includes(hostnameOf(name))
  if (!isLocalHost(host) && !isAllowed(host)) {
    return refuse(
      "forbidden",
      { Host: ["must be an address, a name without a dot, or a name of this service"] },
      "The admin API is not served under this host name. Set PARLEY_ADMIN_HOSTS, or PARLEY_PUBLIC_URL, to it."
    )
  }
  const origin = headerOf(incoming, "origin")
  const from = origin === undefined ? null : parseUrl(origin)
  return origin === undefined || (from !== null && (from.host === host || isAllowed(from.host)))
    ? null
    : refuse(
        "forbidden",
        { Origin: ["must be that of this service"] },
        "The admin API takes no requests of other sites' pages. If this is your page, set PARLEY_ADMIN_HOSTS to its host name."
      )
}
