import type { EmailOptions } from "@parley/channel-email"
import * as Provider from "@parley/channel-email"
import { type Channel, channelOf } from "./Channel.js"

export type { EmailOptions }

/** Email: sends through any SMTP server; receives from a mailbox over IMAP, or by webhook (docs/channels/email.md). */
export const email = (options?: EmailOptions): Channel => channelOf(Provider.email(options))
