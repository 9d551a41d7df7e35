import { Either } from "effect"
import type { Connection } from "../channels/Connection.js"
import { disconnect } from "../channels/disconnect.js"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { advanceAll, type Reached } from "../messages/advance.js"
import { claimProviderMessage } from "../messages/claimProviderMessage.js"
import type { Message, ProviderMessage, Receipt } from "../messages/Message.js"
import { recordProgress } from "../messages/recordProgress.js"
import { changes, expect, type Parts, row, type Settle, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { ConnectionRefusal } from "./InboundEvent.js"

/** All that a receipt may look at. */
export interface ReceiptWorld {
  readonly known: ProviderMessage | undefined
  /** The message that {@link known} names; where it names none, the one that the receipt itself names. */
  readonly message: Message | undefined
  /** Where the receipt says that the vendor refuses it. */
  readonly connection?: Connection | undefined
  readonly subscribers: Subscribers
}

/** A receipt of a provider, by the provider's own message id. */
export interface ReceiptCommand {
  readonly workspaceId: string
  readonly connectionId: string
  readonly providerMessageId: string
  /** Our own id, where the vendor carries it. Default: null. */
  readonly messageId?: string | null
  readonly receipt: Receipt
  /** Why the vendor refuses the connection itself, where that made the message fail. Default: null. */
  readonly refusal?: ConnectionRefusal | null
  /** The job that brought it, if one did. */
  readonly settle: Settle | null
}

/**
 * Applies a receipt to its message; one that comes before the provider's id is known is kept and applied when it is
 * (decisions.md §8). Where it carries our own id, it is known from then on: that ends a send whose outcome was not. A message that
 * fails because the vendor refuses the connection disconnects it, as at sending; what is told again does not.
 */
export const applyReceipt = (
  { connection, known, message, subscribers }: ReceiptWorld,
  command: ReceiptCommand,
  now: Instant,
  ids: Ids
): Either.Either<Decision<null>, Refusal> => {
  const { workspaceId, connectionId, providerMessageId, receipt, refusal = null, settle } = command
  const key = { connectionId, providerMessageId }
  const write = (...parts: ReadonlyArray<Parts>): Either.Either<Decision<null>, Refusal> => {
    const written = changes(workspaceId, ...parts, { settle })
    const isNothing = parts.every((part) => Object.keys(part).length === 0) && settle === null
    return Either.right({ changes: isNothing ? null : written, result: null })
  }
  const disconnects = (reached: ReadonlyArray<Reached>): Parts =>
    connection !== undefined && refusal !== null && reached.some(({ status }) => status === "failed")
      ? disconnect(connection, refusal, now, ids)
      : {}
  if (known?.messageId != null) {
    const reached = message === undefined ? [] : advanceAll(message, [receipt])
    if (message === undefined || reached.length === 0) return write()
    return write(recordProgress(message, reached, subscribers, now, ids), disconnects(reached))
  }
  if (message?.direction === "outbound" && message.connectionId === connectionId) {
    const reached = advanceAll(message, [...(known?.parked ?? []), receipt])
    const id = message.providerMessageId ?? providerMessageId
    return write(
      claimProviderMessage(known, message, providerMessageId, now),
      recordProgress(message, reached, subscribers, now, ids, { providerMessageId: id }),
      disconnects(reached)
    )
  }
  if (known === undefined) {
    const parked = { ...key, workspaceId, messageId: null, parked: [receipt], createdAt: now, version: 1 }
    return write({ claims: [row("providerMessages", parked)] })
  }
  // Once a receipt was applied or came too late, another one with its status changes nothing: each is kept once.
  if (known.parked.some(({ status }) => status === receipt.status)) return write()
  return write({
    expects: [expect("providerMessages", key, { version: known.version })],
    sets: [set("providerMessages", key, { parked: [...known.parked, receipt] })]
  })
}
