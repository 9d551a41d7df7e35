import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

const fields = {
  id: Schema.String,
  applicationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("application_id")),
  lastFour: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("last_four")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at")),
  revokedAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("revoked_at"))
}

/** An API key on the wire: never the key itself (decisions.md §14). */
export const ApiKeyResource = Schema.Struct(fields).annotations({ identifier: "ApiKey" })

/** An API key as it is shown once, when it is issued (spec, Authentication 1). */
export const IssuedApiKeyResource = Schema.Struct({ ...fields, key: Schema.String }).annotations({
  identifier: "IssuedApiKey"
})
