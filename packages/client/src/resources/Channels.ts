import type { NumberedPage } from "../Answer.js"
import type { RequestOptions } from "../ClientOptions.js"
import type { Channel, ChannelQuery } from "../Contract.js"
import type { Call } from "../transport/Call.js"

/** The connections that the application may use (spec, Channel). */
export interface Channels {
  /** `GET /channels`: the whole allow-list on one page, unless `per_page` asks for less. */
  readonly list: (query?: ChannelQuery, options?: RequestOptions) => Promise<NumberedPage<Channel>>
}

export const channels = (call: Call): Channels => ({
  list: (query = {}, options = {}) => call.get("/channels", query, options)
})
