import { Schema } from "effect"
import { component, field, wire } from "../../kernel/input/wire.js"

/** A key that values are sealed under, as `GET /secrets` shows it. */
export const SecretKeyUseResource = component("SecretKeyUse", "Number of values encrypted under one key.", {
  key: field(Schema.NullOr(Schema.String), {
    description: "The key's id, which reveals nothing about the key; null for values that are not encrypted.",
    examples: ["3fa9c1d2"]
  }),
  use: field(Schema.Literal("present", "previous", "missing"), {
    description: "`present` encrypts, `previous` only decrypts, and `missing` is unknown to the responding host."
  }),
  signingSecrets: wire("signing_secrets", Schema.Int, {
    description: "Number of webhook endpoints.",
    examples: [40]
  }),
  credentials: field(Schema.Int, { description: "Number of connections.", examples: [3] }),
  urls: field(Schema.Int, {
    description:
      "URLs of webhook endpoints and of workflows' calls. Without a key: from an old version, not encrypted yet.",
    examples: [40]
  })
})

/**
 * What is sealed under which key: never a key, nor anything that was sealed (docs/reference/administration.md#secrets).
 */
export const SecretsResource = component(
  "Secrets",
  "The keys that encrypt signing secrets, provider credentials and URLs of webhooks.",
  {
    keys: field(Schema.Array(SecretKeyUseResource), {
      description: "Those of the responding host, also if they encrypt nothing, then others.",
      examples: [
        [
          { key: "3fa9c1d2", use: "present", signingSecrets: 40, credentials: 3, urls: 40 },
          { key: "9b04e7aa", use: "previous", signingSecrets: 0, credentials: 0, urls: 0 }
        ]
      ]
    })
  }
)

/** What a step of `POST /secrets/rotate` did. */
export const RotationResource = component("SecretsRotation", "Result of one step of a rotation.", {
  key: field(Schema.String, { description: "Id of the key that encrypts now.", examples: ["3fa9c1d2"] }),
  examined: field(Schema.Int, { examples: [43] }),
  resealed: field(Schema.Int, { examples: [43] }),
  unreadable: field(Schema.Int, {
    description: "Number of values under a key that the host does not have, or altered values; they stay unchanged.",
    examples: [0]
  }),
  cursor: field(Schema.NullOr(Schema.String), { description: "Cursor of the next step; null after the last one." })
})
