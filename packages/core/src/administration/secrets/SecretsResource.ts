import { Schema } from "effect"
import { component, field, wire } from "../../kernel/input/wire.js"

/** A key that values are sealed under, as `GET /secrets` shows it. */
export const SecretKeyUseResource = component("SecretKeyUse", "How much is sealed under one key.", {
  key: field(Schema.NullOr(Schema.String), {
    description: "Names the key and gives nothing of it away; null of what is no sealed secret.",
    examples: ["3fa9c1d2"]
  }),
  use: field(Schema.Literal("present", "previous", "missing"), {
    description: "`present` seals, `previous` only opens, and `missing` is not known to the host that answers."
  }),
  signingSecrets: wire("signing_secrets", Schema.Int, {
    description: "Of how many webhook endpoints.",
    examples: [40]
  }),
  credentials: field(Schema.Int, { description: "Of how many connections.", examples: [3] }),
  urls: field(Schema.Int, {
    description:
      "URLs of webhook endpoints and of workflows' calls. Under no key: from an old version, not sealed yet.",
    examples: [40]
  })
})

/**
 * What is sealed under which key: never a key, nor anything that was sealed (docs/reference/administration.md#secrets).
 */
export const SecretsResource = component(
  "Secrets",
  "What signing secrets, provider credentials and URLs of webhooks are encrypted with.",
  {
    keys: field(Schema.Array(SecretKeyUseResource), {
      description: "Those of the host that answers, also where nothing is sealed under them, then others.",
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
export const RotationResource = component("SecretsRotation", "What one step of a rotation did.", {
  key: field(Schema.String, { description: "Names the key that is sealed under now.", examples: ["3fa9c1d2"] }),
  examined: field(Schema.Int, { examples: [43] }),
  resealed: field(Schema.Int, { examples: [43] }),
  unreadable: field(Schema.Int, {
    description: "Sealed under a key that the host does not have, or altered: they stay as they are.",
    examples: [0]
  }),
  cursor: field(Schema.NullOr(Schema.String), { description: "Where the next step begins; null after the last one." })
})
