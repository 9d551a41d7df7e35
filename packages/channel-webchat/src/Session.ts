import { createHmac } from "node:crypto"
import { day, type Instant, matchesSecret } from "@parley/core"
import { isCustomer, type Visitor } from "./Visitor.js"

/**
 * A visitor, as far as the server vouches for them: a token of the form `<claims>.<mac>`, both base64url. The claims are JSON,
 * `{"handle", "name", "expires"}` (ms since the epoch); the mac is an HMAC-SHA256 over the connection's id and the claims.
 */
export interface Session extends Visitor {
  readonly expires: Instant
}

/**
 * How long a visitor is known who does not come back, in ms. A customer's page brings its proof each time, so that a session
 * that was left behind on somebody else's computer soon ends.
 */
export const sessionLength = (handle: string): number => (isCustomer(handle) ? day : 90 * day)

/** The token of a session on a connection. */
export const signSession = (secret: string, connectionId: string, session: Session): string => {
  const { handle, name, expires } = session
  const claims = Buffer.from(JSON.stringify({ handle, name, expires })).toString("base64url")
  return `${claims}.${macOf(secret, connectionId, claims)}`
}

/** The session of a token; null where nobody here signed it for this connection, or where it has ended. */
export const readSession = (secret: string, connectionId: string, token: string, now: Instant): Session | null => {
  const [claims = "", mac = ""] = token.split(".")
  if (!matchesSecret(mac, macOf(secret, connectionId, claims))) return null
  const session: Session = JSON.parse(Buffer.from(claims, "base64url").toString())
  return session.expires > now ? session : null
}

const macOf = (secret: string, connectionId: string, claims: string): string =>
  createHmac("sha256", secret).update(`webchat session\n${connectionId}\n${claims}`).digest("base64url")
