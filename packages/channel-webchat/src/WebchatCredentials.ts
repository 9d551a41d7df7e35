import { randomBytes } from "node:crypto"
import { given, withMessage } from "@parley/core"
import { Schema } from "effect"

const secret = Schema.String.pipe(
  Schema.filter((text) => text.length >= 32 && text.length <= 200),
  withMessage("must be 32 to 200 characters"),
  Schema.annotations({ jsonSchema: { type: "string", minLength: 32, maxLength: 200 } })
)

/** The `credentials` of a web chat connection. */
export const WebchatCredentials = Schema.Struct({
  visitor_secret: Schema.optionalWith(secret, { default: () => randomBytes(32).toString("base64url") }).annotations({
    title: "Visitor secret",
    description: "Signs the visitors' sessions; another one ends them all. Made by itself where it is left out."
  }),
  identity_secret: given(secret).annotations({
    title: "Identity secret",
    description: "With it the site's own server signs who a visitor is. Without it every visitor is anonymous."
  })
}).annotations({ identifier: "WebchatCredentials" })
export type WebchatCredentials = typeof WebchatCredentials.Type
