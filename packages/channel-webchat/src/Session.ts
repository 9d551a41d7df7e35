import { createHmac } from "node:crypto"
import { day, type Instant, matchesSecret } from "@parley/core"
import { isCustomer, type Visitor } from "./Visitor.js"

/**
 * A visitor's session. Its token has the form `<claims>.<mac>`, both base64url. The claims are JSON, `{"handle",
 * "name", "expires"}` (ms since the epoch). The mac is an HMAC-SHA256 over the connection's id and the claims.
 */
export interface Session extends Visitor {
  readonly expires: Instant
}

/**
 * The lifetime of a session, in ms. A customer's page signs the customer in on each visit, so that their session can be
 * short: it may remain on a shared computer.
 */
export const sessionLength = (handle: string): number => (isCustomer(handle) ? day : 90 * day)

/** The token of a session on a connection. */
export const signSession = (secret: string, connectionId: string, session: Session): string => {
  const { handle, name, expires } = session
  const claims = Buffer.from(JSON.stringify({ handle, name, expires })).toString("base64url")
  return `${claims}.${macOf(secret, connectionId, claims)}`
}

/** The session of a token. Null if its signature is not valid for this connection, or if it has expired. */
export const readSession = (secret: string, connectionId: string, token: string, now: Instant): Session | null => {
  const [claims = "", mac = ""] = token.split(".")
  if (!matchesSecret(mac, macOf(secret, connectionId, claims))) return null
  const session: Session = JSON.parse(Buffer.from(claims, "base64url").toString())
  return session.expires > now ? session : null
}

const macOf = (secret: string, connectionId: string, claims: string): string =>
  createHmac("sha256", secret).update(`webchat session\n${connectionId}\n${claims}`).digest("base64url")
