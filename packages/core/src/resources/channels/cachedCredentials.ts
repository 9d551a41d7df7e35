import { Effect } from "effect"
import { lruCache } from "../../kernel/lruCache.js"
import type { Connection } from "../../model/Connection.js"
import type { SecretBox, SecretUnreadable } from "../../ports/SecretBox.js"
import { openCredentials } from "./openCredentials.js"

/** Maximum number of cached credentials. */
const maxConnections = 1_000

/**
 * {@link openCredentials} with a cache, for callers that open the same connection often. The key is the encrypted text,
 * so changed credentials miss the cache; a hit returns the same object.
 */
export const cachedCredentials = (
  secretBox: Pick<SecretBox, "open">
): ((connection: Pick<Connection, "credentials">) => Effect.Effect<unknown, SecretUnreadable>) => {
  const opened = lruCache<object>(maxConnections)
  return (connection) => {
    const { credentials: sealed } = connection
    if (sealed === null) return Effect.succeed(null)
    const known = opened.get(sealed)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(openCredentials(secretBox, connection), (credentials) =>
      Effect.sync(() => {
        if (typeof credentials === "object" && credentials !== null) opened.set(sealed, credentials)
      })
    )
  }
}
