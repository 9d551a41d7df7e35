import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Connection } from "../../model/Connection.js"
import type { Contact } from "../../model/Contact.js"
import type { ConnectionRefusal, ReportEvidence } from "../../model/InboundEvent.js"
import type { Instant } from "../../model/Instant.js"
import type { Message, ProviderMessage, Receipt } from "../../model/Message.js"
import { changes, expect, type Parts, row, type Settle, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { disconnect } from "../../resources/channels/disconnect.js"
import { type OptOutScope, optOut } from "../../resources/contacts/optOut.js"
import { recordContact } from "../../resources/contacts/recordContact.js"
import type { Subscribers } from "../../resources/events/Outbox.js"
import { advanceAll, type ReachedStep } from "../../resources/messages/advance.js"
import { claimProviderMessage } from "../../resources/messages/claimProviderMessage.js"
import { recordProgress } from "../../resources/messages/recordProgress.js"
import { withBilling } from "../../resources/messages/withBilling.js"

/** What the rules of a receipt read. */
export interface ReceiptWorld {
  readonly known: ProviderMessage | undefined
  /** The message of {@link known}, else the message that the receipt names by our own id. */
  readonly message: Message | undefined
  /** The connection, if the receipt says that the vendor refuses it. */
  readonly connection?: Connection | undefined
  /** The contact of {@link message}, if the receipt says that it opted out. */
  readonly contact?: Contact | undefined
  /** The normalised handle to which {@link message} was sent, if the receipt has evidence. */
  readonly recipient?: string | undefined
  readonly subscribers: Subscribers
}

/** A receipt, addressed by the provider's message id. */
export interface ReceiptCommand {
  readonly workspaceId: string
  readonly connectionId: string
  readonly providerMessageId: string
  /** Our message id, if the vendor returns it on receipts. Default: null. */
  readonly messageId?: string | null
  readonly receipt: Receipt
  /** Why the vendor refuses the connection, if that caused the failure. Default: null. */
  readonly refusal?: ConnectionRefusal | null
  /** What the recipient opted out of at the vendor, if that caused the failure. Default: null. */
  readonly optOut?: OptOutScope | null
  /** What speaks for a report that a stranger could write, with handles in normal form. Default: null. */
  readonly evidence?: VerifiedEvidence | null
  /** Settles the job of a scheduled receipt. */
  readonly settle: Settle | null
}

/** Evidence whose signed id was checked. */
export interface VerifiedEvidence extends Omit<ReportEvidence, "signedId"> {
  /** Whether the report has a valid signed id of its message. */
  readonly signed: boolean
}

/**
 * Applies a receipt to its message (docs/reference/messages.md#receipts). A receipt that arrives before the provider
 * message id is known is stored and applied later. A receipt with our own message id records the provider message id,
 * which resolves a send of unknown outcome. A failure because the vendor refuses the connection disconnects it, as
 * during a send; one because the recipient opted out marks the contact; a repeated receipt does neither. What the
 * vendor tells of its price is recorded with any receipt, also with a late one (docs/reference/messages.md#pricing).
 * Fails if its evidence does not suffice (docs/reference/messages.md#receipts-that-strangers-can-write).
 */
export const applyReceipt = (
  world: ReceiptWorld,
  command: ReceiptCommand,
  now: Instant,
  ids: Ids
): Either.Either<Decision<null>, Refusal> => {
  const doubt = command.evidence == null ? null : doubtOf(world, command, command.evidence)
  if (doubt !== null) return Either.left(refuse("forbidden", {}, doubt))
  const { connection, contact, known, subscribers } = world
  const {
    workspaceId,
    connectionId,
    providerMessageId,
    receipt,
    optOut: scope = null,
    refusal = null,
    settle
  } = command
  const key = { connectionId, providerMessageId }
  // A deletion that came first holds the id of a send until its acceptance is recorded.
  const isHeld = world.message?.type === "deletion" && world.message.providerMessageId !== providerMessageId
  const message = isHeld ? undefined : world.message
  const write = (...parts: ReadonlyArray<Parts>): Either.Either<Decision<null>, Refusal> => {
    const written = changes(workspaceId, ...parts, { settle })
    const isNothing = parts.every((part) => Object.keys(part).length === 0) && settle === null
    return Either.right({ changes: isNothing ? null : written, result: null })
  }
  /** Effects of a failure beyond the message. */
  const effects = (reached: ReadonlyArray<ReachedStep>): ReadonlyArray<Parts> =>
    reached.some(({ status }) => status === "failed")
      ? [
          connection === undefined || refusal === null ? {} : disconnect(connection, refusal, now, ids),
          contact === undefined || scope === null
            ? {}
            : recordContact(optOut(contact, scope, true, receipt.at), subscribers, now, ids)
        ]
      : []
  if (known?.messageId != null && !isHeld) {
    if (message === undefined) return write()
    const billed = withBilling(message, [receipt.billing])
    const reached = advanceAll(billed, [receipt])
    if (billed === message && reached.length === 0) return write()
    return write(
      recordProgress(subscribers, { message: billed, reached, more: billingOf(message, billed) }, now, ids),
      ...effects(reached)
    )
  }
  if (message?.direction === "outbound" && message.connectionId === connectionId) {
    const receipts = [...(known?.parked ?? []), receipt]
    const billed = withBilling(
      message,
      receipts.map(({ billing }) => billing)
    )
    const reached = advanceAll(billed, receipts)
    const id = message.providerMessageId ?? providerMessageId
    return write(
      claimProviderMessage(known, message, providerMessageId, now),
      recordProgress(
        subscribers,
        { message: billed, reached, more: { ...billingOf(message, billed), providerMessageId: id } },
        now,
        ids
      ),
      ...effects(reached)
    )
  }
  if (known === undefined) {
    const parked = { ...key, workspaceId, messageId: null, parked: [receipt], createdAt: now, version: 1 }
    return write({ claims: [row("providerMessages", parked)] })
  }
  // One stored receipt per status is enough: a second one of the same status changes nothing.
  if (known.parked.some(({ status }) => status === receipt.status)) return write()
  return write({
    expects: [expect("providerMessages", key, { version: known.version })],
    sets: [set("providerMessages", key, { parked: [...known.parked, receipt] })]
  })
}

/** The column that changes with what the vendor reported of its price. */
const billingOf = (message: Message, billed: Message): Partial<Message> =>
  billed === message ? {} : { envelope: billed.envelope }

/** Why the evidence does not prove the report; null if it does. */
const doubtOf = (
  { known, message, recipient }: ReceiptWorld,
  { connectionId, messageId }: ReceiptCommand,
  { finalRecipient, needsSignedId, originalRecipient, signed }: VerifiedEvidence
): string | null => {
  if (needsSignedId && !signed) return "The report has no valid signed id."
  const isOurs = message?.direction === "outbound" && message.connectionId === connectionId
  if (!isOurs || message.id !== messageId || (known?.messageId ?? messageId) !== messageId) {
    return "The report is not about a message of this connection."
  }
  // Who holds a signed id has the mail, or relayed it: the recipient may have forwarded it.
  const named = signed ? originalRecipient : (originalRecipient ?? finalRecipient)
  if (named === null) return signed ? null : "The report does not name a recipient."
  return named === recipient ? null : "The report is about another recipient than that of the message."
}
