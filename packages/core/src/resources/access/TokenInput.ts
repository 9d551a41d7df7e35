import { optionalText, requiredText } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { samples } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"

/** The one way to get a token. */
export const grantType = "client_credentials"

/**
 * The body of `POST /oauth/token` (docs/reference/authentication.md#token-endpoint). `grant_type` is any text here:
 * another one has an error of its own.
 */
export const TokenInput = component("TokenInput", "Client credentials.", {
  grantType: wire("grant_type", requiredText(255).annotations({ jsonSchema: { type: "string", enum: [grantType] } })),
  clientId: wire("client_id", requiredText(255), { examples: [samples.clientId] }),
  clientSecret: wire("client_secret", requiredText(255), { examples: [samples.clientSecret] }),
  scope: field(optionalText(1_000), {
    description: "A subset of the application's scopes, separated by spaces. Default: all of them.",
    examples: ["messages.send messages.read"]
  })
})
export type TokenInput = typeof TokenInput.Type

export const decodeTokenInput = partialDecode(TokenInput)
