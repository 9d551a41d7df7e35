import { createHmac } from "node:crypto"
import { withMessage } from "@parley/core"
import { Schema } from "effect"

/** An id of Meta's: digits only, since it becomes part of paths of the Graph API. */
export const metaId = Schema.String.pipe(
  Schema.pattern(/^[0-9]{1,32}$/),
  withMessage("must be an id of Meta's: digits alone")
)

/** A credential that is sent in a header or compared: surrounding white space, as from pasting, is removed. */
export const metaSecret = Schema.Trim.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,2048}$/),
  withMessage("must be 1 to 2048 characters of ASCII without spaces")
)

/** The credentials of an app's webhook. */
export const webhookCredentials = {
  app_secret: metaSecret.annotations({
    title: "App secret",
    description: "From App settings, Basic: proves that Meta sent what comes to the webhook."
  }),
  verify_token: metaSecret.annotations({
    title: "Verify token",
    description: "Any text of your own, such as 32 random characters; Meta shows it when it checks the webhook's URL."
  })
}

/**
 * The `appsecret_proof` of a call: with it, the call also fails if the app secret does not belong to the token's app.
 */
export const appSecretProof = (appSecret: string, token: string): string =>
  createHmac("sha256", appSecret).update(token).digest("hex")
