import type { Instant } from "../Instant.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Message, ProviderMessage } from "./Message.js"

/**
 * Ties a provider's message id to its message, for ever: a new claim, or the one that `known` receipts are parked under, which
 * then go. An id that is tied already stays as it is.
 */
export const claimProviderMessage = (
  known: ProviderMessage | undefined,
  { connectionId, id: messageId, workspaceId }: Pick<Message, "id" | "connectionId" | "workspaceId">,
  providerMessageId: string,
  now: Instant
): Parts => {
  const key = { connectionId, providerMessageId }
  if (known === undefined) {
    const claim = row("providerMessages", { ...key, workspaceId, messageId, parked: [], createdAt: now, version: 1 })
    return { claims: [claim] }
  }
  if (known.messageId !== null) return {}
  return {
    expects: [expect("providerMessages", key, { version: known.version })],
    sets: [set("providerMessages", key, { messageId, parked: [] })]
  }
}
