import { given, wholeNumber } from "@parley/core"
import { metaId } from "@parley/meta-graph"
import { Schema } from "effect"

/** The `config` of a connection (docs/channels/whatsapp.md). */
export const WhatsAppConfig = Schema.Struct({
  phone_number_id: metaId.annotations({
    title: "Phone number ID",
    description: "The id of the business's number, from API Setup in the app's dashboard. Not the number itself."
  }),
  business_account_id: given(
    metaId.annotations({
      title: "WhatsApp Business Account ID",
      description:
        "From the same page as the phone number ID. Without it, templates are not synchronised and the app is not subscribed."
    })
  ),
  messages_per_second: given(
    wholeNumber(1, 1_000).annotations({
      title: "Messages a second",
      description: "How many the number may send, as Meta grants it. Default: 80."
    })
  ),
  recipient_every_ms: given(
    wholeNumber(1, 60_000).annotations({
      title: "Pause between messages to one person, in ms",
      description: "How soon one customer may be sent to again once the burst is used up. Default: 6000."
    })
  ),
  recipient_burst: given(
    wholeNumber(1, 1_000).annotations({
      title: "Burst to one person",
      description: "How many messages one customer may be sent at once. Default: 45."
    })
  )
})
export type WhatsAppConfig = typeof WhatsAppConfig.Type
