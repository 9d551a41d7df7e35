import * as Provider from "@parley/channel-sms"
import { type Channel, channelOf } from "./Channel.js"

/** The options of {@link sms}. */
export interface SmsOptions {
  /** Base URL of Twilio's API. Default: `https://api.twilio.com`. Customers' files may be fetched from it too. */
  readonly apiUrl?: string
  /**
   * Other base URLs that the setting `api_url` of a connection may name. The connection's credentials go there.
   * Default: none.
   */
  readonly apiUrls?: ReadonlyArray<string>
}

/** SMS and MMS through Twilio (docs/channels/sms.md). */
export const sms = (options?: SmsOptions): Channel => channelOf(Provider.sms(options))
