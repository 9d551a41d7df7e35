import { given, wholeNumber } from "@parley/core"
import { metaId } from "@parley/meta-graph"
import { Schema } from "effect"

/** The `config` of a connection (docs/channels/messenger.md). */
export const MessengerConfig = Schema.Struct({
  page_id: metaId.annotations({
    title: "Page ID",
    description: "The id of the Facebook Page; for Instagram, of the Page that the account is linked to."
  }),
  instagram_account_id: given(
    metaId.annotations({
      title: "Instagram account ID",
      description: "The id of the Instagram professional account that is linked to the Page. Instagram needs it."
    })
  ),
  messages_per_second: given(
    wholeNumber(1, 300).annotations({
      title: "Messages a second",
      description: "How many may be sent. Default: 300, as Meta allows a Page."
    })
  )
})
export type MessengerConfig = typeof MessengerConfig.Type
