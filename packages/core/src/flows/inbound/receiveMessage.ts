import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Bot } from "../../model/Bot.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Message, ProviderMessage } from "../../model/Message.js"
import { changes, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { attachFile, type InboundFile } from "../../resources/attachments/attachFile.js"
import { profileJob } from "../../resources/contacts/fetchProfile.js"
import { optOut } from "../../resources/contacts/optOut.js"
import { readOptOut } from "../../resources/contacts/readOptOut.js"
import { type ContactAndConversation, openConversation } from "../../resources/conversations/openConversation.js"
import { emit, type Subscribers } from "../../resources/events/Outbox.js"
import { claimProviderMessage } from "../../resources/messages/claimProviderMessage.js"
import { messageEvent } from "../../resources/messages/messageEvent.js"
import { botMessageJob } from "../bots/botJobs.js"
import { mayStartBot } from "../bots/startedBot.js"

/** A customer's message from a provider. */
export interface InboundMessage {
  /** Unique per connection; detects a redelivered message. */
  readonly providerMessageId: string
  /** Normalised. */
  readonly from: string
  readonly body: string
  /** Subject of an email. Default: null. */
  readonly subject?: string | null
  readonly displayName: string | null
  /** Default: none. */
  readonly files?: ReadonlyArray<InboundFile>
  /** Whether it is an automatic reply. Default: false. */
  readonly automatic?: boolean
  /** Whether the sender is proven: keywords of others opt no one in or out. Default: true. */
  readonly senderProven?: boolean
}

/** What the rules of an inbound message read. */
export interface InboundWorld extends ContactAndConversation {
  readonly known: ProviderMessage | undefined
  /** The message of {@link known}. */
  readonly message: Message | undefined
  /** Active bots of the workspace. */
  readonly bots: ReadonlyArray<Bot>
  readonly subscribers: Subscribers
}

/** Capabilities of the connection's provider that the rules need. */
export interface InboundCapabilities {
  /** Null: free text at any time. */
  readonly serviceWindowHours: number | null
  /** Whether the provider can look up profile names. */
  readonly profiles: boolean
}

/**
 * Stores a customer's message: finds or creates contact and conversation, opens the service window, reopens a closed
 * conversation, applies an opt-out or opt-in keyword (docs/reference/contacts.md#opt-out), and queues the message for
 * the active bot or for one that it may start, unless the contact opted out. A redelivered message returns the stored
 * one. An automatic reply is stored and emits its event only, because the customer did not write it.
 */
export const receiveMessage = (
  world: InboundWorld,
  connection: Connection,
  inbound: InboundMessage,
  { profiles, serviceWindowHours }: InboundCapabilities,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Message>, Refusal> => {
  if (world.message !== undefined) return Either.right({ changes: null, result: world.message })
  const { workspaceId } = connection
  const { automatic = false, body, displayName, files = [], from: handle, providerMessageId, subject = null } = inbound
  const writesKeywords = !automatic && inbound.senderProven !== false
  // A mail client that unsubscribes may leave the body empty.
  const optOutChange = !writesKeywords ? null : readOptOut(connection, body.trim() === "" ? (subject ?? "") : body)
  const optedOut =
    world.contact === undefined || optOutChange === null ? null : optOut(world.contact, "all", optOutChange)
  const opened = openConversation(
    { ...world, contact: optedOut?.contact ?? world.contact },
    {
      connection,
      handle,
      direction: "inbound",
      automatic,
      displayName,
      optedOut: optOutChange === true,
      serviceWindowHours
    },
    now,
    ids
  )
  const message: Message = {
    id: ids.next(now),
    workspaceId,
    applicationId: null,
    agentId: null,
    workflowRunId: null,
    botSessionId: null,
    externalReference: null,
    conversationId: opened.conversation.id,
    contactId: opened.contact.id,
    connectionId: connection.id,
    direction: "inbound",
    type: "text",
    status: "delivered",
    body,
    subject,
    html: null,
    templateName: null,
    templateLanguage: null,
    variables: [],
    attachments: files.map(({ attachment }) => attachment),
    error: null,
    providerMessageId,
    createdAt: now,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    receivedAt: now,
    version: 1
  }
  const isForBot =
    !automatic &&
    optOutChange !== true &&
    (opened.conversation.botSessionId !== null || mayStartBot(world.bots, connection.id))
  const asksName = world.contact === undefined && displayName === null && profiles
  const events = [...(optedOut?.events ?? []), ...opened.events, messageEvent("message.received", message)]
  return Either.right({
    changes: changes(
      workspaceId,
      claimProviderMessage(world.known, message, providerMessageId, now),
      optedOut?.parts ?? {},
      ...opened.parts,
      {
        inserts: [
          row("messages", message),
          ...(asksName ? [profileJob(connection, message.contactId, handle, now, ids)] : []),
          ...(isForBot ? [botMessageJob(message)] : []),
          ...events.flatMap((event) => emit(world.subscribers, event, now, ids))
        ],
        // The message may have been erased and redelivered, with a job of the first delivery left.
        ensures: files.flatMap((file) => attachFile(connection, message, file, now))
      }
    ),
    result: message
  })
}
