import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { AttachedFile } from "../../model/AttachedFile.js"
import type { Bot } from "../../model/Bot.js"
import type { Connection } from "../../model/Connection.js"
import type { Address, IdentityChannel } from "../../model/Contact.js"
import type { Instant } from "../../model/Instant.js"
import {
  type Envelope,
  emptyEnvelope,
  isExternal,
  type Message,
  type ProviderMessage,
  type Quoted
} from "../../model/Message.js"
import { isAnnotation, type MessageType } from "../../model/MessageContent.js"
import { changes, expect, type Parts, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { attachFile } from "../../resources/attachments/attachFile.js"
import { profileJob } from "../../resources/contacts/fetchProfile.js"
import { keywordTime, optOut } from "../../resources/contacts/optOut.js"
import { readOptOut } from "../../resources/contacts/readOptOut.js"
import { type ContactAndConversation, openConversation } from "../../resources/conversations/openConversation.js"
import { emit, type Subscribers } from "../../resources/events/Outbox.js"
import { claimProviderMessage } from "../../resources/messages/claimProviderMessage.js"
import { messageEvent } from "../../resources/messages/messageEvent.js"
import { billed } from "../../resources/messages/withBilling.js"
import { botMessageJob } from "../bots/botJobs.js"
import { mayStartBot } from "../bots/startedBot.js"
import { answerQuestion, type NumberedAnswer } from "./answerQuestion.js"
import { pressedChoice } from "./choiceTiming.js"
import type { InboundMessage } from "./InboundMessage.js"
import { vendorMessage } from "./vendorMessage.js"

/** What is stored of the message that an edit or a deletion quotes; empty for other messages. */
export interface QuotedState {
  /** Its edits, newest first. */
  readonly edits: ReadonlyArray<Message>
  /** By id, the files of the newest of {@link edits}, else its own; empty for a deletion. */
  readonly shownFiles: ReadonlyMap<string, AttachedFile>
  /** The parts that delete its files, those of {@link edits}, and the vendor's JSON of both; empty for an edit. */
  readonly removed: Parts
}

/** What the rules of an inbound message read. */
export interface InboundWorld extends ContactAndConversation, QuotedState {
  readonly known: ProviderMessage | undefined
  /** The claim on the address of the customer's other handle. */
  readonly otherHolder?: Address | undefined
  /** The message of {@link known}. */
  readonly message: Message | undefined
  /** The message that it quotes, if that is stored in the same conversation. */
  readonly quoted: Message | undefined
  /** What is stored for the provider id of the message that it quotes. */
  readonly knownQuoted: ProviderMessage | undefined
  /**
   * The latest messages of the conversation, newest first; empty unless the message may answer a question with options.
   */
  readonly recent: ReadonlyArray<Message>
  /** Active bots of the workspace. */
  readonly bots: ReadonlyArray<Bot>
  readonly subscribers: Subscribers
}

/** Capabilities of the connection's provider that the rules need. */
export interface InboundCapabilities {
  /** The kind of identity that handles of the channel are. */
  readonly identity: IdentityChannel | null
  /** Null: free text at any time. */
  readonly serviceWindowHours: number | null
  /** Whether the provider can look up profile names. */
  readonly profiles: boolean
}

/** The type of an inbound message (docs/reference/content.md#types). */
export const inboundType = ({ content, files = [] }: Pick<InboundMessage, "content" | "files">): MessageType =>
  content?.type ?? (files.length > 0 ? "media" : "text")

/**
 * Stores a customer's message: finds or creates contact and conversation, opens the service window, reopens a closed
 * conversation, applies an opt-out or opt-in keyword (docs/reference/contacts.md#opt-out), and queues the message for
 * the active bot or for one that it may start, unless the contact opted out. A redelivered message returns the stored
 * one. A text that names an option of numbered choices becomes a choice (docs/reference/content.md#numbered-choices). A
 * choice says whether it is late or repeated (docs/reference/content.md#late-and-repeated-choices).
 * An automatic reply is stored and emits its event only, because the customer did not write it. So is a reaction, an
 * edit, a deletion or a notice, unless its vendor opens the service window; a deletion also erases the message that it
 * quotes; if that message is not stored yet, it is not stored later
 * (docs/reference/content.md#reactions-edits-and-deletions). A deletion creates no contact: it is refused with
 * `not_found` for an unknown handle, such as that of an erased contact.
 */
export const receiveMessage = (
  world: InboundWorld,
  connection: Connection,
  received: InboundMessage,
  { identity, profiles, serviceWindowHours }: InboundCapabilities,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Message>, Refusal> => {
  if (world.message !== undefined) return Either.right({ changes: null, result: world.message })
  const { workspaceId } = connection
  const { inbound, quoted } = asAnswer(world, received)
  const { automatic = false, body, displayName, files = [], from: handle, providerMessageId, subject = null } = inbound
  const type = inboundType(inbound)
  if (type === "deletion" && world.contact === undefined) {
    return Either.left(refuse("not_found", {}, "There is no contact with this handle."))
  }
  if (type === "edit" && world.quoted !== undefined && changesNothing(world, inbound)) {
    return Either.right({ changes: null, result: world.quoted })
  }
  const written = !automatic && !isAnnotation(type)
  const readable = written && type !== "unsupported"
  const opensWindow = inbound.opensWindow ?? written
  const writesKeywords = readable && inbound.senderProven !== false
  // What the customer wrote: a number that names an option titled STOP is no stop word. A mail client that unsubscribes
  // may leave the body empty.
  const keyword = received.body.trim() === "" ? (subject ?? "") : received.body
  const optOutChange = inbound.optOut ?? (writesKeywords ? readOptOut(connection, keyword) : null)
  const { at: writtenAt = now, otherHandle = null } = inbound
  const otherIsFree = world.otherHolder === undefined || world.otherHolder.contactId === world.contact?.id
  // A vendor may deliver the message long after it was written.
  const optedOut =
    world.contact === undefined || optOutChange === null
      ? null
      : optOut(world.contact, "all", optOutChange, keywordTime(world.contact, optOutChange, writtenAt))
  const opened = openConversation(
    { ...world, contact: optedOut?.contact ?? world.contact },
    {
      connection,
      identity,
      handle,
      otherHandle: otherIsFree ? otherHandle : null,
      direction: "inbound",
      writtenAt,
      automatic: !opensWindow,
      displayName,
      optedOut: optOutChange === true,
      serviceWindowHours
    },
    now,
    ids
  )
  const message: Message = {
    ...vendorMessage,
    id: ids.next(now),
    workspaceId,
    conversationId: opened.conversation.id,
    contactId: opened.contact.id,
    connectionId: connection.id,
    direction: "inbound",
    type,
    status: "delivered",
    body,
    subject,
    attachments: files.map(({ attachment }) => attachment),
    content: inbound.content ?? null,
    envelope: billed(envelopeOf(quoted, inbound), [inbound.billing]),
    error: null,
    providerMessageId,
    createdAt: now,
    sentAt: null,
    receivedAt: now
  }
  const isForBot =
    readable &&
    optOutChange !== true &&
    (opened.conversation.botSessionId !== null || mayStartBot(world.bots, connection.id))
  const asksName = world.contact === undefined && displayName === null && profiles
  const events = [...(optedOut?.events ?? []), ...opened.events, messageEvent("message.received", message, inbound.raw)]
  return Either.right({
    changes: changes(
      workspaceId,
      claimProviderMessage(world.known, message, providerMessageId, now),
      optedOut?.parts ?? {},
      ...opened.parts,
      quotedMessageChanges(world, message, now),
      inbound.content?.type === "choice" && inbound.content.timing === "first" && quoted !== undefined
        ? firstAnswerTo(quoted)
        : {},
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

/** Raises the version of the question, so that a concurrent answer conflicts and is decided again as a repeated one. */
const firstAnswerTo = ({ id, version }: Message): Parts => ({
  expects: [expect("messages", { id }, { version })],
  sets: [set("messages", { id }, {})]
})

/** The message as the answer to a question, and the message that it quotes. */
const asAnswer = (
  { quoted, recent }: InboundWorld,
  received: InboundMessage
): { readonly inbound: InboundMessage; readonly quoted: Message | undefined } => {
  const { content, quoted: named = null } = received
  if (content?.type === "choice") {
    const pressed = pressedChoice(content, quoted, named !== null, recent)
    const body = received.body === content.title ? pressed.content.title : received.body
    return answering({ ...received, body, content: pressed.content }, pressed.question ?? quoted)
  }
  const answer = answerQuestion(recent, quoted, received)
  return answer === undefined ? { inbound: received, quoted } : answering(asChoice(received, answer), answer.question)
}

/** With the question as the quoted message, unless the vendor named it. */
const answering = (inbound: InboundMessage, question: Message | undefined) => ({
  inbound:
    question === undefined || inbound.quoted != null
      ? inbound
      : { ...inbound, quoted: { providerMessageId: question.providerMessageId ?? question.id } },
  quoted: question
})

/** The text as the choice of an option, as if it had been pressed. */
const asChoice = (inbound: InboundMessage, { option }: NumberedAnswer): InboundMessage => ({
  ...inbound,
  body: option.title,
  content: { type: "choice", id: option.id, title: option.title, timing: "first" }
})

type EnvelopeField = "automatic" | "forwarded" | "fullText" | "groupId" | "mail" | "quoted" | "referral"

/** The envelope of a message; null if it has none of its fields. */
export const envelopeOf = (
  quoted: Message | undefined,
  inbound: Partial<Pick<InboundMessage, EnvelopeField>>
): Envelope | null => {
  const {
    automatic = false,
    forwarded = false,
    fullText = null,
    groupId = null,
    mail = null,
    quoted: given = null,
    referral = null
  } = inbound
  return !forwarded && !automatic && [fullText, groupId, mail, given, referral].every((part) => part === null)
    ? null
    : {
        ...emptyEnvelope,
        forwarded,
        ...(automatic ? { automatic } : {}),
        groupId,
        mail,
        referral,
        ...(fullText === null ? {} : { fullText }),
        quoted: given === null ? null : quote(quoted, given)
      }
}

/** The reference to a quoted message, whether it is stored or not. */
export const quote = (
  message: Message | undefined,
  { body = null, providerMessageId }: NonNullable<InboundMessage["quoted"]>
): Quoted =>
  message === undefined
    ? { messageId: null, providerMessageId, applicationId: null, body }
    : { messageId: message.id, providerMessageId, applicationId: message.applicationId, body: null }

/** Whether this message was deleted at the vendor, or a deletion holds its id. */
const isDeleted = (message: Message | undefined): message is Message =>
  message?.type === "deletion" || message?.envelope?.isDeleted === true

/**
 * Whether an edit is not stored: a late one would bring back what was deleted, and vendors report edits without a
 * visible change. Messages of ours have no vendor's reference to their files: the types of these are compared.
 */
export const changesNothing = (
  { edits, quoted, shownFiles }: Pick<InboundWorld, "edits" | "quoted" | "shownFiles">,
  { body, files = [] }: Pick<InboundMessage, "body" | "files">
): boolean => {
  if (isDeleted(quoted)) return true
  const shown = edits[0] ?? quoted
  if (shown?.body.trim() !== body.trim() || shown.attachments.length !== files.length) return false
  return files.every(({ attachment, reference }, position) => {
    const stored = shown.attachments[position]
    if (stored?.type !== attachment.type) return false
    return (shownFiles.get(stored.id)?.reference ?? reference) === reference
  })
}

/** The stored message that a deletion erases: of the customer, or one that the business wrote elsewhere. */
export const erasedBy = ({ quoted }: Pick<InboundWorld, "quoted">): Message | undefined =>
  // A deletion that came first holds the provider id of its message.
  quoted !== undefined && (quoted.direction === "inbound" || isExternal(quoted)) && quoted.type !== "deletion"
    ? quoted
    : undefined

/** What an edit or a deletion changes beside its own row (docs/reference/content.md#reactions-edits-and-deletions). */
export const quotedMessageChanges = (world: QuotedWorld, message: Message, now: Instant): Parts => {
  if (message.type === "deletion") return deletionOf(world, message, now)
  const { quoted } = world
  // Conflicts with a concurrent deletion.
  return message.type === "edit" && quoted !== undefined
    ? { expects: [expect("messages", { id: quoted.id }, { version: quoted.version })] }
    : {}
}

type QuotedWorld = Pick<InboundWorld, "edits" | "knownQuoted" | "quoted" | "removed">

/**
 * Erases a message that was deleted at the vendor. Its row stays, because receipts, events and answers refer to it. A
 * message that is not stored yet is not stored later: its provider id becomes the deletion's.
 */
const deletionOf = (world: QuotedWorld, deletion: Message, now: Instant): Parts => {
  const { edits, knownQuoted, removed } = world
  const quotedId = deletion.envelope?.quoted?.providerMessageId ?? null
  // An own id is claimed already.
  if (knownQuoted?.messageId == null && quotedId !== null && quotedId !== deletion.providerMessageId) {
    // It may be a send whose acceptance is not recorded yet, and takes over its receipts.
    return claimProviderMessage(knownQuoted, deletion, quotedId, now, knownQuoted?.parked)
  }
  const quoted = erasedBy(world)
  if (quoted === undefined) return {}
  const isDeleted: Envelope = { ...emptyEnvelope, isDeleted: true }
  const erased = { body: "", subject: null, html: null, attachments: [], content: null, envelope: isDeleted }
  // An edit still names the message that it is of.
  const envelope: Envelope = {
    ...isDeleted,
    quoted: { messageId: quoted.id, providerMessageId: quoted.providerMessageId, applicationId: null, body: null }
  }
  return {
    expects: [
      ...[quoted, ...edits].map(({ id, version }) => expect("messages", { id }, { version })),
      ...(removed.expects ?? [])
    ],
    deletes: removed.deletes ?? [],
    sets: [
      set("messages", { id: quoted.id }, erased),
      ...edits.map(({ id }) => set("messages", { id }, { ...erased, envelope })),
      ...(removed.sets ?? [])
    ]
  }
}
