import { Clock, Effect } from "effect"
import { lruCache } from "../../kernel/lruCache.js"
import type { Connection } from "../../model/Connection.js"
import { hour, type Instant } from "../../model/Instant.js"

/** Number of connections whose last warning of a kind is known. */
const maxConnections = 1_000

/** What is wrong with a request to the webhook of a connection, and what to compare. */
const faults = {
  signature: {
    text: "has no valid signature, and was answered with 401",
    advice: "the connection's secret is not the vendor's: compare them, such as app_secret"
  },
  challenge: {
    text: "asks for the check of its URL and was refused with 403",
    advice: "the token entered there is not the connection's: compare them, such as verify_token"
  }
}
type Fault = keyof typeof faults

/**
 * Creates a function that warns of requests to a connection which are not verified, once an hour for each connection
 * and fault: a wrong secret would otherwise look as if the vendor sent nothing
 * (docs/reference/channels.md#where-vendors-call).
 */
export const unverifiedReporter = (): ((connection: Pick<Connection, "id">, fault: Fault) => Effect.Effect<void>) => {
  const warnedAt = { signature: lruCache<Instant>(maxConnections), challenge: lruCache<Instant>(maxConnections) }
  return ({ id }, fault) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - (warnedAt[fault].get(id) ?? Number.NEGATIVE_INFINITY) < hour) return Effect.void
      warnedAt[fault].set(id, now)
      const { advice, text } = faults[fault]
      return Effect.logWarning(
        `a request to the webhook of connection ${id} ${text}. If it came from the vendor, ${advice}, and correct it with parley connection update ${id}. Further ones are not logged for an hour.`
      )
    })
}
