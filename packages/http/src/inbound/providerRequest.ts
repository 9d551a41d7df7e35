import { type ProviderRequest, webhookUrl } from "@parley/core"
import { headerOf, type Incoming } from "../server/Incoming.js"
import type { RouteContext } from "../server/MountedHandler.js"

/** Converts a request for a provider. `path` is the path after the connection. */
export const providerRequest = (
  incoming: Incoming,
  { address, base, checkCredential, search }: RouteContext,
  connectionId: string,
  path: string,
  body: Uint8Array
): ProviderRequest => ({
  method: incoming.method,
  webhookUrl: webhookUrl(base, connectionId),
  path,
  // The first value of a repeated parameter wins.
  query: Object.fromEntries([...new URLSearchParams(search)].reverse()),
  headers: Object.fromEntries(Object.keys(incoming.headers).map((name) => [name, headerOf(incoming, name)])),
  body,
  address,
  checkCredential
})
