import type { Message, MessageStatus, Receipt } from "./Message.js"

const steps = ["queued", "sent", "delivered", "read"] as const

/** A step that a message reached, and the message as it was then. */
export interface Reached {
  readonly status: Exclude<MessageStatus, "queued">
  readonly message: Message
}

/**
 * Moves a message by a receipt (spec, Message status; decisions.md §8). Progress is monotonic: a later step fills the
 * earlier ones, in order; repeated and older receipts change nothing; `failed` is reached from `queued` or `sent` only and
 * is final. Times never run backwards, whatever the provider's clock says.
 */
export const advance = (message: Message, receipt: Receipt): ReadonlyArray<Reached> => {
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
  const reached: Array<Reached> = []
  let current = message
  for (const status of steps.slice(from + 1, to + 1)) {
    if (status === "queued") continue
    const at = Math.max(receipt.at, current.sentAt ?? current.createdAt, current.deliveredAt ?? 0)
    current = { ...current, status, [`${status}At` as const]: at }
    reached.push({ status, message: current })
  }
  return reached
}

/** All receipts in turn. */
export const advanceAll = (message: Message, receipts: ReadonlyArray<Receipt>): ReadonlyArray<Reached> => {
  const reached: Array<Reached> = []
  for (const receipt of receipts) reached.push(...advance(reached.at(-1)?.message ?? message, receipt))
  return reached
}
