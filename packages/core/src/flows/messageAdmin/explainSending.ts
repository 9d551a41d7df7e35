import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, neverDue } from "../../model/Job.js"
import type { Message } from "../../model/Message.js"
import { failingSinceOf } from "../../resources/channels/Fetch.js"
import { filesTimeout } from "../fetches/fetchMessageFiles.js"
import { retryWindow } from "../sends/nextTry.js"
import { progressOf, type SendProgress } from "../sends/SendProgress.js"

/** Where a message is on its way to the provider. */
export const sendingStates = [
  "inbound",
  "handed_over",
  "failed",
  "fetching_files",
  "sending",
  "queued_at_vendor",
  "due",
  "rate_limited",
  "throttled",
  "retrying",
  "connection_inactive",
  "outcome_unknown",
  "parked",
  "without_job"
] as const

/** Where a message is on its way to the provider, and why (docs/reference/administration.md#sending). */
export interface Sending {
  readonly state: (typeof sendingStates)[number]
  /** One or two sentences. */
  readonly explanation: string
  /** Start of the next attempt in ms, or the time at which the message fails without one; null if neither is known. */
  readonly nextAt: Instant | null
  readonly connectionId: string
  /** Its job; null if it is not queued. */
  readonly jobId: string | null
  /** The process that hands it over now; null if none does. */
  readonly leaseOwner: string | null
}

/** What {@link explainSending} reads. */
export interface SendingWorld {
  readonly message: Message
  readonly job: Job | undefined
  readonly connection: Connection | undefined
}

/** Explains the state of a message. `now`: in ms. */
export const explainSending = (world: SendingWorld, now: Instant): Sending => {
  const { job, message } = world
  const { explanation, nextAt = null, state } = message.status === "queued" ? queued(world, now) : settled(message)
  return {
    state,
    explanation,
    nextAt,
    connectionId: message.connectionId,
    jobId: message.status === "queued" ? (job?.id ?? null) : null,
    leaseOwner: state === "sending" ? (job?.leaseOwner ?? null) : null
  }
}

interface Explained {
  readonly state: Sending["state"]
  readonly explanation: string
  readonly nextAt?: Instant
}

const settled = ({ direction, error, sentAt, status }: Message): Explained => {
  if (direction === "inbound") return { state: "inbound", explanation: "The customer sent this message." }
  if (status === "failed") {
    const said = error?.provider == null ? null : providerText(error.provider)
    const provider = said === null ? "" : ` The provider said: ${said}${/[.!?]$/.test(said) ? "" : "."}`
    return { state: "failed", explanation: `It failed with ${error?.code}: ${error?.message}${provider}` }
  }
  const at = sentAt === null ? "" : ` at ${timeOf(sentAt)}`
  return { state: "handed_over", explanation: `The provider accepted it${at}. Its status is ${status}.` }
}

const queued = ({ connection, job, message }: SendingWorld, now: Instant): Explained => {
  if (job === undefined && message.providerMessageId !== null) {
    return {
      state: "queued_at_vendor",
      explanation:
        "The provider took it and sends it later. Its status changes with the provider's next report. Without any, it becomes sent 24 hours after the provider took it: check that the provider can reach the connection's webhook."
    }
  }
  if (job === undefined) {
    return {
      state: "without_job",
      explanation: "It has no job in the queue under its id. It ended just now, or an earlier version accepted it."
    }
  }
  if (job.lane === "parked") return parked(job)
  if (job.lane === "downloads" || job.lane === "fetches") return fetchingFiles(job, now)
  const progress = progressOf(job)
  if (job.leaseUntil > now) {
    return {
      state: "sending",
      explanation: `Process ${job.leaseOwner} hands it over (attempt ${progress.tries + 1}). Its lease ends at ${timeOf(job.leaseUntil)} unless it is renewed.`,
      nextAt: job.leaseUntil
    }
  }
  const nextAt = job.runAt
  if (progress.held) {
    return {
      state: "outcome_unknown",
      explanation: `The outcome of attempt ${progress.tries} is unknown${because(progress)}: it may have reached the customer. It waits for a receipt and fails at ${timeOf(nextAt)} without one.`,
      nextAt
    }
  }
  if (connection === undefined || connection.status !== "active") {
    return {
      state: "connection_inactive",
      explanation: `Its connection is ${connection?.status ?? "missing"}. It is sent once the connection is active.`,
      nextAt
    }
  }
  if (nextAt <= now) {
    return {
      state: "due",
      explanation: `It is due since ${timeOf(Math.max(nextAt, job.leaseUntil))}, and no worker has claimed it.`,
      nextAt
    }
  }
  return { ...waiting(job, connection, now), nextAt }
}

const fetchingFiles = (job: Job, now: Instant): Explained => {
  const { attempts, leaseUntil, payload, runAt } = job
  const since = failingSinceOf(job)
  const failing =
    since === undefined
      ? ""
      : ` That has been failing since ${timeOf(since)}, the last time with: ${payload?.reason ?? "unknown"}. The message fails after ${timeOf(since + filesTimeout)} if no attempt succeeds.`
  return {
    state: "fetching_files",
    explanation: `Its files are copied from the URLs that its sender gave (attempt ${Math.max(attempts, 1)}), then it is handed over.${failing}`,
    nextAt: Math.max(leaseUntil > now ? leaseUntil : 0, runAt)
  }
}

const parked = ({ failure, runAt }: Job): Explained => {
  const end = runAt >= neverDue ? "" : ` It fails at ${timeOf(runAt)} unless it is retried.`
  return {
    state: "parked",
    explanation: `Its job failed ${failure?.count} times and is parked: ${failure?.error}.${end}`,
    ...(runAt >= neverDue ? {} : { nextAt: runAt })
  }
}

/** Reason for an attempt in the future. */
const waiting = (job: Job, { heldUntil }: Connection, now: Instant): Explained => {
  const progress = progressOf(job)
  const { failingSince, recipientSlot, slot, tries } = progress
  const next = `The next attempt is at ${timeOf(job.runAt)}.`
  if (heldUntil > now) {
    return {
      state: "throttled",
      explanation: `The provider throttles its connection until ${timeOf(heldUntil)}. ${next}`
    }
  }
  if (job.failure !== null) {
    const { count, error } = job.failure
    return { state: "retrying", explanation: `Its job failed ${count} times, the last time with: ${error}. ${next}` }
  }
  if (failingSince !== null) {
    const end = timeOf(failingSince + retryWindow)
    return {
      state: "retrying",
      explanation: `Attempts have been failing since ${timeOf(failingSince)}${because(progress)}. ${next} It fails at ${end} if no attempt succeeds.`
    }
  }
  if (tries === 0 && slot === null && recipientSlot === null) {
    return {
      state: "rate_limited",
      explanation: `It waits, but not for a rate: it follows another message of its send, or at its last claim its connection was not active, the host lacked its provider, or too many sends of the connection ran. ${next}`
    }
  }
  return { state: "rate_limited", explanation: `It waits for the rate of its connection or recipient. ${next}` }
}

/** Reason of the last try, in parentheses. */
const because = ({ reason }: Pick<SendProgress, "reason">): string => (reason === null ? "" : ` (${reason})`)

const timeOf = (at: Instant): string => new Date(at).toISOString()

const providerText = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  [code, message].filter((part) => part !== "").join(" ")
