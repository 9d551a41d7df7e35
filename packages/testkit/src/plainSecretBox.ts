import { SecretBox } from "@parley/core"
import { Effect, Layer } from "effect"

const prefix = "sealed "

/**
 * A secret box that marks what it seals, without encryption, for tests of other features. It opens unsealed texts too.
 */
export const plainSecretBox: Layer.Layer<SecretBox> = Layer.succeed(SecretBox, {
  seal: (secret) => `${prefix}${secret}`,
  open: (sealed) => Effect.succeed(sealed.startsWith(prefix) ? sealed.slice(prefix.length) : sealed),
  keyIds: ["plain"],
  keyIdOf: (sealed) => (sealed.startsWith(prefix) ? "plain" : null),
  sign: (text) => `signed:${text}`,
  verifies: (text, signature) => signature === `signed:${text}`,
  signatures: (text) => [`signed:${text}`]
})
