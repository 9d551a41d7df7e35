import { worded } from "@parley/core"
import { Schema } from "effect"

/** What goes into a header or is compared as it is: a blank that was pasted along is cut off. */
const secret = Schema.Trim.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,2048}$/),
  worded("must be 1 to 2048 characters of ASCII without spaces")
)

/** The `credentials` of a connection (docs/channels/whatsapp.md). */
export const WhatsAppCredentials = Schema.Struct({
  access_token: secret.annotations({
    title: "Access token",
    description:
      "Of a system user with whatsapp_business_messaging and whatsapp_business_management; one that does not expire."
  }),
  app_secret: secret.annotations({
    title: "App secret",
    description: "From App settings, Basic: proves that Meta sent what comes to the webhook."
  }),
  verify_token: secret.annotations({
    title: "Verify token",
    description: "Any text of your own, such as 32 random characters; Meta shows it when it checks the webhook's URL."
  })
})
export type WhatsAppCredentials = typeof WhatsAppCredentials.Type
