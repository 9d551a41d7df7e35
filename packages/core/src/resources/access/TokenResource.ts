import { Schema } from "effect"
import { component, field } from "../../kernel/input/wire.js"
import { second } from "../../model/Instant.js"
import { type IssuedToken, tokenLifetime } from "./exchangeToken.js"

/** What `POST /oauth/token` answers, not wrapped in `data` (docs/reference/authentication.md#token-endpoint). */
export const TokenResource = component("AccessToken", "A token to send as `Authorization: Bearer <token>`.", {
  access_token: field(Schema.String, { examples: ["parley_at_0123456789abcdefghijklmnopqrstuv"] }),
  token_type: Schema.Literal("Bearer"),
  expires_in: field(Schema.Int.annotations({ description: "Seconds." }), { examples: [3_600] }),
  scope: field(Schema.String.annotations({ description: "The granted scopes, separated by spaces." }), {
    examples: ["messages.send messages.read"]
  })
})

export const tokenResource = ({ accessToken, text }: IssuedToken): typeof TokenResource.Type => ({
  access_token: text,
  token_type: "Bearer",
  expires_in: tokenLifetime / second,
  scope: accessToken.scopes.join(" ")
})
