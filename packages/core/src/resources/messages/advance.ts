import type { Message, MessageStatus, Receipt } from "../../model/Message.js"

const steps = ["queued", "sent", "delivered", "read"] as const

/** A status that a message reached, and the message in that state. */
export interface ReachedStep {
  readonly status: Exclude<MessageStatus, "queued">
  readonly message: Message
}

/**
 * Applies a receipt to a message (docs/reference/messages.md#receipts). Progress is monotonic: a later status also
 * fills in the earlier ones, in order; repeated and older receipts change nothing; `failed` is final and reached from
 * `queued` or `sent` only. Times never decrease, even if the provider's clock is wrong.
 */
export const advance = (message: Message, receipt: Receipt): ReadonlyArray<ReachedStep> => {
  if (message.direction === "inbound" || message.status === "failed") return []
  if (receipt.status === "failed") {
    if (message.status !== "queued" && message.status !== "sent") return []
    const error = receipt.error ?? {
      code: "provider_error" as const,
      message: "The provider could not deliver the message."
    }
    return [{ status: "failed", message: { ...message, status: "failed", error } }]
  }
  const from = steps.indexOf(message.status)
  const to = steps.indexOf(receipt.status)
  const reached: Array<ReachedStep> = []
  let current = message
  for (const status of steps.slice(from + 1, to + 1)) {
    if (status === "queued") continue
    const at = Math.max(receipt.at, current.sentAt ?? current.createdAt, current.deliveredAt ?? 0)
    current = { ...current, status, [`${status}At` as const]: at }
    reached.push({ status, message: current })
  }
  return reached
}

/** Applies receipts in order. */
export const advanceAll = (message: Message, receipts: ReadonlyArray<Receipt>): ReadonlyArray<ReachedStep> => {
  const reached: Array<ReachedStep> = []
  for (const receipt of receipts) reached.push(...advance(reached.at(-1)?.message ?? message, receipt))
  return reached
}
