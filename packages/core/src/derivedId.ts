import { createHash } from "node:crypto"

/**
 * A UUIDv7 of the time of another one, whose rest follows from that one and a name: whoever derives it, and however often,
 * means the same row.
 */
export const derivedId = (from: string, name: string): string => {
  const hash = createHash("sha256").update(`${name} ${from}`).digest("hex")
  const variant = "89ab"[Number.parseInt(hash.slice(0, 1), 16) & 3]
  return `${from.slice(0, 13)}-7${hash.slice(1, 4)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
