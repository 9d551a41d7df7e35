import { Schema } from "effect"

/** The ways to reach a customer (decisions.md §7). */
export const Channel = Schema.Literal("whatsapp", "telegram", "email", "webchat", "instagram", "facebook")
export type Channel = typeof Channel.Type

/** What a channel can do; it comes from the connection's provider. Wire shape: decisions.md §10. */
export interface Capabilities {
  /** The longest text in characters (Unicode code points), or null where there is no limit. */
  readonly textMaxLength: number | null
  readonly templates: boolean
  readonly deliveryReceipts: boolean
  readonly readReceipts: boolean
  /** Hours after the customer's last message in which free text is allowed; null: at any time. */
  readonly serviceWindowHours: number | null
}
