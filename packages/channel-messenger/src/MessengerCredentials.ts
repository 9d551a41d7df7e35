import { worded } from "@parley/core"
import { Schema } from "effect"

/** What goes into a header or is compared as it is: a blank that was pasted along is cut off. */
const secret = Schema.Trim.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,2048}$/),
  worded("must be 1 to 2048 characters of ASCII without spaces")
)

/** The `credentials` of a connection (docs/channels/messenger.md). */
export const MessengerCredentials = Schema.Struct({
  page_access_token: secret.annotations({
    title: "Page access token",
    description:
      "Of the Page, with pages_messaging and pages_manage_metadata, for Instagram also instagram_basic and instagram_manage_messages; one that does not expire."
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
export type MessengerCredentials = typeof MessengerCredentials.Type
