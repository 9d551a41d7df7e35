import { Schema } from "effect"

/** The messaging channels (docs/reference/messages.md#sending-a-message). */
export const Channel = Schema.Literal("whatsapp", "telegram", "email", "webchat", "instagram", "facebook")
export type Channel = typeof Channel.Type

/** Capabilities of a connection, stated by its provider. Wire shape: docs/reference/channels.md#capabilities. */
export interface Capabilities {
  /** Maximum text length in characters (Unicode code points); null for no limit. */
  readonly textMaxLength: number | null
  readonly templates: boolean
  readonly deliveryReceipts: boolean
  readonly readReceipts: boolean
  /** Hours after the customer's last message in which free text is allowed; null: always allowed. */
  readonly serviceWindowHours: number | null
}
