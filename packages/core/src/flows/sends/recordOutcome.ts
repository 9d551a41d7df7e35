import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Message, MessageError } from "../../model/Message.js"
import { changes, endJob, type Parts, type Settle, settleJob } from "../../ports/Changes.js"
import type { SendOutcome } from "../../ports/ChannelProvider.js"
import type { Ids } from "../../ports/Ids.js"
import { completeIdempotency, releaseIdempotency } from "../../resources/access/idempotency.js"
import { disconnect } from "../../resources/channels/disconnect.js"
import { optOut } from "../../resources/contacts/optOut.js"
import { recordContact } from "../../resources/contacts/recordContact.js"
import { advance } from "../../resources/messages/advance.js"
import { recordProgress } from "../../resources/messages/recordProgress.js"
import type { Verdict } from "../../resources/messages/Verdict.js"
import { nextTry, reasonOf, type SendResult } from "./nextTry.js"
import type { OutcomeWorld } from "./OutcomeWorld.js"
import { isRecorded, recordAcceptance } from "./recordAcceptance.js"
import { progressOf } from "./SendProgress.js"

/**
 * Records the outcome of a provider call (docs/reference/messages.md#message-status,
 * docs/reference/messages.md#rejected-within-the-wait). The outcome is recorded even if the lease of the job was lost.
 */
export const recordOutcome = (
  world: OutcomeWorld,
  { job, outcome, resends }: SendResult,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Verdict>, Refusal> => {
  const { awaitingRecord, message } = world
  const write = (verdict: Verdict, again: Settle["again"], ...parts: ReadonlyArray<Parts>) =>
    Either.right({
      changes: changes(message.workspaceId, { settle: settleJob(job, again) }, ...parts),
      result: verdict
    })
  const stillAwaiting = awaitingRecord?.state === "awaiting" ? awaitingRecord : undefined
  const completedKey = completeIdempotency(awaitingRecord)
  // A receipt came before the outcome and moved the status further.
  const isOver = message.status !== "queued"

  switch (outcome._tag) {
    case "Accepted":
      return write(
        { _tag: "Accepted", feed: feedPositionOf(world) },
        null,
        completedKey,
        ...recordAcceptance(world, outcome, now, ids)
      )
    case "Rejected": {
      const parts = rejectionParts(world, outcome, now, ids)
      // An earlier commit of this outcome got no answer, and has failed the message and released the key.
      const isRejected = message.status === "failed" && awaitingRecord === undefined
      if (isRejected) return write({ _tag: "Rejected", freed: true, outcome }, null, ...parts)
      if (isOver) return write(arrived, null, completedKey, ...parts)
      const provider = { code: outcome.providerCode, message: outcome.providerMessage }
      const error = { code: outcome.code, message: "The provider rejected the message.", provider }
      return write(
        { _tag: "Rejected", freed: stillAwaiting !== undefined, outcome },
        null,
        stillAwaiting === undefined ? {} : releaseIdempotency(stillAwaiting),
        failed(world, error, now, ids),
        ...parts
      )
    }
    default: {
      const { again, parts } = nextTry(world, { job, outcome, resends }, now, ids)
      if (isOver) return write(arrived, null, completedKey, parts)
      if (again !== null) return write({ _tag: "Postponed" }, again, completedKey, parts)
      const mayHaveArrived = outcome._tag === "Unknown" || progressOf(job).mayHaveArrived
      const error = mayHaveArrived
        ? outcomeUnknown(reasonOf(outcome))
        : unreached("The provider could not be reached in time.", "unavailable", reasonOf(outcome))
      return write({ _tag: "Postponed" }, null, completedKey, failed(world, error, now, ids))
    }
  }
}

/** The error of a message that its provider did not refuse, with the reason of its last try for administrators. */
const unreached = (message: string, code: string, reason: string | null): MessageError => ({
  code: "provider_error",
  message,
  ...(reason === null ? {} : { provider: { code, message: reason } })
})

const arrived: Verdict = { _tag: "Accepted", feed: null }

/** The position of the message in the feed of its conversation. Null for a provider without a feed. */
const feedPositionOf = ({ feed, known }: OutcomeWorld): (Verdict & { readonly _tag: "Accepted" })["feed"] =>
  feed === undefined || isRecorded(known)
    ? null
    : { connectionId: feed.connectionId, handle: feed.handle, fed: feed.fed + 1 }

/** Effects of a rejection beyond the message: disconnects the connection, opts the recipient out. */
const rejectionParts = (
  { connection, contact, subscribers }: OutcomeWorld,
  outcome: SendOutcome & { readonly _tag: "Rejected" },
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => [
  connection === undefined ? {} : disconnect(connection, outcome, now, ids),
  contact === undefined || outcome.optOut === undefined
    ? {}
    : recordContact(optOut(contact, outcome.optOut, true, now), subscribers, now, ids)
]

/**
 * The error of a message that may have reached the customer (docs/reference/messages.md#unknown-outcome), with the
 * reason of its last try for administrators.
 */
export const outcomeUnknown = (reason: string | null): MessageError =>
  unreached("The outcome of the send stayed unknown.", "outcome_unknown", reason)

/**
 * Fails a queued message that is not handed over, and ends its job. A request that waits for the verdict answers 202.
 */
export const failQueued = (
  world: Pick<OutcomeWorld, "awaitingRecord" | "message" | "subscribers">,
  job: Job,
  error: MessageError,
  now: Instant,
  ids: Ids
): Decision<Verdict> => ({
  changes: changes(
    world.message.workspaceId,
    { settle: endJob(job) },
    completeIdempotency(world.awaitingRecord),
    failed(world, error, now, ids)
  ),
  result: { _tag: "Postponed" }
})

/** Fails a message that is queued: callers have checked that no receipt moved it further. */
const failed = (
  { message, subscribers }: Pick<OutcomeWorld, "message" | "subscribers">,
  error: Message["error"],
  now: Instant,
  ids: Ids
): Parts =>
  recordProgress(subscribers, { message, reached: advance(message, { status: "failed", at: now, error }) }, now, ids)
