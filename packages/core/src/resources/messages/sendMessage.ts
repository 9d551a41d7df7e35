import { type Array as Arr, Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Job, LeaseFor } from "../../model/Job.js"
import type { Message } from "../../model/Message.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Answer } from "../access/Answer.js"
import { storeIdempotency } from "../access/idempotency.js"
import { tooManySends } from "../access/RateBuckets.js"
import { openConversation } from "../conversations/openConversation.js"
import { permitContent } from "./permitContent.js"
import { type Outgoing, type Queued, queueMessages } from "./queueMessages.js"
import type { SendCommand } from "./SendCommand.js"
import { conversationOn, type SendWorld } from "./SendWorld.js"
import { type ValidSend, validateSend } from "./validateSend.js"

/** Result of a send. */
export interface Sent {
  readonly answer: Answer
  /** Null for a replay. */
  readonly accepted: {
    readonly message: Message
    /** The send job. */
    readonly job: Job
    /** The verdict wait, in ms. */
    readonly verdictWait: number
  } | null
}

/** Options of the process for an accepted send. */
export interface HandOverOptions {
  /** Initial lease of the send job, for a verdict wait. Default: none. */
  readonly leaseFor?: LeaseFor
  /** Default verdict wait, in ms, unless the connection configures one; 0: no wait. */
  readonly verdictWait: number
}

/**
 * The rules of `POST /messages` in the order of checks (docs/reference/requests.md#order-of-checks): idempotency,
 * validation (docs/reference/messages.md#sending-a-message), the sends bucket, and the rules with a code of their own.
 * An accepted send creates the message, its `message.queued` event, the send job, the idempotency record, and the
 * contact and conversation if they are new (docs/reference/messages.md#what-a-send-commits).
 */
export const sendMessage = (
  world: SendWorld,
  command: SendCommand,
  handOver: HandOverOptions,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Sent>, Refusal> =>
  Either.flatMap(validateSend(world, command, now), (checked): Either.Either<Decision<Sent>, Refusal> => {
    const workspaceId = world.caller.workspace.id
    if ("replay" in checked) {
      const { answer, parts } = checked.replay
      const write = parts.expects === undefined ? null : changes(workspaceId, parts)
      return Either.right({ changes: write, result: { answer, accepted: null } })
    }
    if (world.token?.granted === false) return Either.left(tooManySends(world.token, now))
    const { externalReference } = checked.valid
    const sender = { applicationId: world.caller.application.id, externalReference }
    return Either.map(
      queueSend(world, checked.valid, sender, now, ids, handOver.leaseFor),
      ({ connection, queued }) => {
        const [{ job, message }, ...others] = queued
        // A message whose files are fetched first is answered at once. So are several, because the others remain if the
        // first one is rejected.
        const waits = job.leaseOwner !== null && others.length === 0
        const wait = waits ? verdictWaitOf(connection.config, handOver.verdictWait) : 0
        const body = JSON.stringify({ data: acknowledgement(queued, command.requestId) })
        const answer = { status: 202, body }
        const deadline = wait === 0 ? null : now + wait
        return {
          changes: changes(
            workspaceId,
            storeIdempotency(world.record, world.caller, command.idempotency, answer, now, { deadline }),
            ...queued.flatMap(({ parts }) => parts)
          ),
          result: { answer: { ...answer, replayed: false }, accepted: { message, job, verdictWait: wait } }
        }
      }
    )
  })

/**
 * Queues a valid send, for every kind of sender: checks the rules with a code of their own, then adds the message to
 * its conversation, or several if its files do not fit into one.
 */
export const queueSend = (
  world: SendWorld,
  valid: ValidSend,
  sender: Outgoing["sender"],
  now: Instant,
  ids: Ids,
  leaseFor?: LeaseFor
): Either.Either<{ readonly queued: Arr.NonEmptyReadonlyArray<Queued>; readonly connection: Connection }, Refusal> =>
  Either.map(permitSend(world, valid, now), ({ capabilities: { files, serviceWindowHours }, connection }) => {
    const { automatic, content, handle, quoted } = valid
    const opened = openConversation(
      { contact: world.contact, conversation: conversationOn(world, connection.id) },
      {
        connection,
        identity: world.channel?.identity ?? null,
        handle,
        direction: "outbound",
        displayName: null,
        serviceWindowHours
      },
      now,
      ids
    )
    const { subscribers } = world
    const queued = queueMessages(
      { sender, handle, contents: [content], files, quoted, automatic, opened, subscribers },
      now,
      ids,
      leaseFor
    )
    return { queued, connection }
  })

/**
 * The rules with a code of their own (docs/reference/messages.md#rules-with-a-code-of-their-own). Returns the
 * connection to send on and the capabilities of its provider.
 */
const permitSend = (world: SendWorld, { channel, connection, content }: ValidSend, now: Instant) =>
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

/** The verdict wait of this connection, in ms. */
const verdictWaitOf = (config: { readonly [key: string]: unknown }, byDefault: number): number =>
  typeof config.verdict_wait_ms === "number" ? config.verdict_wait_ms : byDefault

/** `data` of the 202 (docs/reference/messages.md#send-acknowledgement). */
const acknowledgement = (queued: Arr.NonEmptyReadonlyArray<Queued>, requestId: string) => {
  const [{ message }, ...others] = queued
  return {
    message_id: message.id,
    ...(others.length === 0 ? {} : { message_ids: queued.map((one) => one.message.id) }),
    status: message.status,
    external_reference: message.externalReference,
    conversation_id: message.conversationId,
    contact_id: message.contactId,
    connection_id: message.connectionId,
    request_id: requestId
  }
}
