import { SecretBox } from "@parley/core"
import { Effect, Layer } from "effect"

/** A secret box without encryption, for tests of other features. */
export const plainSecretBox: Layer.Layer<SecretBox> = Layer.succeed(SecretBox, {
  seal: (secret) => secret,
  open: Effect.succeed,
  keyIds: ["plain"],
  keyIdOf: () => "plain",
  sign: (text) => `signed:${text}`,
  verifies: (text, signature) => signature === `signed:${text}`,
  signatures: (text) => [`signed:${text}`]
})
