import { component, field, TokenError } from "@parley/core"
import { Schema } from "effect"

/**
 * The form of errors of the token endpoint (docs/reference/authentication.md#token-endpoint-errors; RFC 6749,
 * section 5.2).
 */
export const TokenFailure = component("TokenFailure", "An error of the token endpoint.", {
  error: field(TokenError, { description: "Branch on this.", examples: ["invalid_client"] }),
  error_description: field(Schema.String, { examples: ["The client or its secret is not valid."] })
})
export type TokenFailure = typeof TokenFailure.Type
