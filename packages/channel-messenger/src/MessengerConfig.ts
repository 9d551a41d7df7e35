import { wholeNumber, worded } from "@parley/core"
import { Schema } from "effect"

/** An id of Meta's: digits, which stand in the paths of the Graph API as they are. */
const metaId = Schema.String.pipe(Schema.pattern(/^[0-9]{1,32}$/), worded("must be an id of Meta's: digits alone"))

const given = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

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
