import { Either } from "effect"
import type { Connection } from "../channels/Connection.js"
import { type Acquaintance, openConversation } from "../conversations/openConversation.js"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { changes, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Message, ProviderMessage } from "./Message.js"
import { messageEvent } from "./messageEvent.js"

/** A customer's message as a provider brings it. */
export interface InboundMessage {
  /** Unique on its connection: a redelivered one is recognised by it. */
  readonly providerMessageId: string
  /** Normalised. */
  readonly from: string
  readonly body: string
  readonly displayName: string | null
}

/** All that an inbound message may look at. */
export interface InboundWorld extends Acquaintance {
  readonly known: ProviderMessage | undefined
  /** The message that {@link known} names. */
  readonly message: Message | undefined
  readonly subscribers: Subscribers
}

/**
 * Takes a customer's message in: finds or makes the contact and the conversation, opens the service window, reopens what
 * was closed. One that came before is answered as it was stored.
 */
export const receiveMessage = (
  world: InboundWorld,
  connection: Connection,
  inbound: InboundMessage,
  serviceWindowHours: number | null,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Message>, Refusal> => {
  if (world.message !== undefined) return Either.right({ changes: null, result: world.message })
  const { workspaceId } = connection
  const { from: handle, displayName, providerMessageId } = inbound
  const opened = openConversation(
    world,
    { connection, handle, direction: "inbound", displayName, serviceWindowHours },
    now,
    ids
  )
  const message: Message = {
    id: ids.next(now),
    workspaceId,
    applicationId: null,
    agentId: null,
    externalReference: null,
    conversationId: opened.conversation.id,
    contactId: opened.contact.id,
    connectionId: connection.id,
    direction: "inbound",
    type: "text",
    status: "delivered",
    body: inbound.body,
    subject: null,
    templateName: null,
    templateLanguage: null,
    variables: [],
    attachments: [],
    error: null,
    providerMessageId,
    createdAt: now,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    receivedAt: now,
    version: 1
  }
  const claim = row("providerMessages", {
    connectionId: connection.id,
    providerMessageId,
    workspaceId,
    messageId: message.id,
    parked: [],
    createdAt: now,
    version: 1
  })
  const events = [...opened.events, messageEvent("message.received", message)]
  return Either.right({
    changes: changes(workspaceId, { claims: [claim] }, ...opened.parts, {
      inserts: [row("messages", message), ...events.flatMap((event) => emit(world.subscribers, event, now, ids))]
    }),
    result: message
  })
}
