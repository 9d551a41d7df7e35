import { metaSecret, webhookCredentials } from "@parley/meta-graph"
import { Schema } from "effect"

/** The `credentials` of a connection (docs/channels/whatsapp.md). */
export const WhatsAppCredentials = Schema.Struct({
  access_token: metaSecret.annotations({
    title: "Access token",
    description:
      "Of a system user with whatsapp_business_messaging and whatsapp_business_management; one that does not expire."
  }),
  ...webhookCredentials
})
export type WhatsAppCredentials = typeof WhatsAppCredentials.Type
