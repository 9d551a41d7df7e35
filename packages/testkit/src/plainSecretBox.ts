import { SecretBox } from "@parley/core"
import { Effect, Layer } from "effect"

/** A secret box that encrypts nothing, for tests that are about something else. */
export const plainSecretBox: Layer.Layer<SecretBox> = Layer.succeed(SecretBox, {
  seal: (secret) => secret,
  open: Effect.succeed,
  keyIds: ["plain"],
  keyIdOf: () => "plain",
  sign: (text) => `signed:${text}`,
  verifies: (text, signature) => signature === `signed:${text}`
})
