import { Either } from "effect"
import type { Answer } from "../access/Answer.js"
import { remember } from "../access/recall.js"
import { serviceWindowExpiresAt } from "../conversations/ConversationResource.js"
import { openConversation } from "../conversations/openConversation.js"
import type { Decision } from "../Decider.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { emit } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { changes, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { type InitialLease, type Job, newJob } from "../worker/Job.js"
import type { Message } from "./Message.js"
import { messageEvent } from "./messageEvent.js"
import type { SendCommand } from "./SendCommand.js"
import type { SendWorld } from "./SendWorld.js"
import { type CheckedSend, type ValidSend, validateSend } from "./validateSend.js"

/** What a send came to. */
export interface Sent {
  readonly answer: Answer
  /** Null for a replay. */
  readonly accepted: {
    readonly message: Message
    /** Brings it to the provider. */
    readonly job: Job
    /** How long the answer waits for the provider's verdict, in ms. */
    readonly verdictWait: number
  } | null
}

/** What the process offers a send that it accepts. */
export interface Offer {
  /** The job is made with it, so that this process alone hands the message over; null: any worker may. */
  readonly lease: InitialLease | null
  /** How long the answer waits for the provider's verdict, in ms, unless the connection says otherwise; 0: never. */
  readonly verdictWait: number
}

/**
 * The rules of `POST /messages` (spec; decisions.md §2 steps 7 to 11, §7), as a value. Accepted, a send makes the message,
 * its `message.queued` event, the job that hands it over, the idempotency record, and whatever of contact and conversation
 * was unknown.
 */
export const sendMessage = (
  world: SendWorld,
  command: SendCommand,
  offer: Offer,
  now: Instant,
  ids: Ids,
  /** Of {@link validateSend} on this world, where that was asked already. */
  validated: Either.Either<CheckedSend, Refusal> = validateSend(world, command, now)
): Either.Either<Decision<Sent>, Refusal> =>
  Either.flatMap(validated, (checked): Either.Either<Decision<Sent>, Refusal> => {
    const workspaceId = world.caller.workspace.id
    if ("recalled" in checked) {
      const { answer, parts } = checked.recalled
      const write = parts.expects === undefined ? null : changes(workspaceId, parts)
      return Either.right({ changes: write, result: { answer, accepted: null } })
    }
    return Either.map(permitSend(world, checked.valid, now), (permitted) => {
      const { connection, provider } = permitted
      const { serviceWindowHours } = provider.capabilities
      const opened = openConversation(
        { ...world, conversation: conversationOn(world, connection.id) },
        { connection, handle: checked.valid.handle, direction: "outbound", displayName: null, serviceWindowHours },
        now,
        ids
      )
      const message = newMessage(
        world,
        checked.valid,
        permitted.connection.id,
        opened.conversation.id,
        opened.contact.id,
        ids,
        now
      )
      const body = JSON.stringify({ data: acknowledgement(message, command.requestId) })
      const lease = offer.lease
      const wait = lease === null ? 0 : verdictWaitOf(connection.config, offer.verdictWait)
      const job = newJob(
        {
          id: ids.next(now),
          workspaceId,
          lane: "sends",
          subject: connection.id,
          reference: message.id,
          payload: { to: checked.valid.handle },
          runAt: now,
          createdAt: now
        },
        lease
      )
      const events = [...opened.events, messageEvent("message.queued", message)]
      return {
        changes: changes(
          workspaceId,
          remember(
            world.record,
            world.caller,
            command.idempotency,
            { status: 202, body },
            now,
            wait === 0 ? null : now + wait
          ),
          ...opened.parts,
          {
            inserts: [
              row("messages", message),
              row("jobs", job),
              ...events.flatMap((event) => emit(world.subscribers, event, now, ids))
            ]
          }
        ),
        result: { answer: { status: 202, body, replayed: false }, accepted: { message, job, verdictWait: wait } }
      }
    })
  })

/** Step 10: the rules that have a code of their own. Answers the connection to send on. */
export const permitSend = (world: SendWorld, valid: ValidSend, now: Instant) => {
  const { connection, content } = valid
  if (connection === undefined) {
    return Either.left(
      refuse(
        "forbidden",
        { channel: valid.channel },
        `This application may not send on this ${valid.channel} connection, or has none.`
      )
    )
  }
  const provider = world.provider(connection)
  if (connection.status !== "active" || provider === undefined) {
    return Either.left(
      refuse("channel_unavailable", {}, `The connection is ${connection.status}; an administrator can activate it.`)
    )
  }
  if (content.type === "unsendable") return Either.left(refuse("template_not_approved"))
  const { serviceWindowHours } = provider.capabilities
  if (content.type === "text" && serviceWindowHours !== null) {
    const conversation = conversationOn(world, connection.id)
    const expiresAt = conversation === undefined ? null : serviceWindowExpiresAt(conversation, serviceWindowHours)
    if (expiresAt === null || expiresAt <= now) {
      return Either.left(
        refuse(
          "outside_service_window",
          { expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() },
          provider.capabilities.templates
            ? "The customer has not written lately. Send a template, or wait until they write."
            : "The customer has not written lately, and this channel has no templates. Wait until they write."
        )
      )
    }
  }
  return Either.right({ connection, provider })
}

/** How long a send on this connection waits for its verdict, in ms. */
const verdictWaitOf = (config: { readonly [key: string]: unknown }, byDefault: number): number =>
  typeof config.verdict_wait_ms === "number" ? config.verdict_wait_ms : byDefault

const conversationOn = (world: SendWorld, connectionId: string) =>
  world.conversations.find((conversation) => conversation.connectionId === connectionId)

const newMessage = (
  world: SendWorld,
  { content, externalReference }: ValidSend,
  connectionId: string,
  conversationId: string,
  contactId: string,
  ids: Ids,
  now: Instant
): Message => ({
  id: ids.next(now),
  workspaceId: world.caller.workspace.id,
  applicationId: world.caller.application.id,
  externalReference,
  conversationId,
  contactId,
  connectionId,
  direction: "outbound",
  type: content.type === "template" ? "template" : "text",
  status: "queued",
  body: content.type === "unsendable" ? "" : content.body,
  subject: content.type === "text" ? content.subject : null,
  templateName: content.type === "template" ? content.template.name : null,
  templateLanguage: content.type === "template" ? content.template.language : null,
  variables: content.type === "template" ? content.variables : [],
  attachments: [],
  error: null,
  providerMessageId: null,
  createdAt: now,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  receivedAt: null,
  version: 1
})

/** `data` of the 202 (spec, Message: send acknowledgement). */
const acknowledgement = (message: Message, requestId: string) => ({
  message_id: message.id,
  status: message.status,
  external_reference: message.externalReference,
  conversation_id: message.conversationId,
  contact_id: message.contactId,
  connection_id: message.connectionId,
  request_id: requestId
})
