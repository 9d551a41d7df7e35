import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Connection } from "../../model/Connection.js"
import type { InboundEvent } from "../../model/InboundEvent.js"
import type { Instant } from "../../model/Instant.js"
import type { Message } from "../../model/Message.js"
import { isAnnotation } from "../../model/MessageContent.js"
import { changes, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { attachFile, type InboundFile } from "../../resources/attachments/attachFile.js"
import { profileJob } from "../../resources/contacts/fetchProfile.js"
import { openConversation } from "../../resources/conversations/openConversation.js"
import { emit } from "../../resources/events/Outbox.js"
import { advanceAll } from "../../resources/messages/advance.js"
import { claimProviderMessage } from "../../resources/messages/claimProviderMessage.js"
import { messageEvent } from "../../resources/messages/messageEvent.js"
import { expectWatermarks, receiptsByWatermark } from "../../resources/messages/receiptsByWatermark.js"
import { type BotOfConversation, stopBot } from "../bots/stopBot.js"
import { applyReceipt } from "./applyReceipt.js"
import {
  changesNothing,
  envelopeOf,
  type InboundCapabilities,
  type InboundWorld,
  inboundType,
  quotedMessageChanges
} from "./receiveMessage.js"
import { vendorMessage } from "./vendorMessage.js"

/** A message that the business wrote elsewhere, with its files stored. Handles are normalised. */
export interface Echo extends Omit<InboundEvent & { readonly _tag: "Echo" }, "_tag" | "attachments"> {
  /** Default: none. */
  readonly files?: ReadonlyArray<InboundFile>
}

/** What the rules of an echo read. */
export interface EchoWorld extends Omit<InboundWorld, "recent" | "bots">, BotOfConversation {
  /**
   * Messages of the conversation that the vendor may have without an outcome stored here, oldest first; empty unless
   * {@link Echo.mayBeOwn}.
   */
  readonly awaiting: ReadonlyArray<Message>
}

/**
 * Stores a message that the business wrote elsewhere as an outbound message of origin `external`
 * (docs/reference/content.md#messages-written-elsewhere). It opens no service window, reopens nothing and starts no
 * bot. It stops an active bot, as an agent's reply does, unless it may be an echo of a message of ours: a bot must not
 * stop itself if the vendor changed its text. A reaction, an edit and a deletion are no answer and stop none. An edit
 * and a deletion change the message that they quote as a customer's do
 * (docs/reference/content.md#reactions-edits-and-deletions).
 *
 * An echo of a known provider message id changes nothing: it is repeated, or one of a message that Parley sent. An echo
 * that may be of a send whose outcome is not recorded counts as the receipt of the oldest such message of the same
 * text. If the vendor changed the text, or several messages have files and no text, a copy is stored, which the outcome
 * of the send removes (`recordAcceptance`).
 */
export const mirrorMessage = (
  world: EchoWorld,
  connection: Connection,
  echo: Echo,
  { identity, profiles, serviceWindowHours }: InboundCapabilities,
  now: Instant,
  ids: Ids
): Either.Either<Decision<null>, Refusal> => {
  const { known, subscribers } = world
  const { at, files = [], providerMessageId, to: handle } = echo
  const { id: connectionId, workspaceId } = connection
  const type = inboundType(echo)
  if (known?.messageId != null || (type === "edit" && changesNothing(world, echo))) {
    return Either.right({ changes: null, result: null })
  }
  if (type === "deletion" && world.contact === undefined) {
    return Either.left(refuse("not_found", {}, "There is no contact with this handle."))
  }
  // Parley edits and deletes no message.
  const mayBeSend = type !== "edit" && type !== "deletion"
  const same = mayBeSend ? world.awaiting.filter((message) => isSame(message, echo)) : []
  // Files without a text do not tell two messages apart.
  const own = echo.body.trim() === "" && same.length > 1 ? undefined : same[0]
  if (own !== undefined) {
    const receipt = { status: "sent", at, error: null } as const
    const command = { workspaceId, connectionId, providerMessageId, receipt, settle: null }
    return applyReceipt({ known, message: own, subscribers }, command, now, ids)
  }
  const context = {
    connection,
    identity,
    handle,
    direction: "outbound",
    displayName: null,
    serviceWindowHours
  } as const
  const opened = openConversation(world, context, now, ids)
  const sent: Message = {
    ...vendorMessage,
    id: ids.next(now),
    workspaceId,
    conversationId: opened.conversation.id,
    contactId: opened.contact.id,
    connectionId,
    direction: "outbound",
    type,
    status: "sent",
    body: echo.body,
    subject: null,
    attachments: files.map(({ attachment }) => attachment),
    content: echo.content ?? null,
    envelope: envelopeOf(world.quoted, echo),
    error: null,
    providerMessageId,
    createdAt: now,
    sentAt: at,
    receivedAt: now
  }
  const byMark = world.conversation === undefined ? [] : receiptsByWatermark(world.conversation, at)
  const reached = advanceAll(sent, [...(known?.parked ?? []), ...byMark])
  const message = reached.at(-1)?.message ?? sent
  const asksName = world.contact === undefined && profiles
  const stopped =
    world.conversation === undefined || world.awaiting.length > 0 || isAnnotation(type)
      ? []
      : stopBot({ ...world, conversation: world.conversation, serviceWindowHours }, opened.conversation, now, ids)
  const events = [
    ...opened.events,
    messageEvent("message.sent", sent, echo.raw),
    ...reached.map((step) => messageEvent(`message.${step.status}`, step.message))
  ]
  return Either.right({
    changes: changes(
      workspaceId,
      claimProviderMessage(known, message, providerMessageId, now),
      ...opened.parts,
      world.conversation === undefined ? {} : expectWatermarks(world.conversation),
      ...stopped,
      quotedMessageChanges(world, message, now),
      {
        inserts: [
          row("messages", message),
          ...(asksName ? [profileJob(connection, message.contactId, handle, now, ids)] : []),
          ...events.flatMap((event) => emit(subscribers, event, now, ids))
        ],
        ensures: files.flatMap((file) => attachFile(connection, message, file, now))
      }
    ),
    result: null
  })
}

/** Whether the echo may be of this message: the same text, and as many files. Vendors trim texts. */
export const isSame = (message: Message, { body, files = [] }: Pick<Echo, "body" | "files">): boolean =>
  message.direction === "outbound" && message.attachments.length === files.length && message.body.trim() === body.trim()
