import { Clock, Effect } from "effect"
import { lruCache } from "../../kernel/lruCache.js"
import type { Connection } from "../../model/Connection.js"
import { hour, type Instant } from "../../model/Instant.js"

/** Number of connections whose last warning is known. */
const maxConnections = 1_000

/**
 * Creates a function that warns of requests to a connection which are not verified, once an hour for each connection: a
 * wrong secret would otherwise look as if the vendor sent nothing (docs/reference/channels.md#where-vendors-call).
 */
export const unverifiedReporter = (): ((connection: Pick<Connection, "id">) => Effect.Effect<void>) => {
  const warnedAt = lruCache<Instant>(maxConnections)
  return ({ id }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - (warnedAt.get(id) ?? Number.NEGATIVE_INFINITY) < hour) return Effect.void
      warnedAt.set(id, now)
      return Effect.logWarning(
        `a request to the webhook of connection ${id} has no valid signature, and was answered with 401. If it came from the vendor, the connection's secret is not the vendor's: compare them, such as app_secret, and correct it with parley connection update ${id}. Further ones are not logged for an hour.`
      )
    })
}
