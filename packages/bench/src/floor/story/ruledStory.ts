import { SandboxProvider } from "@parley/channel-sandbox"
import {
  type Changes,
  type Decision,
  decodeSendMessageInput,
  fingerprint,
  type Ids,
  normaliseHandle,
  type RateToken,
  SendOutcome,
  scopes
} from "@parley/core"
import {
  applyReceipt,
  dueDelivery,
  recordAttempt,
  recordOutcome,
  scheduledReceipt,
  sendMessage,
  webhookRequest
} from "@parley/core/internals"
import { Either, Option } from "effect"
import { signingSecret } from "../../world/deliveries.js"
import type { StoryRules } from "./StoryRules.js"

const changesOf = <A>(decided: Either.Either<Decision<A>, unknown>): Changes => {
  if (Either.isLeft(decided) || decided.right.changes === null) throw new Error("The rules refused a step of a story")
  return decided.right.changes
}

/** Granted: the database refuses a batch for which the bucket has not enough tokens. */
const granted = (now: number): RateToken => ({ granted: true, limit: 1, remaining: 0, openedAt: now, resetAt: now })

/** A story decided by the rules of the engine. */
export const ruledStory = (ids: Ids): StoryRules => {
  const { channels } = SandboxProvider
  const [channel] = channels
  if (channel === undefined) throw new Error("The sandbox has no channel")
  return {
    accept: ({ body, key, requestId }, rows, lease, now) => {
      const [application] = rows.applications
      const recipient = rows.recipients.get(body.to)
      if (application === undefined) throw new Error("The application is missing")
      const world = {
        caller: { application, workspace: { id: application.workspaceId } as never, scopes, credentialId: null },
        channel,
        channels,
        record: rows.records.get(key),
        connections: rows.connections,
        provider: (connection: (typeof rows.connections)[number]) => ({
          provider: SandboxProvider,
          capabilities: SandboxProvider.capabilities(connection)
        }),
        handle: Option.some(normaliseHandle("whatsapp", body.to)),
        contact: recipient?.contact,
        conversations: recipient === undefined ? [] : [recipient.conversation],
        templates: rows.templates,
        quoted: undefined,
        uploads: [],
        subscribers: rows,
        token: granted(now)
      }
      const command = {
        decoded: decodeSendMessageInput(body),
        idempotency: { key, fingerprint: fingerprint("POST", "/api/v1/messages", body) },
        requestId
      }
      return changesOf(sendMessage(world, command, { leaseFor: () => lease, verdictWait: 0 }, now, ids))
    },
    outcome: ({ at, deliveredAt, job, message, providerMessageId, readAt }, subscribers, now) => {
      const world = {
        message,
        answeredAt: at,
        known: undefined,
        copy: undefined,
        copyFiles: {},
        copyEvents: [],
        watermarks: undefined,
        feed: undefined,
        connection: undefined,
        contact: undefined,
        identity: channel.identity,
        holder: undefined,
        awaitingRecord: undefined,
        subscribers
      }
      const outcome = SendOutcome.Accepted({
        providerMessageId,
        receipts: [
          { status: "delivered", at: deliveredAt, error: null },
          { status: "read", at: readAt, error: null }
        ]
      })
      return changesOf(recordOutcome(world, { job, outcome, resends: SandboxProvider.dedupes }, now, ids))
    },
    receipt: ({ job, known, message }, subscribers, now) => {
      const { connectionId, providerMessageId, workspaceId } = known
      const settle = { jobId: job.id, epoch: job.epoch, again: null }
      const command = { workspaceId, connectionId, providerMessageId, receipt: scheduledReceipt(job), settle }
      return changesOf(applyReceipt({ known, message, subscribers }, command, now, ids))
    },
    post: ({ delivery, endpoint, event, job }, { applications }, attemptId, now) => {
      const [application] = applications
      const decided = dueDelivery({ delivery, endpoint, event, application, order: null }, job, now)
      if (Either.isLeft(decided) || decided.right.result === null) throw new Error("The delivery is not due")
      const { url } = endpoint
      return webhookRequest(event, { id: attemptId, number: 1 }, { url, secret: signingSecret }, "parley", now)
    },
    attempt: ({ delivery, endpoint, event, job }, attempt, now) => {
      const made = { attempt, called: { endpoint, url: endpoint.url }, event, job, jitter: 0 }
      return changesOf(recordAttempt({ delivery, endpoint, next: undefined }, made, now, ids))
    }
  }
}
