import { Either } from "effect"
import type { Answer } from "../access/Answer.js"
import { remember } from "../access/recall.js"
import type { Connection } from "../channels/Connection.js"
import { openConversation } from "../conversations/openConversation.js"
import type { Decision } from "../Decider.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { changes } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { InitialLease, Job } from "../worker/Job.js"
import type { Message } from "./Message.js"
import { permitContent } from "./permitContent.js"
import { type Outgoing, type Queued, queueMessage } from "./queueMessage.js"
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
    const { externalReference } = checked.valid
    const sender = { applicationId: world.caller.application.id, externalReference }
    return Either.map(queueSend(world, checked.valid, sender, offer.lease, now, ids), (queued) => {
      const { connection, job, message, parts } = queued
      const wait = offer.lease === null ? 0 : verdictWaitOf(connection.config, offer.verdictWait)
      const body = JSON.stringify({ data: acknowledgement(message, command.requestId) })
      const answer = { status: 202, body }
      const deadline = wait === 0 ? null : now + wait
      return {
        changes: changes(
          workspaceId,
          remember(world.record, world.caller, command.idempotency, answer, now, deadline),
          ...parts
        ),
        result: { answer: { ...answer, replayed: false }, accepted: { message, job, verdictWait: wait } }
      }
    })
  })

/** What becomes of a send whose input is in order, for whoever sends: step 10, and the message in its conversation. */
export const queueSend = (
  world: SendWorld,
  valid: ValidSend,
  sender: Outgoing["sender"],
  lease: InitialLease | null,
  now: Instant,
  ids: Ids
): Either.Either<Queued & { readonly connection: Connection }, Refusal> =>
  Either.map(permitSend(world, valid, now), ({ capabilities: { serviceWindowHours }, connection }) => {
    const { content, handle } = valid
    const opened = openConversation(
      { contact: world.contact, conversation: conversationOn(world, connection.id) },
      { connection, handle, direction: "outbound", displayName: null, serviceWindowHours },
      now,
      ids
    )
    const { subscribers } = world
    return { ...queueMessage({ sender, handle, content, opened, subscribers }, lease, now, ids), connection }
  })

/** Step 10: the rules that have a code of their own. Answers the connection to send on, and what its provider can do. */
export const permitSend = (world: SendWorld, { channel, connection, content }: ValidSend, now: Instant) =>
  connection === undefined
    ? Either.left(
        refuse("forbidden", { channel }, `This application may not send on this ${channel} connection, or has none.`)
      )
    : Either.map(
        permitContent(
          connection,
          world.provider(connection)?.capabilities,
          conversationOn(world, connection.id),
          content,
          now
        ),
        (capabilities) => ({ connection, capabilities })
      )

/** How long a send on this connection waits for its verdict, in ms. */
const verdictWaitOf = (config: { readonly [key: string]: unknown }, byDefault: number): number =>
  typeof config.verdict_wait_ms === "number" ? config.verdict_wait_ms : byDefault

const conversationOn = (world: SendWorld, connectionId: string) =>
  world.conversations.find((conversation) => conversation.connectionId === connectionId)

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
