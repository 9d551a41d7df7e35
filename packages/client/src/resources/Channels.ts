import type { NumberedPage } from "../Answer.js"
import type { RequestOptions } from "../ClientOptions.js"
import type { Channel, ChannelQuery } from "../Contract.js"
import type { Call } from "../transport/Call.js"

/** Connections that the application may use (docs/reference/channels.md#listing-channels). */
export interface Channels {
  /** `GET /channels`: the whole allow-list on one page, unless `per_page` is smaller. */
  readonly list: (query?: ChannelQuery, options?: RequestOptions) => Promise<NumberedPage<Channel>>
}

export const channels = (call: Call): Channels => ({
  list: (query = {}, options = {}) => call.get("/channels", query, options)
})
