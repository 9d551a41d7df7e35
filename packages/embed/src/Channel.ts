import type { ChannelProvider } from "@parley/core"

declare const channel: unique symbol

/** A provider of channels, from `@parley/embed/whatsapp`, `@parley/embed/email` and so on. */
export interface Channel {
  /** Its name in a connection's `provider`. */
  readonly kind: string
  readonly [channel]: true
}

/** A provider without its types of Effect. */
export const channelOf = (provider: ChannelProvider): Channel => provider as unknown as Channel
