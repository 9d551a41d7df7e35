import type { Conversation } from "../conversations/Conversation.js"
import { type Instant, second } from "../Instant.js"
import type { Receipt } from "./Message.js"

/** By how much, in ms, a provider's clock may be behind ours: what we call sent so long after a mark is before it there. */
export const clockTolerance = 2 * second

/**
 * What a conversation's marks tell of a message that was handed over at a moment: the receipts that it has by them, in their
 * order, each at the time of its mark. A conversation without marks tells nothing.
 */
export const receiptsByMark = (
  { deliveredUpTo, readUpTo }: Pick<Conversation, "deliveredUpTo" | "readUpTo">,
  handedOverAt: Instant
): ReadonlyArray<Receipt> =>
  (
    [
      ["delivered", deliveredUpTo],
      ["read", readUpTo]
    ] as const
  ).flatMap(([status, upTo]) =>
    // Zero: there is no mark.
    upTo > 0 && handedOverAt <= upTo + clockTolerance ? [{ status, at: upTo, error: null }] : []
  )
