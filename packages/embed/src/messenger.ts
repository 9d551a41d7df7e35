import * as Provider from "@parley/channel-messenger"
import { type Channel, channelOf } from "./Channel.js"

/** The options of {@link messenger}. */
export interface MessengerOptions {
  /** Base URL of the Graph API. Default: `https://graph.facebook.com`. Customers' files may be fetched from it too. */
  readonly graphUrl?: string
  /** Version of the Graph API. Default: {@link defaultApiVersion}. */
  readonly apiVersion?: string
  /**
   * Other base URLs that the setting `api_url` of a connection may name. The connection's credentials go there.
   * Default: none.
   */
  readonly apiUrls?: ReadonlyArray<string>
}
export { defaultApiVersion } from "@parley/channel-messenger"

/** Facebook Messenger and Instagram through Meta's Messenger Platform (docs/channels/messenger.md). */
export const messenger = (options?: MessengerOptions): Channel => channelOf(Provider.messenger(options))
