import { Effect } from "effect"

/**
 * URLs of webhook endpoints are sealed. SQL cannot seal: rows written before stay readable, and `parley secrets rotate`
 * seals them. The version keeps hosts that would take sealed text for a URL from starting.
 */
export const sealedUrls = Effect.void
