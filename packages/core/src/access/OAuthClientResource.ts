import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

const fields = {
  id: Schema.String,
  applicationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("application_id")),
  clientId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("client_id")),
  lastFour: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("last_four")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at")),
  revokedAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("revoked_at"))
}

/** An OAuth client on the wire: never its secret (decisions.md §14). */
export const OAuthClientResource = Schema.Struct(fields).annotations({ identifier: "OAuthClient" })

/** An OAuth client as it is shown once, with a new secret. */
export const IssuedOAuthClientResource = Schema.Struct({
  ...fields,
  clientSecret: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("client_secret"))
}).annotations({ identifier: "IssuedOAuthClient" })
