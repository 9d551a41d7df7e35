import { metaSecret, webhookCredentials } from "@parley/meta-graph"
import { Schema } from "effect"

/** The `credentials` of a connection (docs/channels/messenger.md). */
export const MessengerCredentials = Schema.Struct({
  page_access_token: metaSecret.annotations({
    title: "Page access token",
    description:
      "Of the Page, with pages_messaging and pages_manage_metadata, for Instagram also instagram_basic and instagram_manage_messages; one that does not expire."
  }),
  ...webhookCredentials
})
export type MessengerCredentials = typeof MessengerCredentials.Type
