import * as Provider from "@parley/channel-whatsapp"
import { type Channel, channelOf } from "./Channel.js"

/** The options of {@link whatsapp}. */
export interface WhatsAppOptions {
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
export { defaultApiVersion } from "@parley/channel-whatsapp"

/** WhatsApp through Meta's Cloud API (docs/channels/whatsapp.md). */
export const whatsapp = (options?: WhatsAppOptions): Channel => channelOf(Provider.whatsapp(options))
