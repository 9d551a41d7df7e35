import * as Provider from "@parley/channel-telegram"
import { type Channel, channelOf } from "./Channel.js"

/** The options of {@link telegram}. */
export interface TelegramOptions {
  /** Base URL of the Bot API. Default: `https://api.telegram.org`. */
  readonly apiUrl?: string
  /**
   * Other base URLs that the setting `api_url` of a connection may name. The connection's credentials go there.
   * Default: none.
   */
  readonly apiUrls?: ReadonlyArray<string>
}

/** Telegram through the Bot API (docs/channels/telegram.md). */
export const telegram = (options?: TelegramOptions): Channel => channelOf(Provider.telegram(options))
