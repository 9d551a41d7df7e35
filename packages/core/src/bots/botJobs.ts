import type { Conversation } from "../conversations/Conversation.js"
import type { Decision } from "../Decider.js"
import { derivedId } from "../derivedId.js"
import type { Instant } from "../Instant.js"
import type { Message } from "../messages/Message.js"
import { changes, expect, type Parts, type RowOf, remove, row } from "../ports/Changes.js"
import { type Job, newJob } from "../worker/Job.js"
import type { BotSession } from "./BotSession.js"

/** The id of the job by which a bot takes this message: while it is there, nobody has taken the message. */
export const converseJobId = (messageId: string): string => derivedId(messageId, "converse")

/** The job by which a bot takes a customer's message. */
export const converseJob = (message: Message): RowOf<"jobs"> =>
  botJob({ id: message.conversationId, workspaceId: message.workspaceId }, message.createdAt, message.createdAt, {
    id: converseJobId(message.id),
    payload: { task: "converse", messageId: message.id }
  })

/** That this message is taken now, and by nobody else: whichever job brought it here. */
export const taken = (messageId: string): Parts => gone(converseJobId(messageId))

/** The one job of a dialogue that ends it when nobody answers; it goes with the dialogue. */
export const timeOutJob = (session: BotSession): RowOf<"jobs"> =>
  botJob({ id: session.conversationId, workspaceId: session.workspaceId }, session.expiresAt, session.startedAt, {
    id: timeOutJobId(session),
    payload: { task: "time_out_bot", sessionId: session.id }
  })

export const withoutTimeOut = (session: BotSession): Parts => gone(timeOutJobId(session))

const timeOutJobId = ({ id }: BotSession): string => derivedId(id, "time_out_bot")

const botJob = (
  { id: subject, workspaceId }: Pick<Conversation, "id" | "workspaceId">,
  runAt: Instant,
  createdAt: Instant,
  job: Pick<Job, "id" | "payload">
): RowOf<"jobs"> =>
  row("jobs", newJob({ ...job, workspaceId, lane: "runs", subject, reference: subject, runAt, createdAt }))

/** What becomes of such a job that there is nothing to do for: it waits until then; null: it goes. */
export const putOff = (job: Job, until: Instant | null): Decision<"rests"> => {
  const again = until === null ? null : { runAt: until, lane: job.lane, payload: job.payload }
  return { changes: changes(job.workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again } }), result: "rests" }
}

/** Not a settle: whoever wins deletes the job, leased or not, and all others find it gone. */
const gone = (id: string): Parts => ({ expects: [expect("jobs", { id })], deletes: [remove("jobs", { id })] })
