import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { type TokenError, TokenInput, TokenResource } from "@parley/core"
import { Schema } from "effect"
import { OwnErrors } from "./OwnErrors.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { TokenFailure } from "./TokenFailure.js"

/** The same fields, as forms have them. */
const TokenForm = HttpApiSchema.withEncoding(
  TokenInput as unknown as Schema.Schema<TokenInput, { readonly [name: string]: string }>,
  { kind: "UrlParams" }
).annotations({ identifier: "TokenForm" })

const failure = (error: TokenError, error_description: string) => ({ [error]: { error, error_description } })

const byStatus = {
  400: {
    ...failure("invalid_request", "grant_type is required."),
    ...failure("unsupported_grant_type", "grant_type must be client_credentials."),
    ...failure("invalid_scope", "The application does not hold this scope.")
  },
  401: failure("invalid_client", "The client is unknown, or its secret is wrong."),
  405: failure("invalid_request", "Method unsupported for the route."),
  413: failure("invalid_request", "Payload too large."),
  429: failure("temporarily_unavailable", "Too many requests."),
  500: failure("server_error", "Unexpected error."),
  503: failure("temporarily_unavailable", "Temporarily unavailable.")
}

/**
 * Access tokens (docs/reference/authentication.md#token-endpoint). It needs no credential, and answers in OAuth's
 * shapes instead of the envelopes.
 */
export const OAuthGroup = HttpApiGroup.make("oauth")
  .add(
    HttpApiEndpoint.post("exchange")`/oauth/token`
      .setPayload(Schema.Union(TokenInput, TokenForm))
      .addSuccess(TokenResource)
      .annotate(OwnErrors, { schema: TokenFailure, byStatus })
      .annotate(RequiredScopes, [])
      .annotate(OpenApi.Summary, "Exchange client credentials for an access token")
      .annotate(
        OpenApi.Description,
        "The token lives for an hour; there is no refresh token. `client_id` and `client_secret` may be sent as HTTP Basic credentials instead."
      )
  )
  .annotate(OpenApi.Title, "OAuth")
  .annotate(
    OpenApi.Description,
    "Access tokens, for applications that have a client id and secret instead of an API key."
  )
