import { Schema } from "effect"

/** A key that values are sealed under, as `GET /secrets` shows it. */
export const SecretKeyUseResource = Schema.Struct({
  key: Schema.NullOr(Schema.String),
  use: Schema.Literal("present", "previous", "missing"),
  signingSecrets: Schema.propertySignature(Schema.Int).pipe(Schema.fromKey("signing_secrets")),
  credentials: Schema.Int
}).annotations({ identifier: "SecretKeyUse" })

/** What is sealed under which key: never a key, nor anything that was sealed (decisions.md §14). */
export const SecretsResource = Schema.Struct({ keys: Schema.Array(SecretKeyUseResource) }).annotations({
  identifier: "Secrets"
})

/** What a step of `POST /secrets/rotate` did. */
export const RotationResource = Schema.Struct({
  key: Schema.String,
  examined: Schema.Int,
  resealed: Schema.Int,
  unreadable: Schema.Int,
  cursor: Schema.NullOr(Schema.String)
}).annotations({ identifier: "SecretsRotation" })
