import { Schema } from "effect"
import { second } from "../Instant.js"
import { type IssuedToken, tokenLifetime } from "./exchangeToken.js"

/** What `POST /oauth/token` answers, not wrapped in `data` (spec). */
export const TokenResource = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  expires_in: Schema.Int.annotations({ description: "Seconds." }),
  scope: Schema.String.annotations({ description: "The granted scopes, separated by spaces." })
}).annotations({ identifier: "AccessToken" })

export const tokenResource = ({ accessToken, text }: IssuedToken): typeof TokenResource.Type => ({
  access_token: text,
  token_type: "Bearer",
  expires_in: tokenLifetime / second,
  scope: accessToken.scopes.join(" ")
})
