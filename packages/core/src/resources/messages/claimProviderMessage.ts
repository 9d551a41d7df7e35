import type { Instant } from "../../model/Instant.js"
import type { Message, ProviderMessage, Receipt } from "../../model/Message.js"
import { expect, type Parts, row, set } from "../../ports/Changes.js"

/**
 * Binds a provider's message id to its message, permanently: claims the id, or takes over the row in which receipts for
 * it are parked and clears them, except for those in `parked`. An id that is bound already stays unchanged.
 */
export const claimProviderMessage = (
  known: ProviderMessage | undefined,
  { connectionId, id: messageId, workspaceId }: Pick<Message, "id" | "connectionId" | "workspaceId">,
  providerMessageId: string,
  now: Instant,
  parked: ReadonlyArray<Receipt> = []
): Parts => {
  const key = { connectionId, providerMessageId }
  if (known === undefined) {
    const claim = row("providerMessages", { ...key, workspaceId, messageId, parked, createdAt: now, version: 1 })
    return { claims: [claim] }
  }
  if (known.messageId !== null) return {}
  return {
    expects: [expect("providerMessages", key, { version: known.version })],
    sets: [set("providerMessages", key, { messageId, parked })]
  }
}
