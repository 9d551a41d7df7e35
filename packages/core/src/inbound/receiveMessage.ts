import { Either } from "effect"
import { attachFile, type InboundFile } from "../attachments/attachFile.js"
import type { Bot } from "../bots/Bot.js"
import { converseJob } from "../bots/botJobs.js"
import { couldStart } from "../bots/startedBot.js"
import type { Connection } from "../channels/Connection.js"
import { profileJob } from "../contacts/fetchProfile.js"
import { optOut } from "../contacts/optOut.js"
import { readOptOut } from "../contacts/readOptOut.js"
import { type Acquaintance, openConversation } from "../conversations/openConversation.js"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { claimProviderMessage } from "../messages/claimProviderMessage.js"
import type { Message, ProviderMessage } from "../messages/Message.js"
import { messageEvent } from "../messages/messageEvent.js"
import { changes, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"

/** A customer's message as a provider brings it. */
export interface InboundMessage {
  /** Unique on its connection: a redelivered one is recognised by it. */
  readonly providerMessageId: string
  /** Normalised. */
  readonly from: string
  readonly body: string
  /** Of an email. Default: null. */
  readonly subject?: string | null
  readonly displayName: string | null
  /** Default: none. */
  readonly files?: ReadonlyArray<InboundFile>
  /** Written by a machine: no word of the customer's own. Default: false. */
  readonly automatic?: boolean
}

/** All that an inbound message may look at. */
export interface InboundWorld extends Acquaintance {
  readonly known: ProviderMessage | undefined
  /** The message that {@link known} names. */
  readonly message: Message | undefined
  /** The active ones of the workspace. */
  readonly bots: ReadonlyArray<Bot>
  readonly subscribers: Subscribers
}

/** What the connection's provider can do, as far as a message needs to know. */
export interface InboundAbilities {
  /** Null: free text at any time. */
  readonly serviceWindowHours: number | null
  /** Whether it can be asked what a customer calls themselves. */
  readonly profiles: boolean
}

/**
 * Takes a customer's message in: finds or makes the contact and the conversation, opens the service window, reopens what
 * was closed, writes down where it says, as a whole, that they want no more of it, or more again (decisions.md §6), and brings it
 * to the bot that is active there or that it may start, unless they want no more. One that came before is answered as it was
 * stored. An automatic one is stored and told like any other, but does none of the rest: it is no word of the customer's own.
 */
export const receiveMessage = (
  world: InboundWorld,
  connection: Connection,
  inbound: InboundMessage,
  { profiles, serviceWindowHours }: InboundAbilities,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Message>, Refusal> => {
  if (world.message !== undefined) return Either.right({ changes: null, result: world.message })
  const { workspaceId } = connection
  const { automatic = false, body, displayName, files = [], from: handle, providerMessageId, subject = null } = inbound
  // A mail program that unsubscribes may leave the text empty.
  const wish = automatic ? null : readOptOut(connection, body.trim() === "" ? (subject ?? "") : body)
  const told = world.contact === undefined || wish === null ? null : optOut(world.contact, "all", wish)
  const opened = openConversation(
    { ...world, contact: told?.contact ?? world.contact },
    { connection, handle, direction: "inbound", automatic, displayName, optedOut: wish === true, serviceWindowHours },
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
    !automatic && wish !== true && (opened.conversation.botSessionId !== null || couldStart(world.bots, connection.id))
  const asksName = world.contact === undefined && displayName === null && profiles
  const events = [...(told?.events ?? []), ...opened.events, messageEvent("message.received", message)]
  return Either.right({
    changes: changes(
      workspaceId,
      claimProviderMessage(world.known, message, providerMessageId, now),
      told?.parts ?? {},
      ...opened.parts,
      {
        inserts: [
          row("messages", message),
          ...(asksName ? [profileJob(connection, message.contactId, handle, now, ids)] : []),
          ...(isForBot ? [converseJob(message)] : []),
          ...events.flatMap((event) => emit(world.subscribers, event, now, ids))
        ],
        // Of the same message, erased and brought again, there may be a job left.
        ensures: files.flatMap((file) => attachFile(connection, message, file, now))
      }
    ),
    result: message
  })
}
