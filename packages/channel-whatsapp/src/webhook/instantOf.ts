import { type Instant, second } from "@parley/core"

/** Seconds since 1970, as text. Null if they cannot be read. */
export const instantOf = (timestamp: unknown): Instant | null =>
  /^\d{1,12}$/.test(String(timestamp)) ? Number(timestamp) * second : null
