import type { Capabilities } from "../../model/Channel.js"

/**
 * The capability without which a message does not reach a status (docs/reference/channels.md#capabilities); null if it
 * can. A read message counts as delivered. Undefined capabilities are unknown.
 */
export const missingReceipts = (
  status: "sent" | "delivered" | "read",
  capabilities: Capabilities | undefined
): "delivery_receipts" | "read_receipts" | null => {
  if (status === "sent" || capabilities === undefined || capabilities.readReceipts) return null
  if (status === "read") return "read_receipts"
  return capabilities.deliveryReceipts ? null : "delivery_receipts"
}
