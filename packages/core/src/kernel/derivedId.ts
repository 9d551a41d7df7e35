import { createHash } from "node:crypto"
import type { Instant } from "../model/Instant.js"

/**
 * Derives a UUIDv7 from another UUIDv7 and a name: same time, remaining bits from SHA-256. Deterministic, so that
 * several writers insert one row.
 */
export const derivedId = (from: string, name: string): string => withTime(from.slice(0, 13), `${name} ${from}`)

/** Derives a UUIDv7 from a time (ms) and a name. */
export const derivedIdAt = (moment: Instant, name: string): string => {
  const time = moment.toString(16).padStart(12, "0")
  return withTime(`${time.slice(0, 8)}-${time.slice(8)}`, name)
}

const withTime = (time: string, name: string): string => {
  const hash = createHash("sha256").update(name).digest("hex")
  const variant = "89ab"[Number.parseInt(hash.slice(0, 1), 16) & 3]
  return `${time}-7${hash.slice(1, 4)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
