import type { Decision } from "../../kernel/Decider.js"
import { derivedId } from "../../kernel/derivedId.js"
import type { BotSession } from "../../model/BotSession.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, newJob } from "../../model/Job.js"
import type { Message } from "../../model/Message.js"
import { changes, expect, type Parts, type RowOf, remove, row, settleJob } from "../../ports/Changes.js"

/** Id of the job in which a bot answers this message. The message is unanswered while the job exists. */
export const botMessageJobId = (messageId: string): string => derivedId(messageId, "converse")

/** The job in which a bot answers a customer's message. */
export const botMessageJob = (message: Message): RowOf<"jobs"> =>
  botJob({ id: message.conversationId, workspaceId: message.workspaceId }, message.createdAt, message.createdAt, {
    id: botMessageJobId(message.id),
    payload: { task: "converse", messageId: message.id }
  })

/** Marks the message as answered by deleting its job. Conflicts with any other answer. */
export const messageTaken = (messageId: string): Parts => deletedJob(botMessageJobId(messageId))

/** Deletes those of these jobs that answer a message, so that no bot answers it. */
export const messagesTaken = (jobs: ReadonlyArray<Job>): ReadonlyArray<Parts> =>
  jobs.filter(({ payload }) => payload?.task === "converse").map(({ id }) => deletedJob(id))

/** The time-out job of a session, one per session. It is deleted with the session's end. */
export const timeOutJob = (session: BotSession): RowOf<"jobs"> =>
  botJob({ id: session.conversationId, workspaceId: session.workspaceId }, session.expiresAt, session.startedAt, {
    id: timeOutJobId(session),
    payload: { task: "time_out_bot", sessionId: session.id }
  })

export const isTimeOutJob = ({ payload }: Job): boolean => payload?.task === "time_out_bot"

export const withoutTimeOut = (session: BotSession): Parts => deletedJob(timeOutJobId(session))

const timeOutJobId = ({ id }: BotSession): string => derivedId(id, "time_out_bot")

const botJob = (
  { id: subject, workspaceId }: Pick<Conversation, "id" | "workspaceId">,
  runAt: Instant,
  createdAt: Instant,
  job: Pick<Job, "id" | "payload">
): RowOf<"jobs"> =>
  row("jobs", newJob({ ...job, workspaceId, lane: "runs", subject, reference: subject, runAt, createdAt }))

/** Postpones a bot job until then; null deletes it. */
export const postponeBotJob = (job: Job, until: Instant | null): Decision<"rests"> => {
  const again = until === null ? null : { runAt: until, lane: job.lane, payload: job.payload }
  return { changes: changes(job.workspaceId, { settle: settleJob(job, again) }), result: "rests" }
}

/** A delete instead of a settle: the first commit deletes the job, leased or not, and the others conflict. */
const deletedJob = (id: string): Parts => ({ expects: [expect("jobs", { id })], deletes: [remove("jobs", { id })] })
