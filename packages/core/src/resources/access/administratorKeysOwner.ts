import { hash } from "node:crypto"
import { byAdministrator } from "../../model/AuditEntry.js"

/** The id of nothing. */
export const noId = "00000000-0000-0000-0000-000000000000"

/**
 * Administrators have no application. Their records have an id of the actor instead: zeros for the bare admin token.
 */
export const administratorKeysOwner = (actor: string): string => {
  if (actor === byAdministrator) return noId
  const digest = hash("sha256", actor)
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32)
  ].join("-")
}
