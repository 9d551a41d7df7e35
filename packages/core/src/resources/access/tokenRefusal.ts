import { Schema } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"

/** Error codes of the token endpoint (RFC 6749, section 5.2; the last two: section 4.1.2.1). */
export const TokenError = Schema.Literal(
  "invalid_request",
  "invalid_client",
  "unsupported_grant_type",
  "invalid_scope",
  "temporarily_unavailable",
  "server_error"
)
export type TokenError = typeof TokenError.Type

/**
 * A refusal of the token endpoint: `unauthenticated` for `invalid_client`, else `bad_request`, with the OAuth error
 * code in `details.error`. The message becomes `error_description`: ASCII without `"` and `\`.
 */
export const refuseToken = (
  error: Exclude<TokenError, "temporarily_unavailable" | "server_error">,
  message: string
): Refusal => refuse(error === "invalid_client" ? "unauthenticated" : "bad_request", { error }, message)

/** The OAuth error code of a refusal, either of {@link refuseToken} or of an earlier check. */
export const tokenErrorOf = ({ code, details }: Refusal): TokenError => {
  if (isTokenError(details.error)) return details.error
  switch (code) {
    case "rate_limited":
    case "service_unavailable":
      return "temporarily_unavailable"
    case "internal_error":
      return "server_error"
    default:
      return "invalid_request"
  }
}

const isTokenError = Schema.is(TokenError)
