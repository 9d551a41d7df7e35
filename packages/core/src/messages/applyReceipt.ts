import { Either } from "effect"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { changes, expect, type Parts, row, type Settle, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { advance } from "./advance.js"
import type { Message, ProviderMessage, Receipt } from "./Message.js"
import { recordProgress } from "./recordProgress.js"

/** All that a receipt may look at. */
export interface ReceiptWorld {
  readonly known: ProviderMessage | undefined
  /** The message that {@link known} names. */
  readonly message: Message | undefined
  readonly subscribers: Subscribers
}

/** A receipt of a provider, by the provider's own message id. */
export interface ReceiptCommand {
  readonly workspaceId: string
  readonly connectionId: string
  readonly providerMessageId: string
  readonly receipt: Receipt
  /** The job that brought it, if one did. */
  readonly settle: Settle | null
}

/**
 * Applies a receipt to its message; one that comes before the provider's id is known is kept and applied when it is
 * (decisions.md §8).
 */
export const applyReceipt = (
  { known, message, subscribers }: ReceiptWorld,
  command: ReceiptCommand,
  now: Instant,
  ids: Ids
): Either.Either<Decision<null>, Refusal> => {
  const { workspaceId, connectionId, providerMessageId, receipt } = command
  const key = { connectionId, providerMessageId }
  const write = (parts: Parts): Either.Either<Decision<null>, Refusal> =>
    Either.right({
      changes:
        Object.keys(parts).length === 0 && command.settle === null
          ? null
          : changes(workspaceId, parts, { settle: command.settle }),
      result: null
    })
  if (known === undefined) {
    return write({
      claims: [
        row("providerMessages", { ...key, workspaceId, messageId: null, parked: [receipt], createdAt: now, version: 1 })
      ]
    })
  }
  if (known.messageId === null) {
    return write({
      expects: [expect("providerMessages", key, { version: known.version })],
      sets: [set("providerMessages", key, { parked: [...known.parked, receipt] })]
    })
  }
  const reached = message === undefined ? [] : advance(message, receipt)
  return write(
    message === undefined || reached.length === 0 ? {} : recordProgress(message, reached, subscribers, now, ids)
  )
}
