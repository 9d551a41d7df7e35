import type { TrustedProxies } from "./clientAddress.js"
import { headerOf, type Incoming } from "./Incoming.js"

/** Number of clients behind one address from which it is probably a proxy. */
const many = 10

/**
 * Detects a reverse proxy that is not trusted: without it, all callers share the rate limits of the proxy's address.
 * Returns the warning for the log, once.
 */
export const makeProxyWarning = (trusted: TrustedProxies): ((incoming: Incoming) => string | null) => {
  const clients = new Set<string>()
  let peer: string | null = null
  let warned = trusted.length > 0
  return (incoming) => {
    if (warned) return null
    const forwarded = headerOf(incoming, "x-forwarded-for")
    if (forwarded === undefined || incoming.peer === null) return null
    if (peer !== incoming.peer) clients.clear()
    peer = incoming.peer
    clients.add(forwarded.slice(0, 100))
    warned = clients.size >= many
    return warned
      ? `At least ${many} clients share the address ${peer} according to X-Forwarded-For, which is not trusted. If this is your proxy, name it in PARLEY_TRUSTED_PROXIES (trustedProxies): until then, its clients share their rate limits.`
      : null
  }
}
