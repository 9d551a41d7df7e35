import { Schema } from "effect"
import { draft } from "../input/Draft.js"
import { optionalText, requiredText } from "../input/Fields.js"

/** The one way to get a token. */
export const grantType = "client_credentials"

/** The body of `POST /oauth/token` (spec). `grant_type` is any text here: another one has an error of its own. */
export const TokenInput = Schema.Struct({
  grantType: Schema.propertySignature(
    requiredText(255).annotations({ jsonSchema: { type: "string", enum: [grantType] } })
  ).pipe(Schema.fromKey("grant_type")),
  clientId: Schema.propertySignature(requiredText(255)).pipe(Schema.fromKey("client_id")),
  clientSecret: Schema.propertySignature(requiredText(255)).pipe(Schema.fromKey("client_secret")),
  scope: optionalText(1_000)
}).annotations({ identifier: "TokenInput" })
export type TokenInput = typeof TokenInput.Type

export const tokenDraft = draft(TokenInput)
