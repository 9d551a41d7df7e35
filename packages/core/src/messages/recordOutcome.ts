import { Either } from "effect"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { finish, free } from "../access/recall.js"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Subscribers } from "../events/Outbox.js"
import { day, type Instant, minute, second } from "../Instant.js"
import { changes, expect, type Parts, row, set } from "../ports/Changes.js"
import type { SendOutcome } from "../ports/ChannelProvider.js"
import type { Ids } from "../ports/Ids.js"
import { type Job, newJob } from "../worker/Job.js"
import { advanceAll } from "./advance.js"
import type { Message, ProviderMessage, Receipt } from "./Message.js"
import { recordProgress } from "./recordProgress.js"

/** All that recording a send's outcome may look at. */
export interface OutcomeWorld {
  readonly message: Message
  /** Of the provider message id, where the provider accepted. */
  readonly known: ProviderMessage | undefined
  /** Of the send's key, while its sender waits for the verdict in this process. */
  readonly awaiting: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/** What became of the send, for the one who waits. */
export type Verdict =
  | { readonly _tag: "Accepted" }
  /** It will be tried again: there is no verdict yet. */
  | { readonly _tag: "Postponed" }
  /** `freed`: nobody replayed the key before, so that the answer is 502. */
  | {
      readonly _tag: "Rejected"
      readonly freed: boolean
      readonly outcome: SendOutcome & { readonly _tag: "Rejected" }
    }

/** How long transient failures are tried again, and an unknown outcome is waited for (decisions.md §7). */
export const patience = day

/** Before the next try: from 1 s, doubling, at most 5 min. */
export const backoff = (attempts: number): number => Math.min(second * 2 ** Math.max(0, attempts - 1), 5 * minute)

/**
 * Writes down what came of handing a message to its provider (decisions.md §7, §8). What was observed is recorded whether
 * or not the lease of the job still holds.
 */
export const recordOutcome = (
  world: OutcomeWorld,
  job: Job,
  outcome: SendOutcome,
  dedupes: boolean,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Verdict>, Refusal> => {
  const { message, awaiting } = world
  const write = (verdict: Verdict, ...parts: ReadonlyArray<Parts>): Either.Either<Decision<Verdict>, Refusal> =>
    Either.right({ changes: changes(message.workspaceId, ...parts), result: verdict })
  const settle: Parts = { settle: { jobId: job.id, epoch: job.epoch, again: null } }
  const stillAwaiting = awaiting?.state === "awaiting" ? awaiting : undefined
  const answered = stillAwaiting === undefined ? {} : finish(stillAwaiting)

  switch (outcome._tag) {
    case "Accepted":
      return write({ _tag: "Accepted" }, settle, answered, accepted(world, outcome, now, ids))
    case "Rejected": {
      if (message.status !== "queued") return write({ _tag: "Accepted" }, settle, answered)
      const error = { code: outcome.code, message: "The provider rejected the message." }
      return write(
        { _tag: "Rejected", freed: stillAwaiting !== undefined, outcome },
        settle,
        stillAwaiting === undefined ? {} : free(stillAwaiting),
        failed(world, error, now, ids)
      )
    }
    default: {
      const pause =
        outcome._tag === "Throttled" ? (outcome.retryAfterMs ?? backoff(job.attempts)) : backoff(job.attempts)
      const deadline = message.createdAt + patience
      const hold = outcome._tag === "Unknown" && !dedupes
      const runAt = hold ? deadline : now + pause
      // A receipt told more than the provider's answer.
      if (message.status !== "queued") return write({ _tag: "Accepted" }, settle, answered)
      // A throttled send waits as long as it takes; everything else has its day.
      if (outcome._tag !== "Throttled" && !hold && runAt > deadline) {
        const error = { code: "provider_error" as const, message: "The provider could not be reached in time." }
        return write({ _tag: "Postponed" }, settle, answered, failed(world, error, now, ids))
      }
      const again = { runAt, lane: "sends" as const, payload: { ...job.payload, settled: job.attempts, held: hold } }
      return write({ _tag: "Postponed" }, { settle: { jobId: job.id, epoch: job.epoch, again } }, answered)
    }
  }
}

/** The send of a held message whose outcome never became known (decisions.md §7): it fails. */
export const giveUp = (world: OutcomeWorld, job: Job, now: Instant, ids: Ids): Either.Either<Decision<null>, Refusal> =>
  Either.right({
    changes: changes(
      world.message.workspaceId,
      { settle: { jobId: job.id, epoch: job.epoch, again: null } },
      failed(world, { code: "provider_error", message: "What became of the message could not be learned." }, now, ids)
    ),
    result: null
  })

const failed = (world: OutcomeWorld, error: Message["error"], now: Instant, ids: Ids): Parts => {
  const reached = advanceAll(world.message, [{ status: "failed", at: now, error }])
  return reached.length === 0 ? {} : recordProgress(world.message, reached, world.subscribers, now, ids)
}

const accepted = (
  { message, known, subscribers }: OutcomeWorld,
  outcome: SendOutcome & { readonly _tag: "Accepted" },
  now: Instant,
  ids: Ids
): Parts => {
  const { connectionId, workspaceId } = message
  const { providerMessageId } = outcome
  const key = { connectionId, providerMessageId }
  const sent: Receipt = { status: "sent", at: now, error: null }
  const reached = advanceAll(message, [sent, ...(known?.parked ?? [])])
  const parts = recordProgress(message, reached, subscribers, now, ids, { providerMessageId })
  const foretold = outcome.receipts.map((receipt) =>
    row(
      "jobs",
      newJob({
        id: ids.next(now),
        workspaceId,
        lane: "receipts",
        subject: connectionId,
        reference: providerMessageId,
        payload: { receipt },
        runAt: receipt.at,
        createdAt: now
      })
    )
  )
  const inserts = [...(parts.inserts ?? []), ...foretold]
  if (known === undefined) {
    const claim = row("providerMessages", {
      ...key,
      workspaceId,
      messageId: message.id,
      parked: [],
      createdAt: now,
      version: 1
    })
    return { ...parts, inserts, claims: [claim] }
  }
  if (known.messageId !== null) return { ...parts, inserts }
  return {
    ...parts,
    inserts,
    expects: [...(parts.expects ?? []), expect("providerMessages", key, { version: known.version })],
    sets: [...(parts.sets ?? []), set("providerMessages", key, { messageId: message.id, parked: [] })]
  }
}
