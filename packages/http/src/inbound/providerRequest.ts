import type { ProviderRequest } from "@parley/core"
import type { Place } from "../server/Annex.js"
import { headerOf, type Incoming } from "../server/Incoming.js"

/** A request as a provider gets it. `path` is what follows the connection. */
export const providerRequest = (
  incoming: Incoming,
  { address, search }: Place,
  path: string,
  body: Uint8Array
): ProviderRequest => ({
  method: incoming.method,
  path,
  // Of a parameter that is there several times, the first one wins.
  query: Object.fromEntries([...new URLSearchParams(search)].reverse()),
  headers: Object.fromEntries(Object.keys(incoming.headers).map((name) => [name, headerOf(incoming, name)])),
  body,
  address
})
